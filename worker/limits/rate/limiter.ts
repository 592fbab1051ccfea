import { createLru } from "../../platform/lru.ts";
import { failureText, logLine } from "../../platform/log.ts";
import { ask, decide, take } from "./decide.ts";
import type { RateDecision } from "./decide.ts";
import { exchange, isUnwritten } from "./exchange.ts";
import type { RateStore, Shared } from "./exchange.ts";
import { changeLimit, createRateState, roll, takeBack } from "./state.ts";
import type { RatePolicy, RateState } from "./state.ts";

/**
 * Subjects that an isolate remembers; the least recently used is evicted first. With 600 admissions per minute and 128
 * other isolates in each of three windows, one takes less than 64 KB, so all together less than 64 MB. A quiet one
 * takes about 2 KB.
 */
export const MAX_SUBJECTS = 1_000;
/** A client below this fraction of its limit costs no KV calls. */
const QUIET_SHARE = 1 / 16;
/**
 * The fraction of a busy client's requests reported to the platform's limiter, whose limit in wrangler.toml is scaled to
 * match. Chosen at random, because many isolates with a few requests each must add up.
 */
export const SAMPLED_SHARE = 1 / 10;
/** Pause between two exchanges of a subject, in milliseconds. Jitter keeps isolates from writing at the same time. */
const PAUSE_MS = 5_000;
const PAUSE_JITTER_MS = 5_000;
/** The first exchange is sooner, because the others know nothing yet, but late enough to report a burst as a whole. */
const FIRST_PAUSE_MS = 1_000;
const FIRST_PAUSE_JITTER_MS = 1_000;
/** An exchange this overdue belonged to a request that was killed. */
const OVERDUE_MS = 10_000;
/** No exchange starts later than this after the request: the platform grants `waitUntil` 30 s. */
const LAST_START_MS = 20_000;
const LOG_INTERVAL_MS = 60_000;

/** The limiter's dependencies. Times are in milliseconds. */
export interface RateLimiterDependencies {
  readonly kv: RateStore;
  now(): number;
  /** In [0, 1). */
  random(): number;
  /**
   * Identifies this isolate to the others: 1 to 16 letters and digits. Called with the first request, since Workers
   * forbid randomness before.
   */
  isolateId(): string;
  sleep(ms: number): Promise<void>;
}

/** The subject of a request and its policies. */
export interface RateRequest<Policy extends RatePolicy = RatePolicy> {
  /** For example account and mode: at most 300 characters, no personal data. */
  readonly subject: string;
  /** Both have windows of the same length. */
  readonly requests: Policy;
  readonly numbers: Policy;
}

/** The decisions of both policies. */
export interface RateDecisions {
  readonly requests: RateDecision;
  readonly numbers: RateDecision;
  /** Whether to report this request to the backstop: a sample of a busy subject's requests. */
  readonly isSampled: boolean;
}

/** Defers work until the response is sent. */
type WaitUntil = (work: Promise<unknown>) => void;

/** Waits for nothing. Reports to other isolates go to `waitUntil`. */
export interface RateLimiter {
  /**
   * Decides on a request before its body is read, and counts it if both policies allow it, or just the first for a
   * request that needs no numbers.
   */
  check(request: RateRequest, waitUntil: WaitUntil, needs?: "requests" | "numbers"): RateDecisions;
  /** Decides on the numbers of a request that `check` allowed. Counts all of them, or neither them nor the request. */
  count(request: RateRequest, numbers: number, waitUntil: WaitUntil): RateDecision;
  /** Decides on more numbers of a running request, and counts all of them or none. */
  countMore(request: RateRequest, numbers: number, waitUntil: WaitUntil): RateDecision;
  /** Rejects a subject until a time, in milliseconds: for a backstop with its own count. */
  rejectUntil(request: RateRequest, until: number): void;
}

/** A running exchange, from its pause to its last write. */
interface Turn {
  readonly begunAt: number;
  readonly lastsMs: number;
}

interface Entry extends Shared {
  turn: Turn | null;
  /** The earliest time of the next exchange. */
  dueAt: number;
}

/**
 * Whether recent usage is high enough to tell the others. Rejections count, or a small share of many would go
 * unnoticed.
 */
function isBusy({ limit, current, previous }: RateState): boolean {
  const most = limit * QUIET_SHARE;
  return current.own + current.rejected > most || previous.own + previous.rejected > most;
}

function isSubjectBusy({ requests, numbers }: Entry): boolean {
  return isBusy(requests) || isBusy(numbers);
}

/** A limiter for one isolate and one KV namespace. */
export function createRateLimiter(dependencies: RateLimiterDependencies): RateLimiter {
  const { kv, now, random, sleep } = dependencies;
  const entries = createLru<Entry>(MAX_SUBJECTS);
  let isolate: string | null = null;
  let failures = 0;
  let loggedAt = -Infinity;

  function failed(error: unknown): void {
    failures += 1;
    const time = now();
    if (Math.abs(time - loggedAt) < LOG_INTERVAL_MS) return;
    logLine("warn", "rate_limit_kv_failed", { count: failures, message: failureText(error) });
    failures = 0;
    loggedAt = time;
  }

  function createEntry({ subject, requests, numbers }: RateRequest): Entry {
    isolate ??= dependencies.isolateId();
    const time = now();
    return {
      subject,
      isolate,
      requests: createRateState(requests, time),
      numbers: createRateState(numbers, time, random()),
      written: new Map(),
      settled: -1,
      turn: null,
      dueAt: -Infinity,
    };
  }

  function entryOf(request: RateRequest): Entry {
    const { subject, requests, numbers } = request;
    const known = entries.get(subject);
    const entry = known ?? createEntry(request);
    if (entry.requests.limit !== requests.limit) changeLimit(entry.requests, requests.limit);
    if (entry.numbers.limit !== numbers.limit) changeLimit(entry.numbers, numbers.limit);
    if (known === undefined) entries.set(subject, entry);
    return entry;
  }

  /**
   * Exchanges counts until the others know everything, or as long as a request may live. Only its own request waits for
   * it.
   */
  async function share(entry: Entry): Promise<void> {
    const latest = now() + LAST_START_MS;
    do {
      const begunAt = now();
      const pause = Math.min(Math.max(entry.dueAt - begunAt, 0), PAUSE_MS + PAUSE_JITTER_MS);
      const turn: Turn = { begunAt, lastsMs: pause + OVERDUE_MS };
      entry.turn = turn;
      if (pause > 0) await sleep(pause);
      if (entry.turn !== turn) return;
      await exchange(entry, { kv, now, failed, isCurrent: () => entry.turn === turn });
      if (entry.turn !== turn) return;
      entry.turn = null;
      entry.dueAt = now() + PAUSE_MS + random() * PAUSE_JITTER_MS;
    } while (isUnwritten(entry) && entry.dueAt < latest);
  }

  function isSharing({ turn }: Entry, time: number): boolean {
    // In both directions: a clock that moved back would make a turn endless.
    return turn !== null && Math.abs(time - turn.begunAt) < turn.lastsMs;
  }

  /** Reports an admission to the others if it is significant and not being reported yet. */
  function tell(entry: Entry, time: number, waitUntil: WaitUntil): void {
    if (isSharing(entry, time) || !isSubjectBusy(entry)) return;
    if (entry.dueAt === -Infinity) entry.dueAt = time + FIRST_PAUSE_MS + random() * FIRST_PAUSE_JITTER_MS;
    waitUntil(share(entry));
  }

  return {
    check(request, waitUntil, needs = "numbers") {
      const time = now();
      const entry = entryOf(request);
      const numbers = ask(entry.numbers, time);
      const hasRoom = numbers.allowed || needs === "requests";
      const requests = hasRoom ? take(entry.requests, time) : decide(entry.requests, roll(entry.requests, time), 0);
      const isAdmitted = hasRoom && requests.allowed;
      if (isAdmitted) tell(entry, time, waitUntil);
      const isSampled = isAdmitted && isSubjectBusy(entry) && random() < SAMPLED_SHARE;
      return { requests, numbers, isSampled };
    },
    count(request, weight, waitUntil) {
      const time = now();
      const entry = entryOf(request);
      roll(entry.requests, time);
      const decision = take(entry.numbers, time, weight);
      if (decision.allowed) tell(entry, time, waitUntil);
      else takeBack(entry.requests);
      return decision;
    },
    countMore(request, weight, waitUntil) {
      const time = now();
      const entry = entryOf(request);
      roll(entry.requests, time);
      const decision = take(entry.numbers, time, weight);
      if (decision.allowed) tell(entry, time, waitUntil);
      return decision;
    },
    rejectUntil(request, until) {
      const { requests } = entryOf(request);
      requests.denyUntil = Math.max(requests.denyUntil, until);
    },
  };
}

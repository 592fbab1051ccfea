import { createLru } from "../../platform/lru.ts";
import { failureText, logLine } from "../../platform/log.ts";
import { take } from "./decide.ts";
import type { RateDecision } from "./decide.ts";
import { exchange, isUnwritten } from "./exchange.ts";
import type { RateStore, Shared } from "./exchange.ts";
import { changeLimit, createRateState } from "./state.ts";
import type { RatePolicy, RateState } from "./state.ts";

/**
 * Subjects that an isolate remembers; the longest unused is forgotten first. With 600 admissions a minute and 128 other isolates in
 * each of three windows one takes less than 32 KB, so all together less than 32 MB. A quiet one takes about a kilobyte.
 */
export const MAX_SUBJECTS = 1_000;
/** A client below this part of its limit costs no KV call. */
const QUIET_SHARE = 1 / 16;
/** Pause between two exchanges of a subject, in milliseconds. Jitter keeps isolates from writing at the same time. */
const PAUSE_MS = 5_000;
const PAUSE_JITTER_MS = 5_000;
/** The first exchange comes sooner, because the others know nothing yet, and late enough to tell of a burst as a whole. */
const FIRST_PAUSE_MS = 1_000;
const FIRST_PAUSE_JITTER_MS = 1_000;
/** An exchange that has not ended so long after it was due belonged to a request that was killed. */
const OVERDUE_MS = 10_000;
/** No exchange is begun later than this after the request: the platform grants `waitUntil` 30 s. */
const LAST_START_MS = 20_000;
const LOG_INTERVAL_MS = 60_000;

/** What the limiter takes from outside. Times are in milliseconds. */
export interface RateLimiterDependencies {
  readonly kv: RateStore;
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Names this isolate to the others: 1 to 16 letters and digits. Asked for with the first request, as Workers forbid random before. */
  isolateId(): string;
  sleep(ms: number): Promise<void>;
}

/** Who asks, and what holds for them. */
export interface RateRequest {
  /** Account and mode, say: at most 300 characters, no personal data. */
  readonly subject: string;
  readonly policy: RatePolicy;
}

export interface RateLimiter {
  /** Decides on a request and counts it, without waiting for anything. What others have to learn of it goes to `waitUntil`. */
  check(request: RateRequest, waitUntil: (work: Promise<unknown>) => void): RateDecision;
  /** Refuses a subject until a time, in milliseconds: for a backstop that counts by itself. */
  refuseUntil(request: RateRequest, until: number): void;
}

/** An exchange under way, from its pause to its last write. */
interface Turn {
  readonly begunAt: number;
  readonly lastsMs: number;
}

interface Entry extends Shared {
  turn: Turn | null;
  /** No exchange before. */
  dueAt: number;
}

/** Whether so much was asked lately that the others should know: refusals count, or a small share of many would go unseen. */
function isBusy({ limit, current, previous }: RateState): boolean {
  return [current, previous].some(({ own, refused }) => own + refused > limit * QUIET_SHARE);
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

  function createEntry({ subject, policy }: RateRequest): Entry {
    isolate ??= dependencies.isolateId();
    const state = createRateState(policy, now());
    const written = new Map<number, number>();
    return { policyName: policy.name, subject, isolate, state, written, settled: -1, turn: null, dueAt: -Infinity };
  }

  function entryOf(request: RateRequest): Entry {
    const { subject, policy } = request;
    const id = `${policy.name}:${policy.windowSeconds}:${subject}`;
    const known = entries.get(id);
    const entry = known ?? createEntry(request);
    if (entry.state.limit !== policy.limit) changeLimit(entry.state, policy.limit);
    if (known === undefined) entries.set(id, entry);
    return entry;
  }

  /** Exchanges counts until the others know all, or as long as a request may live. Only its own request waits for it. */
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
    // Either way, as a clock that is set back would make a turn endless.
    return turn !== null && Math.abs(time - turn.begunAt) < turn.lastsMs;
  }

  return {
    check(request, waitUntil) {
      const time = now();
      const entry = entryOf(request);
      const decision = take(entry.state, time);
      if (decision.allowed && isBusy(entry.state) && !isSharing(entry, time)) {
        if (entry.dueAt === -Infinity) {
          entry.dueAt = time + FIRST_PAUSE_MS + random() * FIRST_PAUSE_JITTER_MS;
        }
        waitUntil(share(entry));
      }
      return decision;
    },
    refuseUntil(request, until) {
      const { state } = entryOf(request);
      state.denyUntil = Math.max(state.denyUntil, until);
    },
  };
}

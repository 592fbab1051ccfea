import { createLru } from "../../platform/lru.ts";
import { failureText, logLine } from "../../platform/log.ts";
import { addDemand, averageNumbers, forgetOld, shareOf } from "./demand.ts";
import type { Demand, Usage } from "./demand.ts";
import { exchange } from "./exchange.ts";
import type { RateStore } from "./exchange.ts";
import { createWindow, decide, take } from "./window.ts";
import type { RateDecision, SlidingWindow } from "./window.ts";

/** Subjects that an isolate remembers; the least recently used is evicted first. */
export const MAX_SUBJECTS = 1_000;
/** Between two exchanges about a subject there are at least this many of its requests or numbers, and this long. */
const EXCHANGE_AFTER = 20;
const EXCHANGE_PAUSE_MS = 20_000;
const LOG_INTERVAL_MS = 60_000;

/** The limiter's dependencies. */
export interface RateLimiterDependencies {
  readonly kv: RateStore;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  /**
   * Identifies this isolate to the others: 1 to 16 letters and digits. Called with the first request, since Workers
   * forbid randomness before.
   */
  isolateId(): string;
}

/** Who makes a request, and the limits per minute. */
export interface RateRequest {
  /** For example account and mode. */
  readonly subject: string;
  readonly requests: { readonly limit: number };
  readonly numbers: { readonly limit: number };
}

/** The decisions on both limits. */
export interface RateDecisions {
  readonly requests: RateDecision;
  readonly numbers: RateDecision;
}

/** Defers work until the response is sent. */
type WaitUntil = (work: Promise<unknown>) => void;

/** Waits for nothing: exchanges with other isolates go to `waitUntil`, and never reject. */
export interface RateLimiter {
  /**
   * Decides on a request before its body is read, and admits it if there is room for it and at least one number, or just
   * for it if it needs none.
   */
  check(request: RateRequest, waitUntil: WaitUntil, needs?: "requests" | "numbers"): RateDecisions;
  /** Decides on numbers of a request that `check` allowed, and admits all of them or none. */
  count(request: RateRequest, numbers: number, waitUntil: WaitUntil): RateDecision;
}

interface Subject {
  readonly requests: SlidingWindow;
  readonly numbers: SlidingWindow;
  readonly demand: Demand;
  /** This isolate's demand since the last exchange began. */
  unreported: Usage;
  exchangedAt: number;
}

function createSubject(): Subject {
  return {
    requests: createWindow(),
    numbers: createWindow(),
    demand: new Map(),
    unreported: { requests: 0, numbers: 0 },
    exchangedAt: -Infinity,
  };
}

/** A limiter for one isolate and one KV namespace. */
export function createRateLimiter({ kv, now, random, isolateId }: RateLimiterDependencies): RateLimiter {
  const subjects = createLru<Subject>(MAX_SUBJECTS);
  let own = "";
  let failures = 0;
  let loggedAt = -Infinity;

  function logFailure(error: unknown): void {
    failures += 1;
    if (Math.abs(now() - loggedAt) < LOG_INTERVAL_MS) return;
    logLine("warn", "rate_limit_kv_failed", { count: failures, message: failureText(error) });
    failures = 0;
    loggedAt = now();
  }

  function subjectOf({ subject }: RateRequest): Subject {
    const known = subjects.obtain(subject, createSubject);
    forgetOld(known.demand, now());
    return known;
  }

  function shareIn({ demand }: Subject, unit: keyof Usage, request: RateRequest): number {
    return shareOf(demand, own, unit, request[unit].limit);
  }

  /** Counts demand, and exchanges it when due. */
  function note(known: Subject, { subject }: RateRequest, asked: Usage, waitUntil: WaitUntil): void {
    const { demand, unreported, exchangedAt } = known;
    const time = now();
    addDemand(demand, own, time, asked);
    const requests = unreported.requests + asked.requests;
    const numbers = unreported.numbers + asked.numbers;
    known.unreported = { requests, numbers };
    // Absolute, because the clock can step back.
    const isPaused = Math.abs(time - exchangedAt) < EXCHANGE_PAUSE_MS;
    if (isPaused || Math.max(requests, numbers) < EXCHANGE_AFTER) return;
    known.unreported = { requests: 0, numbers: 0 };
    known.exchangedAt = time;
    waitUntil(exchange({ kv, subject, demand, own, now, random }).catch(logFailure));
  }

  return {
    check(request, waitUntil, needs = "numbers") {
      own ||= isolateId();
      const known = subjectOf(request);
      const time = now();
      const share = shareIn(known, "requests", request);
      const numbers = decide(known.numbers, shareIn(known, "numbers", request), time);
      const hasRoom = numbers.allowed || needs === "requests";
      const requests = hasRoom ? take(known.requests, share, time, 1) : decide(known.requests, share, time);
      // The numbers of an admitted request are counted with its body, and others never get that far.
      const isRejected = !hasRoom || !requests.allowed;
      const unread = isRejected && needs === "numbers" ? averageNumbers(known.demand, own) : 0;
      note(known, request, { requests: 1, numbers: unread }, waitUntil);
      return { requests, numbers };
    },
    count(request, weight, waitUntil) {
      const known = subjectOf(request);
      note(known, request, { requests: 0, numbers: weight }, waitUntil);
      return take(known.numbers, shareIn(known, "numbers", request), now(), weight);
    },
  };
}

import { createLru } from "../../platform/lru.ts";
import { createFailureLog } from "../../platform/log.ts";
import { MINUTE_MS } from "../../platform/time.ts";
import { addDemand, averageNumbers, forgetOld, shareOf } from "./demand.ts";
import type { Demand, Usage } from "./demand.ts";
import { exchange } from "./exchange.ts";
import type { RateStore } from "./exchange.ts";
import { closedUntil, createLocationState, isDue } from "./location.ts";
import type { LocationLimiter, LocationState } from "./location.ts";
import { createWindow, decide, noRoom, take } from "./window.ts";
import type { RateDecision, SlidingWindow } from "./window.ts";

/** Subjects that an isolate remembers: about 1 KB each, and 80 KB for one with 600 requests per minute. */
export const MAX_SUBJECTS = 1_000;
/** Between two exchanges about a subject there are at least this many of its requests, and this long. */
const EXCHANGE_REQUESTS = 20;
const EXCHANGE_PAUSE_MS = 20_000;

/** The same for calls that cost us less than an exchange for every 20 of them would. */
export const RARE_EXCHANGE_REQUESTS = 100;

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
  /** Requests between two exchanges about a subject, at least. */
  readonly exchangeRequests?: number;
  /** Without one, only isolates count. */
  readonly location?: LocationLimiter;
}

/** Who makes a request, and the limits per minute. */
export interface RateRequest {
  /** For example account and mode. */
  readonly subject: string;
  readonly requests: { readonly limit: number };
  readonly numbers: { readonly limit: number };
}

/** Defers work until the response is sent. */
type WaitUntil = (work: Promise<unknown>) => void;

interface Subject {
  readonly requests: SlidingWindow;
  readonly numbers: SlidingWindow;
  readonly demand: Demand;
  /** Requests since the last exchange began, and when that was. */
  unreported: number;
  exchangedAt: number;
  readonly location: LocationState;
}

/**
 * Limits requests, and the numbers in them, per minute. An isolate alone admits exactly the limit of requests, and a
 * batch may exceed that of numbers. Isolates tell each other through KV what they were asked for, and divide by that.
 * Until they know of each other, the platform's limiter bounds what those of one location admit.
 */
export function createRateLimiter({
  kv,
  now,
  random,
  isolateId,
  exchangeRequests = EXCHANGE_REQUESTS,
  location,
}: RateLimiterDependencies) {
  const subjects = createLru<Subject>(MAX_SUBJECTS);
  let isolate = "";
  const logFailure = createFailureLog("rate_limit_kv_failed", { now, everyMs: MINUTE_MS });
  const logLocationFailure = createFailureLog("backstop_failed", { now, everyMs: MINUTE_MS });

  function subjectOf({ subject }: RateRequest): Subject {
    isolate ||= isolateId();
    const known = subjects.obtain(subject, () => ({
      requests: createWindow(),
      numbers: createWindow(),
      demand: {},
      unreported: 0,
      exchangedAt: now(),
      location: createLocationState(),
    }));
    forgetOld(known.demand, minuteOf(now()));
    return known;
  }

  function shareIn({ demand }: Subject, unit: keyof Usage, request: RateRequest): number {
    return shareOf(demand, isolate, unit, request[unit].limit);
  }

  function exchangeIfDue(known: Subject, { subject }: RateRequest, waitUntil: WaitUntil): void {
    // Absolute, because the clock can be set back.
    if (known.unreported < exchangeRequests || Math.abs(now() - known.exchangedAt) < EXCHANGE_PAUSE_MS) return;
    known.unreported = 0;
    known.exchangedAt = now();
    waitUntil(exchange({ kv, subject, demand: known.demand, minute: minuteOf(now()), random }).catch(logFailure));
  }

  /** Has the location count a sixtieth of the limit. When that fails, our own limits still apply. */
  async function countInLocation(state: LocationState, key: string): Promise<void> {
    try {
      if (!(await location!.limit({ key })).success) state.closedAt = now();
    } catch (error) {
      logLocationFailure(error);
    }
  }

  /** Admits a request if there is room in the isolate and, as far as it knows, in the location. */
  function admit(known: Subject, request: RateRequest, at: number, waitUntil: WaitUntil): RateDecision {
    const decision = take(known.requests, shareIn(known, "requests", request), at, 1);
    if (!decision.allowed || location === undefined) return decision;
    const until = closedUntil(known.location, at);
    // It takes room in the isolate all the same: otherwise a flood's second minute would start with room everywhere.
    if (until !== undefined) return noRoom(until, at);
    if (isDue(known.location, request.requests.limit, known.requests.total)) {
      waitUntil(countInLocation(known.location, request.subject));
    }
    return decision;
  }

  return {
    /**
     * Decides on a request before its body is read, and reports the room for numbers. Waits for nothing: exchanges and
     * the location's count go to `waitUntil`, and never reject.
     */
    check(request: RateRequest, waitUntil: WaitUntil) {
      const known = subjectOf(request);
      const at = now();
      const requests = admit(known, request, at, waitUntil);
      const numbers = decide(known.numbers, shareIn(known, "numbers", request), at);
      // The numbers of an admitted request are counted with its body, which others never get to.
      const unread = requests.allowed ? 0 : averageNumbers(known.demand, isolate);
      addDemand(known.demand, minuteOf(at), isolate, { requests: 1, numbers: unread });
      known.unreported += 1;
      exchangeIfDue(known, request, waitUntil);
      return { requests, numbers };
    },

    /** Whether there is room for a request now, without counting it or remembering its subject. */
    look(request: RateRequest): RateDecision {
      const known = subjects.get(request.subject);
      if (known === undefined) return decide(createWindow(), request.requests.limit, now());
      return decide(known.requests, shareIn(known, "requests", request), now());
    },

    /**
     * Decides on numbers of a request that `check` allowed, and admits all of them or none.
     * @param isRepeated whether the same numbers have been rejected before
     */
    count(request: RateRequest, numbers: number, isRepeated = false): RateDecision {
      const known = subjectOf(request);
      if (!isRepeated) addDemand(known.demand, minuteOf(now()), isolate, { requests: 0, numbers });
      return take(known.numbers, shareIn(known, "numbers", request), now(), numbers);
    },
  };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS);
}

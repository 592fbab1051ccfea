import { MINUTE_MS } from "../../platform/time.ts";

/** The platform's limiter in an isolate's location, which the location's isolates share. */
export interface LocationLimiter {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/**
 * Its limit per minute; wrangler.toml has it too. A call of it stands for a sixtieth of a subject's limit, so one limiter
 * serves all plans, and a busy account calls it about once a second.
 */
export const LOCATION_CALLS_PER_MINUTE = 60;
/** Admitted requests of a subject in the last minute that are not counted there: a lone one costs no call. */
const UNCOUNTED_REQUESTS = 1;
/** How long a location without room is not called again, in milliseconds: we don't know when its windows start. */
const CLOSED_MS = 15_000;

/** What an isolate has with its location about a subject. */
export interface LocationState {
  /** Sixtieths of the limit admitted here since the last call. */
  uncounted: number;
  /** When the location last had no room, in milliseconds since the Unix epoch. */
  closedAt: number;
}

export function createLocationState(): LocationState {
  return { uncounted: 0, closedAt: -Infinity };
}

/** Until when the location has no room, at most until the minute ends; undefined if it may have some now. */
export function closedUntil({ closedAt }: LocationState, at: number): number | undefined {
  const until = Math.min(closedAt + CLOSED_MS, (Math.floor(closedAt / MINUTE_MS) + 1) * MINUTE_MS);
  // The clock may have been set back.
  return at < until && at > closedAt - CLOSED_MS ? until : undefined;
}

/**
 * Notes that an isolate has admitted a request of a limit per minute.
 * @param recent how many of the subject it has admitted in the last minute, this one included
 * @returns whether the location has to count a sixtieth now
 */
export function isDue(state: LocationState, limit: number, recent: number): boolean {
  state.uncounted += LOCATION_CALLS_PER_MINUTE / limit;
  if (state.uncounted < 1 || recent <= UNCOUNTED_REQUESTS) return false;
  state.uncounted %= 1;
  return true;
}

/** The length of the sliding window, in milliseconds. */
export const WINDOW_MS = 60_000;

/** The time is in milliseconds since the Unix epoch. */
interface Admission {
  readonly at: number;
  readonly weight: number;
}

/** What was admitted in the last window. */
export interface SlidingWindow {
  /** Oldest first. */
  readonly admissions: Admission[];
  /** The position of the oldest that still counts. */
  first: number;
  /** The sum of the weights of those that count. */
  total: number;
}

/** Whether a call may proceed. */
export type RateDecision =
  | {
      readonly allowed: true;
      /** What would still be admitted after this call. */
      readonly remaining: number;
      /** Seconds until more than `remaining` is available: when the oldest admission leaves the window. */
      readonly resetSeconds: number;
    }
  | {
      readonly allowed: false;
      /** When there is room again, in milliseconds since the Unix epoch. */
      readonly until: number;
      readonly retryAfterSeconds: number;
    };

export function createWindow(): SlidingWindow {
  return { admissions: [], first: 0, total: 0 };
}

/** In order of time, even if the clock stepped back. */
function insert({ admissions, first }: Pick<SlidingWindow, "admissions" | "first">, admission: Admission): void {
  if (admission.weight <= 0) return;
  const before = admissions.findLastIndex(({ at }) => at <= admission.at);
  admissions.splice(Math.max(before + 1, first), 0, admission);
}

/**
 * Drops what is a window old. A call heavier than the limit, which may be a small share of the client's, leaves by that
 * much per window.
 */
function expire(window: SlidingWindow, limit: number, now: number): void {
  const { admissions } = window;
  for (;;) {
    const oldest = admissions[window.first];
    if (oldest === undefined || oldest.at > now - WINDOW_MS) break;
    window.first += 1;
    window.total -= Math.min(oldest.weight, limit);
    insert(window, { at: oldest.at + WINDOW_MS, weight: oldest.weight - limit });
  }
  // Not one by one: each removal moves all that follow.
  if (window.first > admissions.length / 2) {
    admissions.splice(0, window.first);
    window.first = 0;
  }
}

/** When enough will have left that the total is below the limit. */
function whenFree({ admissions, first, total }: SlidingWindow, limit: number): number {
  const leaving = { admissions: admissions.slice(first), first: 0 };
  let left = total;
  let time = 0;
  for (const { at, weight } of leaving.admissions) {
    time = at + WINDOW_MS;
    left -= Math.min(weight, limit);
    if (left < limit) break;
    insert(leaving, { at: time, weight: weight - limit });
  }
  return time;
}

function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000));
}

/** Decides, without counting, whether there is room for at least one more. */
export function decide(window: SlidingWindow, limit: number, now: number): RateDecision {
  expire(window, limit, now);
  const { admissions, first, total } = window;
  if (total >= limit) {
    const until = whenFree(window, limit);
    return { allowed: false, until, retryAfterSeconds: secondsUntil(until, now) };
  }
  const oldest = admissions[first]?.at ?? now;
  return { allowed: true, remaining: limit - total, resetSeconds: secondsUntil(oldest + WINDOW_MS, now) };
}

/**
 * Admits a call of any weight if there is room for at least one. What exceeds the room counts in the next window, so in
 * the long run no more than the limit is admitted.
 */
export function take(window: SlidingWindow, limit: number, now: number, weight: number): RateDecision {
  const decision = decide(window, limit, now);
  if (!decision.allowed) return decision;
  const { remaining } = decision;
  insert(window, { at: now, weight: Math.min(weight, remaining) });
  insert(window, { at: now + WINDOW_MS, weight: weight - remaining });
  window.total += weight;
  return { ...decision, remaining: Math.max(0, remaining - weight) };
}

/** The length of the sliding window, in milliseconds. */
export const WINDOW_MS = 60_000;

/** The time is in milliseconds since the Unix epoch. */
interface Admission {
  readonly at: number;
  readonly weight: number;
}

/** What was admitted in the last window, oldest first. */
export interface SlidingWindow {
  readonly admissions: Admission[];
  /** The sum of the weights. */
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
  return { admissions: [], total: 0 };
}

/** In order of time, even if the clock stepped back. */
function insert(admissions: Admission[], admission: Admission): void {
  if (admission.weight <= 0) return;
  const before = admissions.findLastIndex(({ at }) => at <= admission.at);
  admissions.splice(before + 1, 0, admission);
}

/**
 * Drops what is a window old. A call heavier than the limit, which may be a small share of the client's, leaves by that
 * much per window.
 */
function expire(window: SlidingWindow, limit: number, now: number): void {
  const { admissions } = window;
  while (admissions.length > 0 && admissions[0]!.at <= now - WINDOW_MS) {
    const { at, weight } = admissions.shift()!;
    window.total -= Math.min(weight, limit);
    insert(admissions, { at: at + WINDOW_MS, weight: weight - limit });
  }
}

/** When enough will have left that the total is below the limit. */
function whenFree({ admissions, total }: SlidingWindow, limit: number): number {
  const leaving = [...admissions];
  let left = total;
  let time = 0;
  for (const { at, weight } of leaving) {
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
  const { admissions, total } = window;
  if (total >= limit) {
    const until = whenFree(window, limit);
    return { allowed: false, until, retryAfterSeconds: secondsUntil(until, now) };
  }
  const oldest = admissions[0]?.at ?? now;
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
  insert(window.admissions, { at: now, weight: Math.min(weight, remaining) });
  insert(window.admissions, { at: now + WINDOW_MS, weight: weight - remaining });
  window.total += weight;
  return { ...decision, remaining: Math.max(0, remaining - weight) };
}

import { MINUTE_MS } from "../../platform/time.ts";
import type { NoRoom, Room } from "./headers.ts";

/** What was admitted in the last minute. */
export interface SlidingWindow {
  /** When, in milliseconds since the Unix epoch, and how much. Oldest first. */
  readonly admissions: { readonly at: number; readonly weight: number }[];
  /** The position of the oldest that still counts. */
  first: number;
  /** The sum of the weights of those that count. */
  total: number;
}

/** Whether a call may proceed. `until` is when there is room again, in milliseconds since the Unix epoch. */
export type RateDecision = Room | (NoRoom & { readonly until: number });

export function createWindow(): SlidingWindow {
  return { admissions: [], first: 0, total: 0 };
}

function expire(window: SlidingWindow, now: number): void {
  const { admissions } = window;
  let oldest = admissions[window.first];
  // Absolute, because a clock that was set back must not close the window until it has caught up.
  while (oldest !== undefined && Math.abs(now - oldest.at) >= MINUTE_MS) {
    window.total -= oldest.weight;
    window.first += 1;
    oldest = admissions[window.first];
  }
  // In bulk, because each removal moves all that follow.
  if (window.first > admissions.length / 2) {
    admissions.splice(0, window.first);
    window.first = 0;
  }
}

/** When the total falls below the limit. */
function whenFree({ admissions, first, total }: SlidingWindow, limit: number): number {
  let left = total;
  const last = admissions.slice(first).find(({ weight }) => (left -= weight) < limit);
  return last!.at + MINUTE_MS;
}

function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000));
}

/** There is no room until a time, in milliseconds since the Unix epoch. */
export function noRoom(until: number, now: number): RateDecision {
  return { allowed: false, until, retryAfterSeconds: secondsUntil(until, now) };
}

/** Decides, without counting, whether there is room for at least one more. */
export function decide(window: SlidingWindow, limit: number, now: number): RateDecision {
  expire(window, now);
  const { admissions, first, total } = window;
  if (total >= limit) return noRoom(whenFree(window, limit), now);
  const oldest = admissions[first]?.at ?? now;
  return { allowed: true, remaining: limit - total, resetSeconds: secondsUntil(oldest + MINUTE_MS, now) };
}

/** Admits a call of any weight if there is room for at least one. */
export function take(window: SlidingWindow, limit: number, now: number, weight: number): RateDecision {
  const decision = decide(window, limit, now);
  if (!decision.allowed) return decision;
  window.admissions.push({ at: now, weight });
  window.total += weight;
  if (window.total < limit) return { ...decision, remaining: decision.remaining - weight };
  return { allowed: true, remaining: 0, resetSeconds: secondsUntil(whenFree(window, limit), now) };
}

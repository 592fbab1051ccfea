import { admissionAt, timeOfWeight } from "./admission-log.ts";
import { budgetOf, capOf, recordAdmission, recordRejection, roll, totalOf } from "./state.ts";
import type { RateState } from "./state.ts";

/** Whether a call may proceed. Clock times are in milliseconds since the Unix epoch. */
export type RateDecision =
  | {
      readonly allowed: true;
      /** What this isolate would still admit now, after this call. */
      readonly remaining: number;
      /**
       * Seconds until more than `remaining` is available: when the oldest admission of the last window is a window old.
       */
      readonly resetSeconds: number;
    }
  | { readonly allowed: false; readonly until: number; readonly retryAfterSeconds: number };

/** The room under a rule, and when it next has any: 0 if it has some now. */
interface Rule {
  readonly room: number;
  readonly freeAt: number;
}

/**
 * Never more than the limit in any span of a window's length, except what a call exceeded its room by. Exact, because
 * each of this isolate's admissions is kept with its time.
 */
function ownRule({ limit, windowMs, log }: RateState): Rule {
  const room = limit - log.total;
  return { room, freeAt: room > 0 ? 0 : timeOfWeight(log, 1 - room) + windowMs };
}

/** Compares the counts of a window, plus the remaining part of the previous one, with what is allowed. */
function slidingRule(state: RateState, now: number, allowed: number, current: number, previous: number): Rule {
  const start = state.index * state.windowMs;
  const left = 1 - (now - start) / state.windowMs;
  const room = allowed - current - left * Math.min(previous, allowed);
  if (room > 0) return { room, freeAt: 0 };
  if (current >= allowed) return { room, freeAt: start + state.windowMs + 1 };
  const leftWhenFree = (allowed - current) / Math.min(previous, allowed);
  return { room, freeAt: start + (1 - leftWhenFree) * state.windowMs + 1 };
}

/** What two rules allow together. */
function bothOf(one: Rule, other: Rule): Rule {
  return { room: Math.min(one.room, other.room), freeAt: Math.max(one.freeAt, other.freeAt) };
}

/** The rules that apply, as one. An isolate that has seen no other and owes nothing uses only its own log. */
function ruleOf(state: RateState, now: number): Rule {
  const own = ownRule(state);
  const { isolates, owed, previous, current } = state;
  if (isolates === 1 && owed === 0) return own;
  const budget = budgetOf(state);
  const share = slidingRule(state, now, capOf(state, budget), current.own, previous.own);
  return bothOf(own, bothOf(share, slidingRule(state, now, budget, totalOf(current), totalOf(previous))));
}

function rejection(until: number, now: number): RateDecision {
  return { allowed: false, until, retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)) };
}

/**
 * Decides on a call without counting it. The state must be rolled to `now`, in milliseconds. A call of any weight is
 * allowed while there is any room; the excess becomes debt. So `weight`, 0 if not known yet, only determines what
 * remains after it.
 *
 * Alone, an isolate admits exactly the limit: at most that much in any span of a window's length, and all of it to a
 * client that sends no more. When other isolates admit too, their counts arrive late and by clock window, so three
 * rules must agree:
 *
 * - own: the exact one above;
 * - share: own admissions, estimated as current + (1 - f) * previous, where f is the elapsed fraction of the window,
 *   stay
 *   below a cap, which is the budget divided evenly or in proportion to earlier admissions, minus the excess of heavy
 *   calls over earlier caps. While no debt is owed and little is rejected, what the others leave is available too,
 *   because load is never perfectly even;
 * - budget: the same estimate over all known counts stays below the budget.
 *
 * The budget is the limit minus the debt: what past windows admitted above the limit and have not made up for, at most
 * half the limit. In the estimates the previous window counts for no more than is allowed now, so one that went far
 * over doesn't close the next one; the debt handles that.
 */
export function decide(state: RateState, now: number, weight = 1): RateDecision {
  if (now < state.denyUntil) return rejection(state.denyUntil, now);
  const { room, freeAt } = ruleOf(state, now);
  if (room <= 0) return rejection(Math.max(now + 1, Math.ceil(freeAt)), now);
  const oldest = state.log.size === 0 ? now : admissionAt(state.log, 0);
  return {
    allowed: true,
    remaining: Math.max(0, Math.ceil(room) - weight),
    resetSeconds: Math.max(1, Math.ceil((oldest + state.windowMs - now) / 1000)),
  };
}

/** Decides on a call at a clock time, in milliseconds, and counts it. */
export function take(state: RateState, clock: number, weight = 1): RateDecision {
  const now = roll(state, clock);
  const decision = decide(state, now, weight);
  if (decision.allowed) recordAdmission(state, now, weight);
  else recordRejection(state, decision.until, weight);
  return decision;
}

/** Decides on a call before its weight is known, and counts only a rejection. */
export function ask(state: RateState, clock: number): RateDecision {
  const now = roll(state, clock);
  const decision = decide(state, now, 0);
  if (!decision.allowed) recordRejection(state, decision.until, null);
  return decision;
}

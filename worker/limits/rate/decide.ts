import { admissionAt, timeOfWeight } from "./admission-log.ts";
import { budgetOf, capOf, recordAdmission, recordRefusal, roll, totalOf } from "./state.ts";
import type { RateState } from "./state.ts";

/** Whether a call may go on. Times of the clock are in milliseconds since the Unix epoch. */
export type RateDecision =
  | {
      readonly allowed: true;
      /** What this isolate would still admit right now, this call taken off. */
      readonly remaining: number;
      /** Until more than `remaining` come free: when the oldest admission of the last window is a window old. */
      readonly resetSeconds: number;
    }
  | { readonly allowed: false; readonly until: number; readonly retryAfterSeconds: number };

/** One of the rules that all have to allow a call: what they have room for, and when a rule without room has some again. */
interface Rule {
  readonly room: number;
  readonly freeAt: number;
}

/**
 * Never more than the limit in any span of a window's length, but for what a call exceeded its room by: exact, because each own
 * admission is kept with its time.
 */
function ownRule({ limit, windowMs, log }: RateState): Rule {
  const room = limit - log.total;
  return { room, freeAt: room > 0 ? 0 : timeOfWeight(log, 1 - room) + windowMs };
}

/** Counts of a window and the one before it, of which the part that has not passed counts too, against what is allowed. */
function slidingRule(state: RateState, now: number, allowed: number, current: number, previous: number): Rule {
  const start = state.index * state.windowMs;
  const left = 1 - (now - start) / state.windowMs;
  const room = allowed - current - left * Math.min(previous, allowed);
  if (current >= allowed) return { room, freeAt: start + state.windowMs + 1 };
  const leftWhenFree = (allowed - current) / Math.min(previous, allowed);
  return { room, freeAt: start + (1 - leftWhenFree) * state.windowMs + 1 };
}

/** The rules that apply. An isolate that has seen no other and owes nothing is alone, and only its own log counts. */
function rulesOf(state: RateState, now: number): Rule[] {
  const own = ownRule(state);
  const { isolates, owed, previous, current } = state;
  if (isolates === 1 && owed === 0) return [own];
  const budget = budgetOf(state);
  const share = slidingRule(state, now, capOf(state, budget), current.own, previous.own);
  return [own, share, slidingRule(state, now, budget, totalOf(current), totalOf(previous))];
}

function refusal(until: number, now: number): RateDecision {
  return { allowed: false, until, retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)) };
}

/**
 * Decides on a call without counting it. The state has to be rolled to `now`, in milliseconds. A call of any weight may go on while
 * there is room at all: what exceeds it is debt. So `weight`, 0 where it is not known yet, only says what remains after it.
 *
 * Alone, an isolate admits exactly the limit: at most so much in any span of a window's length, and all of it to a client that sends
 * no more. Where other isolates admit too, their counts come late and by windows of the clock, so three rules must agree:
 *
 * - own: the exact one above;
 * - share: own admissions, estimated as current + (1 - f) * previous, f being the part of the window that has passed, stay below a
 *   cap, which is the budget divided by isolates seen or by what each admitted before, less what heavy calls exceeded earlier caps
 *   by. While no debt is owed and little is refused, what the others leave is free too, because an even load is never quite even;
 * - budget: the same estimate for the known counts of all stays below the budget.
 *
 * The budget is the limit less the debt: what past windows admitted above the limit and have not made up for, at most half the
 * limit. In the estimates the previous window counts for no more than is allowed now, so that one that went far over does not close
 * the next one; the debt is there for that.
 */
export function decide(state: RateState, now: number, weight = 1): RateDecision {
  if (now < state.denyUntil) return refusal(state.denyUntil, now);
  let room = Infinity;
  let freeAt = now + 1;
  for (const rule of rulesOf(state, now)) {
    room = Math.min(room, rule.room);
    if (rule.room <= 0) freeAt = Math.max(freeAt, Math.ceil(rule.freeAt));
  }
  if (room <= 0) return refusal(freeAt, now);
  const oldest = state.log.size === 0 ? now : admissionAt(state.log, 0);
  return {
    allowed: true,
    remaining: Math.max(0, Math.ceil(room) - weight),
    resetSeconds: Math.max(1, Math.ceil((oldest + state.windowMs - now) / 1000)),
  };
}

/** Decides on a call at a time of the clock, in milliseconds, and counts it. */
export function take(state: RateState, clock: number, weight = 1): RateDecision {
  const now = roll(state, clock);
  const decision = decide(state, now, weight);
  if (decision.allowed) recordAdmission(state, now, weight);
  else recordRefusal(state, decision.until, weight);
  return decision;
}

/** Decides on a call before its weight is known, and counts only a refusal. */
export function ask(state: RateState, clock: number): RateDecision {
  const now = roll(state, clock);
  const decision = decide(state, now, 0);
  if (!decision.allowed) recordRefusal(state, decision.until, null);
  return decision;
}

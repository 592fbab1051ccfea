import { admissionAt } from "./admission-log.ts";
import { debtAfter, recordAdmission, recordRefusal, roll, totalOf } from "./state.ts";
import type { RateState } from "./state.ts";

/** Whether a request may go on. Times of the clock are in milliseconds since the Unix epoch. */
export type RateDecision =
  | {
      readonly allowed: true;
      /** Requests that this isolate would still admit right now, this one taken off. */
      readonly remaining: number;
      /** Until more than `remaining` come free: when the oldest admission of the last window is a window old. */
      readonly resetSeconds: number;
    }
  | { readonly allowed: false; readonly until: number; readonly retryAfterSeconds: number };

/** What an isolate keeps of the part of the limit that it used lately. The rest is for those that grow. */
const KEPT_SHARE = 0.9;
/** From so many refusals an admission on, the client wants much more than it may have. */
const PRESSED_RATIO = 0.5;

/** One of the rules that all have to allow a request: what they have room for, and when a rule without room has some again. */
interface Rule {
  readonly room: number;
  readonly freeAt: number;
}

/** Whether the client would take whatever isolates offer beyond their shares. */
function isPressed({ current, previous }: RateState): boolean {
  return current.refused + previous.refused > PRESSED_RATIO * (current.own + previous.own);
}

/** What this isolate may admit of a budget for all: its share, or what the others leave while nobody is short of it. */
function capOf(state: RateState, budget: number): number {
  const { limit, current, previous, beforePrevious, isolates } = state;
  // Own counts are fresh and others are late: against the latest window alone, each isolate would think its share larger than it is.
  const total = Math.max(totalOf(previous), totalOf(beforePrevious));
  const fair = Math.ceil(budget * Math.max(1 / isolates, total === 0 ? 0 : (KEPT_SHARE * previous.own) / total));
  if (budget < limit || isPressed(state)) return fair;
  return Math.max(fair, budget - Math.max(previous.othersTotal, current.othersTotal));
}

/** Never more than the limit in any span of a window's length: exact, because each own admission is kept with its time. */
function ownRule({ limit, windowMs, log }: RateState): Rule {
  return { room: limit - log.size, freeAt: log.size < limit ? 0 : admissionAt(log, log.size - limit) + windowMs };
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

/** The rules that apply. An isolate that has seen no other is alone, and only its own log counts. */
function rulesOf(state: RateState, now: number): Rule[] {
  const own = ownRule(state);
  if (state.isolates === 1) return [own];
  const { limit, olderDebt, beforePrevious, previous, current } = state;
  const budget = limit - debtAfter(debtAfter(olderDebt, beforePrevious, limit), previous, limit);
  const share = slidingRule(state, now, capOf(state, budget), current.own, previous.own);
  return [own, share, slidingRule(state, now, budget, totalOf(current), totalOf(previous))];
}

function refusal(until: number, now: number): RateDecision {
  return { allowed: false, until, retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)) };
}

/**
 * Decides on one request without counting it. The state has to be rolled to `now`, in milliseconds.
 *
 * Alone, an isolate admits exactly the limit: at most so many in any span of a window's length, and all of them to a client that
 * sends no more. Where other isolates admit too, their counts come late and by windows of the clock, so three rules must agree:
 *
 * - own: the exact one above;
 * - share: own admissions, estimated as current + (1 - f) * previous, f being the part of the window that has passed, stay below a
 *   cap, which is the budget divided by isolates seen or by what each admitted before. While no debt is owed and few requests are
 *   refused, what the others leave is free too, because an even load is never quite even;
 * - budget: the same estimate for the known counts of all stays below the budget.
 *
 * The budget is the limit less the debt: what past windows admitted above the limit and have not made up for, at most half the
 * limit. In the estimates the previous window counts for no more than is allowed now, so that one that went far over does not close
 * the next one; the debt is there for that.
 */
export function decide(state: RateState, now: number): RateDecision {
  if (now < state.denyUntil) return refusal(state.denyUntil, now);
  const rules = rulesOf(state, now);
  const broken = rules.filter(({ room }) => room <= 0);
  if (broken.length > 0) return refusal(Math.max(now + 1, ...broken.map(({ freeAt }) => Math.ceil(freeAt))), now);
  const oldest = state.log.size === 0 ? now : admissionAt(state.log, 0);
  return {
    allowed: true,
    remaining: Math.max(0, Math.ceil(Math.min(...rules.map(({ room }) => room))) - 1),
    resetSeconds: Math.max(1, Math.ceil((oldest + state.windowMs - now) / 1000)),
  };
}

/** Decides on a request at a time of the clock, in milliseconds, and counts it. */
export function take(state: RateState, clock: number): RateDecision {
  const now = roll(state, clock);
  const decision = decide(state, now);
  if (decision.allowed) recordAdmission(state, now);
  else recordRefusal(state, decision.until);
  return decision;
}

import { appendAdmission, createAdmissionLog, forgetAdmissions, forgetNewest, timeOfWeight } from "./admission-log.ts";
import type { AdmissionLog } from "./admission-log.ts";
import { mergeCounts } from "./shards.ts";
import type { IsolateCounts } from "./shards.ts";

/** This many per window of this many seconds. */
export interface RatePolicy {
  /** Letters, digits, and `-`: clients see it in a header. */
  readonly name: string;
  /** What a window admits: an integer, at least 1. Each admission costs 12 bytes of memory for the window's length. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** The counts of one clock window: windows start at multiples of their length since the Unix epoch. */
export interface WindowCounts {
  /** Weight admitted here. */
  own: number;
  /** Weight rejected here. */
  rejected: number;
  /** Weight that other isolates reported. */
  others: IsolateCounts;
  othersTotal: number;
}

/** An isolate's view of a subject. Times are in milliseconds since the Unix epoch. */
export interface RateState {
  limit: number;
  readonly windowMs: number;
  /** The number of the current window: floor(time / windowMs). */
  index: number;
  current: WindowCounts;
  previous: WindowCounts;
  beforePrevious: WindowCounts;
  /** What windows before these three admitted above the limit and later ones have not made up for. */
  olderDebt: number;
  /** Weight of the heaviest call admitted here in the most recent window with any, possibly the current one. */
  heaviest: number;
  /** What heavy calls admitted here exceeded this isolate's share by and later windows have not made up for. */
  owed: number;
  /**
   * The share that pays it back: the last known one, since an isolate that owes admits nothing and learns nothing of
   * others.
   */
  share: number;
  /** What fraction of its first debt this isolate owes, in [0, 1), and whether it has owed any. */
  readonly phase: number;
  isSpread: boolean;
  /** Isolates that admitted anything in the three windows, this one included. */
  isolates: number;
  /** Until then, reject. */
  denyUntil: number;
  lastSeen: number;
  /** This isolate's admissions in the last window length, each with its time. */
  readonly log: AdmissionLog;
}

/** What an isolate keeps of the part of the limit it used recently. The rest is for those that grow. */
const KEPT_SHARE = 0.9;
/** From this ratio of rejected to admitted, the client wants much more than it may have. */
const PRESSED_RATIO = 0.5;
/** Windows of silence after which nothing is left: three of counts, and one that pays the maximum debt of all. */
const FORGOTTEN_AFTER = 4;

function emptyWindow(): WindowCounts {
  return { own: 0, rejected: 0, others: new Map(), othersTotal: 0 };
}

/**
 * The state of an unseen subject.
 * @param now milliseconds
 * @param phase in [0, 1), different for each isolate
 */
export function createRateState({ limit, windowSeconds }: Omit<RatePolicy, "name">, now: number, phase = 0): RateState {
  const windowMs = windowSeconds * 1000;
  return {
    limit,
    windowMs,
    index: Math.floor(now / windowMs),
    current: emptyWindow(),
    previous: emptyWindow(),
    beforePrevious: emptyWindow(),
    olderDebt: 0,
    heaviest: 1,
    owed: 0,
    share: limit,
    phase,
    isSpread: false,
    isolates: 1,
    denyUntil: 0,
    lastSeen: now,
    log: createAdmissionLog(),
  };
}

/** What all isolates are known to have admitted in a window. */
export function totalOf({ own, othersTotal }: WindowCounts): number {
  return own + othersTotal;
}

/**
 * Debt after a window: what it admitted above the limit is added, what it left unused is paid back. Never more than
 * half the limit.
 */
export function debtAfter(debt: number, counts: WindowCounts, limit: number): number {
  return Math.min(Math.max(debt + totalOf(counts) - limit, 0), limit / 2);
}

/** What all isolates together may admit in the current window: the limit minus the debt of past ones. */
export function budgetOf({ limit, olderDebt, beforePrevious, previous }: RateState): number {
  return limit - debtAfter(debtAfter(olderDebt, beforePrevious, limit), previous, limit);
}

/** Whether the client would use whatever isolates offer beyond their shares. */
function isPressed({ current, previous }: RateState): boolean {
  return current.rejected + previous.rejected > PRESSED_RATIO * (current.own + previous.own);
}

/** This isolate's part of a budget: an even one, or what it used recently. */
function shareOf({ previous, beforePrevious, isolates, heaviest }: RateState, budget: number): number {
  // Own counts are fresh and others are late: judging by the latest window alone, each isolate would overestimate its
  // share.
  const total = Math.max(totalOf(previous), totalOf(beforePrevious));
  // One heavy call says nothing about the share of traffic here.
  const kept = total === 0 ? 0 : (KEPT_SHARE * Math.max(previous.own - heaviest + 1, 0)) / total;
  return Math.ceil(budget * Math.max(1 / isolates, kept));
}

/**
 * What this isolate may admit of a budget: its share minus what it owes, or what the others leave while no one runs
 * short.
 */
export function capOf(state: RateState, budget: number): number {
  const { limit, current, previous, owed } = state;
  const fair = shareOf(state, budget);
  if (owed > 0) return Math.min(fair, state.share) - owed;
  if (budget < limit || isPressed(state)) return fair;
  return Math.max(fair, budget - Math.max(previous.othersTotal, current.othersTotal));
}

/** A window's counts by number, if kept. */
export function windowAt(state: RateState, index: number): WindowCounts | undefined {
  return [state.current, state.previous, state.beforePrevious][state.index - index];
}

function countIsolates(state: RateState): number {
  const seen = new Set<string>();
  for (const { others } of [state.current, state.previous, state.beforePrevious]) {
    for (const isolate of others.keys()) seen.add(isolate);
  }
  return seen.size + 1;
}

/**
 * Settles what this isolate owes for heavy calls when the current window ends: their excess over the share is added,
 * what the window left unused is paid back. Isolates learn of each other at the same time; if first debts were not
 * randomized, all of them would be free again at the same time.
 */
function settleOwed(state: RateState): void {
  const { isolates, current, owed, phase, isSpread, heaviest } = state;
  if (isolates === 1 && owed === 0) return;
  const budget = budgetOf(state);
  if (owed === 0 && current.own <= capOf(state, budget)) return;
  const share = shareOf(state, budget);
  state.share = current.own === 0 ? Math.min(share, state.share) : share;
  state.owed = Math.min(Math.max(owed + current.own - state.share, 0), Math.max(owed, heaviest - 1));
  if (state.owed === 0 || isSpread) return;
  state.owed *= phase;
  state.isSpread = true;
}

function beginWindow(state: RateState): void {
  settleOwed(state);
  state.olderDebt = debtAfter(state.olderDebt, state.beforePrevious, state.limit);
  state.beforePrevious = state.previous;
  state.previous = state.current;
  state.current = emptyWindow();
  state.isolates = countIsolates(state);
}

/**
 * Rolls the state to a time and returns the effective time. A clock set back by less than two windows is frozen until
 * it has caught up; set back further, it is trusted and counts are dropped.
 */
export function roll(state: RateState, now: number): number {
  const silent = Math.floor(now / state.windowMs) - state.index;
  if (now <= state.lastSeen - 2 * state.windowMs || silent >= FORGOTTEN_AFTER) {
    const { limit, windowMs, phase } = state;
    Object.assign(state, createRateState({ limit, windowSeconds: windowMs / 1000 }, now, phase));
  }
  const time = Math.max(now, state.lastSeen);
  state.lastSeen = time;
  const index = Math.floor(time / state.windowMs);
  while (state.index < index) {
    beginWindow(state);
    state.index += 1;
  }
  forgetAdmissions(state.log, time - state.windowMs);
  return time;
}

/**
 * Counts an admission at a time that `roll` returned. The excess over the room counts from when that room becomes
 * available, so in the long run no more than the limit is admitted.
 */
export function recordAdmission(state: RateState, time: number, weight: number): void {
  const { current, log, limit, windowMs } = state;
  state.heaviest = current.own === 0 ? weight : Math.max(state.heaviest, weight);
  current.own += weight;
  const inTime = Math.min(weight, Math.max(limit - log.total, 0));
  const exceeding = weight - inTime;
  if (inTime > 0) appendAdmission(log, time, inTime);
  if (exceeding > 0) appendAdmission(log, timeOfWeight(log, exceeding) + windowMs, exceeding);
}

/**
 * Takes back the last admission, of weight one. Others may have learned of it: they count one too many for its window.
 */
export function takeBack({ current, log }: RateState): void {
  if (current.own === 0) return;
  current.own -= 1;
  forgetNewest(log);
}

/** Counts a rejection and remembers how long it lasts. A call of unknown weight weighs as much as recent ones. */
export function recordRejection(state: RateState, until: number, weight: number | null): void {
  state.current.rejected += weight ?? state.heaviest;
  state.denyUntil = until;
}

/** Merges what other isolates reported for a window. Keeps the higher count of each, so nothing is counted twice. */
export function mergeOthers(state: RateState, index: number, counts: IsolateCounts): void {
  const kept = windowAt(state, index);
  if (kept === undefined || counts.size === 0) return;
  kept.others = mergeCounts(kept.others, counts);
  kept.othersTotal = 0;
  for (const count of kept.others.values()) kept.othersTotal += count;
  state.isolates = countIsolates(state);
}

/** Applies a changed limit, for example from a new plan. Earlier admissions still count. */
export function changeLimit(state: RateState, limit: number): void {
  state.limit = limit;
  state.denyUntil = 0;
}

import { appendAdmission, createAdmissionLog, forgetAdmissions } from "./admission-log.ts";
import type { AdmissionLog } from "./admission-log.ts";
import { mergeCounts } from "./shards.ts";
import type { IsolateCounts } from "./shards.ts";

/** So many requests in every window of so many seconds. */
export interface RatePolicy {
  /** Of letters, digits and `-`: it stands in a header and in KV keys. */
  readonly name: string;
  /** Requests a window: a whole number from 1. Each costs 8 bytes of memory while its window lasts. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** What is known of one window of the clock: windows begin at whole multiples of their length since the Unix epoch. */
export interface WindowCounts {
  /** Requests admitted here. */
  own: number;
  /** Requests refused here. */
  refused: number;
  /** Requests that other isolates said they admitted. */
  others: IsolateCounts;
  othersTotal: number;
}

/** What an isolate knows of a subject. Times are in milliseconds since the Unix epoch. */
export interface RateState {
  limit: number;
  readonly windowMs: number;
  /** The number of the current window: floor(time / windowMs). */
  index: number;
  current: WindowCounts;
  previous: WindowCounts;
  beforePrevious: WindowCounts;
  /** What windows before these three admitted above the limit and later ones have not made up for, in requests. */
  olderDebt: number;
  /** Isolates that admitted anything in the three windows, this one included. */
  isolates: number;
  /** Until then the answer is no. */
  denyUntil: number;
  lastSeen: number;
  /** The isolate's own admissions of the last window's length, each with its time. */
  readonly log: AdmissionLog;
}

function emptyWindow(): WindowCounts {
  return { own: 0, refused: 0, others: new Map(), othersTotal: 0 };
}

/** The state of a subject that has not been seen. `now` in milliseconds. */
export function createRateState({ limit, windowSeconds }: RatePolicy, now: number): RateState {
  const windowMs = windowSeconds * 1000;
  return {
    limit,
    windowMs,
    index: Math.floor(now / windowMs),
    current: emptyWindow(),
    previous: emptyWindow(),
    beforePrevious: emptyWindow(),
    olderDebt: 0,
    isolates: 1,
    denyUntil: 0,
    lastSeen: now,
    log: createAdmissionLog(),
  };
}

/** Requests that all isolates are known to have admitted in a window. */
export function totalOf({ own, othersTotal }: WindowCounts): number {
  return own + othersTotal;
}

/** Debt after a window: what it admitted above the limit is owed, what it left is paid back. Never more than half the limit. */
export function debtAfter(debt: number, counts: WindowCounts, limit: number): number {
  return Math.min(Math.max(debt + totalOf(counts) - limit, 0), limit / 2);
}

/** The counts of a window by its number, if they are kept. */
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
 * Brings the state up to a time and returns the time that counts. A clock set back by less than two windows stands still until it
 * has caught up; set back further it is believed, and what was counted is forgotten.
 */
export function roll(state: RateState, now: number): number {
  if (now <= state.lastSeen - 2 * state.windowMs) {
    Object.assign(state, createRateState({ ...state, name: "", windowSeconds: state.windowMs / 1000 }, now));
  }
  const time = Math.max(now, state.lastSeen);
  state.lastSeen = time;
  const index = Math.floor(time / state.windowMs);
  if (index > state.index) {
    // After four windows of silence nothing is left: three of counts, and one that pays the most that can be owed.
    for (let step = Math.min(index - state.index, 4); step > 0; step--) {
      state.olderDebt = debtAfter(state.olderDebt, state.beforePrevious, state.limit);
      state.beforePrevious = state.previous;
      state.previous = state.current;
      state.current = emptyWindow();
    }
    state.index = index;
    state.isolates = countIsolates(state);
  }
  forgetAdmissions(state.log, time - state.windowMs);
  return time;
}

/** Counts an admission at a time that `roll` returned. */
export function recordAdmission(state: RateState, time: number): void {
  state.current.own += 1;
  appendAdmission(state.log, time);
}

/** Counts a refusal and remembers how long it holds. */
export function recordRefusal(state: RateState, until: number): void {
  state.current.refused += 1;
  state.denyUntil = until;
}

/** Takes in what other isolates said they admitted in a window. The higher count of each stands, so nothing is counted twice. */
export function mergeOthers(state: RateState, index: number, counts: IsolateCounts): void {
  const kept = windowAt(state, index);
  if (kept === undefined || counts.size === 0) return;
  kept.others = mergeCounts(kept.others, counts);
  kept.othersTotal = 0;
  for (const count of kept.others.values()) kept.othersTotal += count;
  state.isolates = countIsolates(state);
}

/** Applies a limit that has changed, by a new plan say. What was admitted still counts. */
export function changeLimit(state: RateState, limit: number): void {
  state.limit = limit;
  state.denyUntil = 0;
}

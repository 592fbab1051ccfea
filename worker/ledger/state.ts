import { capMeter, quotaMeter } from "./part.ts";
import type { Count, Sample, Use } from "./part.ts";

/** The latest subscription's quota, and the percentage that its owner was last emailed about. */
interface Quota {
  readonly startedAt: number;
  readonly most: number;
  notified: number;
}

/** Which notice is due, in percent of a quota: 100, 80, or 0 for none. The higher one covers both. */
export function dueQuotaNotice(used: number, limit: number): 0 | 80 | 100 {
  if (used >= limit) return 100;
  // In integers: 0.8 has no exact binary form.
  return 100 * used >= 80 * limit ? 80 : 0;
}

/** The purpose of the email that sends a notice, by its percentage: the ledger queues it, and `Email` writes it. */
export function quotaPurpose(percent: 80 | 100) {
  return `quota_${percent}` as const;
}

/** Calls not yet moved to the table, and how often others were. */
interface Ring {
  recent: Sample[];
  chunks: number;
}

/**
 * What a ledger writes with every change, in one row. What grows is moved elsewhere: counts into `daily`, sequence
 * numbers into `seen`, ids of calls into `calls`.
 */
export interface State {
  user: string;
  /** The UTC day of the last roll. */
  day: string;
  /** By kind: day, start of the subscription, key, mode, and country. */
  counts: Record<string, Count>;
  /** Usage of each limit. */
  meters: Record<string, number>;
  /** Sequence numbers by isolate, as ascending ranges: [1, 7, 9, 9] is 1 to 7 and 9. */
  seen: Record<string, number[]>;
  /** Ids of calls, each prefixed with a dot, by the hour in which they expire. */
  calls: Record<string, string>;
  /** The last hour for which the table has ids. */
  spilledUntil: number;
  /** When each key was last used, in milliseconds since the Unix epoch. */
  lastUsed: Record<string, number>;
  /** Recent calls of each kind. */
  activity: Record<"rejected" | "succeeded", Ring>;
  /** How many calls exceeded a rate limit, by minute since the Unix epoch. */
  limited: Record<number, number>;
  quota: Quota | null;
  /** Whether D1 knows that there is a ledger to read. */
  announced: boolean;
  /** Months with totals that D1 doesn't have yet, … */
  unreported: string[];
  /** … and those being written: the object may be killed before they are. */
  reporting: string[];
  /** When the alarm is due; 0 for none. */
  alarm: number;
  /** When the account was deleted; 0 if it was not. */
  erased: number;
}

export function emptyState(): State {
  return {
    user: "",
    day: "",
    counts: {},
    meters: {},
    seen: {},
    calls: {},
    spilledUntil: 0,
    lastUsed: {},
    activity: { rejected: { recent: [], chunks: 0 }, succeeded: { recent: [], chunks: 0 } },
    limited: {},
    quota: null,
    announced: false,
    unreported: [],
    reporting: [],
    alarm: 0,
    erased: 0,
  };
}

/** Adds a number to ascending ranges. */
export function addToRanges(ranges: number[], added: number): void {
  let at = ranges.length;
  // New numbers are nearly always the highest.
  while (at > 0 && ranges[at - 2]! > added) at -= 2;
  if (at > 0 && ranges[at - 1]! >= added) return;
  const joinsBefore = at > 0 && ranges[at - 1] === added - 1;
  const joinsAfter = ranges[at] === added + 1;
  if (joinsBefore && joinsAfter) ranges.splice(at - 1, 2);
  else if (joinsBefore) ranges[at - 1] = added;
  else if (joinsAfter) ranges[at] = added;
  else ranges.splice(at, 0, added, added);
}

/** Whether ascending ranges contain a number. */
export function inRanges(ranges: readonly number[], wanted: number): boolean {
  for (let at = ranges.length - 2; at >= 0; at -= 2) if (ranges[at]! <= wanted) return wanted <= ranges[at + 1]!;
  return false;
}

/** Adds numbers to the counts, the quota of their subscription, the cap of their chain if it is used, and the last use. */
export function addCounts(state: State, counts: readonly Count[], at: number): void {
  for (const count of counts) {
    const { startedAt, key, root, mode, day, country, successful, failed } = count;
    const kind = `${day} ${startedAt} ${key} ${mode} ${country}`;
    const sum = (state.counts[kind] ??= { ...count, successful: 0, failed: 0 });
    sum.successful += successful;
    sum.failed += failed;
    state.lastUsed[key] = Math.max(state.lastUsed[key] ?? 0, at);
    if (mode !== "live") continue;
    if (startedAt > 0) addToMeter(state, quotaMeter(startedAt), successful);
    const cap = capMeter(root, day.slice(0, 7));
    if (state.meters[cap] !== undefined) addToMeter(state, cap, successful);
  }
}

/** Adds what numbers use of limits. Quotas and caps grow with the counts instead. */
export function addUses(state: State, uses: readonly Use[]): void {
  for (const { meter, amount, most } of uses) {
    const [kind, startedAt] = meter.split(" ");
    if (kind === "test") addToMeter(state, meter, amount);
    if (kind === "quota" && (state.quota?.startedAt ?? -1) < Number(startedAt)) {
      state.quota = { startedAt: Number(startedAt), most, notified: 0 };
    }
  }
}

function addToMeter(state: State, meter: string, amount: number): void {
  state.meters[meter] = (state.meters[meter] ?? 0) + amount;
}

import { formatCount, shortDay } from "../../contract/format.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { UsageReport, UsageSummary } from "../../contract/reports.ts";
import type { Subscription } from "../../contract/subscriptions.ts";
import { DAY_MS } from "./format.ts";

const SIGNED = { signDisplay: "exceptZero", minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

/** "+20.1% MoM": the last 30 days compared with the 30 before. */
export function formatMonthOverMonth(percent: number): string {
  return `${percent.toLocaleString("en-US", SIGNED)}% MoM`;
}

/** "+20.1%": a count compared with an earlier one; null without one. */
export function formatChange(count: number, earlier: number): string | null {
  return earlier === 0 ? null : `${((100 * (count - earlier)) / earlier).toLocaleString("en-US", SIGNED)}%`;
}

interface Rated {
  readonly total: number;
  readonly successful: number;
}

/** The share of successes in tenths of a percent: exactly 1000 only for all, exactly 0 only for none. */
function successTenths(successful: number, total: number): number {
  if (successful === 0 || successful === total) return successful === 0 ? 0 : 1000;
  return Math.min(999, Math.max(1, Math.round((1000 * successful) / total)));
}

function inPercent(tenths: number): string {
  return `${(tenths / 10).toFixed(1)}%`;
}

/** The share of successes as a percentage with one decimal; a dash if nothing was verified. */
export function formatRate({ total, successful }: Rated): string {
  return total === 0 ? "–" : inPercent(successTenths(successful, total));
}

/** "-1.2 pts": a rate of successes compared with an earlier one; null without one. */
export function formatRateChange(now: Rated, earlier: Rated): string | null {
  if (now.total === 0 || earlier.total === 0) return null;
  const tenths = successTenths(now.successful, now.total) - successTenths(earlier.successful, earlier.total);
  return `${(tenths / 10).toLocaleString("en-US", SIGNED)} pts`;
}

/** Success and failure as percentages with one decimal that add up to 100; null before anything was verified. */
export function ratesOf(
  summary: Pick<UsageSummary, "total_verifications" | "successful_verifications">,
): { readonly success: string; readonly failure: string } | null {
  const { total_verifications: total, successful_verifications: successful } = summary;
  if (total === 0) return null;
  const tenths = successTenths(successful, total);
  return { success: inPercent(tenths), failure: inPercent(1000 - tenths) };
}

type Counted = Pick<UsageReport["days"][number], "total" | "successful">;

/** The sum of all rows. */
export function sumOf(rows: readonly Counted[]): Counted {
  return rows.reduce((sum, row) => ({ total: sum.total + row.total, successful: sum.successful + row.successful }), {
    total: 0,
    successful: 0,
  });
}

/** The first and the last day of a report in words: "Oct 4 to Nov 2, 2026". */
export function formatSpan(days: UsageReport["days"]): string {
  const first = days[0]?.date;
  const last = days.at(-1)?.date;
  if (first === undefined || last === undefined) return "";
  const year = (date: string) => date.slice(0, 4);
  const from = year(first) === year(last) ? shortDay(first) : `${shortDay(first)}, ${year(first)}`;
  return `${from} to ${shortDay(last)}, ${year(last)}`;
}

/** The days with a tick, counted back from the last: all of seven, else as many as fit. */
export function ticksOf(days: UsageReport["days"], width: number): string[] {
  const room = Math.max(2, Math.floor(width / 72));
  const steps = [1, 2, 5, 7, 10, 15, 30, 45];
  const step = steps.find((every) => days.length / every <= room) ?? days.length;
  return days.filter((_, at) => (days.length - 1 - at) % step === 0).map((day) => day.date);
}

/** The values on a chart's axis, from 0 to at least the highest: up to six steps of 1, 2, or 5 times a power of ten. */
export function axisTicks(highest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, highest / 5)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => highest <= 6 * size) ?? 10 * power;
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, at) => at * step);
}

/** The name of a downloaded report, with its days: `checkline-usage-live-2026-10-04-to-2026-11-02.csv`. */
export function usageFileName(csv: string, mode: KeyMode | undefined, by?: "key"): string {
  const dates = [...csv.matchAll(/^(\d{4}-\d{2}-\d{2}),/gm)].map(([, date]) => date);
  const parts = ["checkline-usage", ...(by === undefined ? [] : ["by-key"]), ...(mode === undefined ? [] : [mode])];
  if (dates.length > 0) parts.push(`${dates[0]}-to-${dates.at(-1)}`);
  return `${parts.join("-")}.csv`;
}

/** Clocks differ, and a trial of 14 days that just began doesn't have 15. */
const CLOCK_SKEW_MS = 60_000;

/** "3 days left" */
export function daysLeft(end: string, now: number): string {
  return `${formatCount(Math.max(0, Math.ceil((Date.parse(end) - CLOCK_SKEW_MS - now) / DAY_MS)), "day")} left`;
}

/** The shares of the quota at which the meter warns, and then turns red. */
const LOW = 0.2;
const CRITICAL = 0.05;

export type Level = "free" | "fine" | "low" | "critical" | "empty";

/** How much is left of a quota; "free" without a limit. */
export function levelOf({ limit, remaining }: Subscription["quota"]): Level {
  if (limit === null || remaining === null) return "free";
  if (remaining === 0) return "empty";
  if (remaining <= CRITICAL * limit) return "critical";
  return remaining <= LOW * limit ? "low" : "fine";
}

/**
 * When a quota runs out if it is used as fast as since `start`, in milliseconds since the Unix epoch. Null if nothing was
 * used, and on the first day, which says little about the others.
 */
export function runsOutAt({ used, remaining }: Subscription["quota"], start: number, now: number): number | null {
  if (used === 0 || remaining === null || now - start < DAY_MS) return null;
  return now + (remaining / used) * (now - start);
}

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

/** A change in words, since neither a sign nor a color says whether it's good. */
function directed(change: number, unit: string): string {
  const size = Math.abs(change).toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return size === "0.0" ? "No change" : `${change > 0 ? "Up" : "Down"} ${size}${unit}`;
}

/** "Up 20.1%": a count compared with an earlier one; null without one. */
export function formatChange(count: number, earlier: number): string | null {
  return earlier === 0 ? null : directed((100 * (count - earlier)) / earlier, "%");
}

interface Rated {
  readonly total: number;
  readonly successful: number;
}

/** "Up 50.0%, worse": how many failed, compared with before. More of more calls are no worse, nor fewer of fewer better. */
export function formatFailureChange(now: Rated, earlier: Rated): string | null {
  const change = formatChange(now.total - now.successful, earlier.total - earlier.successful);
  const rate = rateChange(now, earlier);
  if (change?.startsWith("Up") && rate < 0) return `${change}, worse`;
  return change?.startsWith("Down") && rate > 0 ? `${change}, better` : change;
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

/** In tenths of a percent. */
function rateChange(now: Rated, earlier: Rated): number {
  return successTenths(now.successful, now.total) - successTenths(earlier.successful, earlier.total);
}

/** "Down 1.2 pts, worse": a rate of successes compared with an earlier one; null without one. */
export function formatRateChange(now: Rated, earlier: Rated): string | null {
  if (now.total === 0 || earlier.total === 0) return null;
  const change = rateChange(now, earlier);
  return `${directed(change / 10, " pts")}${change === 0 ? "" : change > 0 ? ", better" : ", worse"}`;
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
 * When a subscription's quota runs out if it is used as fast as so far, in milliseconds since the Unix epoch; Infinity if it
 * lasts to the end. Null if nothing was used, and on the first day, which says little about the others.
 */
export function runsOutAt({ quota, started_at, expires_at }: Subscription, now: number): number | null {
  const { used, remaining } = quota;
  if (used === 0 || remaining === null || started_at === null) return null;
  const elapsed = now - Date.parse(started_at);
  if (elapsed < DAY_MS) return null;
  const at = now + (remaining / used) * elapsed;
  return expires_at !== null && at >= Date.parse(expires_at) ? Infinity : at;
}

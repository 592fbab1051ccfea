import type { Component } from "../../../contract/checks.ts";
import type { ComponentStatus } from "../../../contract/status.ts";
import { formatCount, formatUtcTime } from "../../../contract/format.ts";

interface Words {
  readonly name: string;
  /** What it is, or what depends on it. */
  readonly about: string;
  /** What its latency measures. */
  readonly timed: string;
}

export const PARTS: Readonly<Record<Component, Words>> = {
  verification: { name: "Verification", about: "Test calls through the whole API", timed: "Median" },
  database: { name: "Database", about: "Accounts, keys, and usage", timed: "Read in" },
  key_store: { name: "Key store", about: "API keys, cached near your servers", timed: "Read in" },
};

export type Day = NonNullable<ComponentStatus["days"]>[number];

/** A time in UTC: "Nov 2, 14:05 UTC". */
export function timeName(iso: string): string {
  return formatUtcTime(iso).replace(/, \d{4}/, "");
}

/** Whether a part was never checked; false if its history can't be read. */
export function isUnchecked({ measured_at: at, days }: ComponentStatus): boolean {
  return at === null && days !== null && totalOf(days) === null;
}

/** A share in percent, truncated rather than rounded: one failure in a thousand does not look like none. */
export function share({ checks, successful }: Pick<Day, "checks" | "successful">): string {
  return `${Math.floor((successful * 10_000) / checks) / 100}%`;
}

/** One day's checks in words. */
export function dayText({ checks, successful }: Day): string {
  if (checks === 0) return "not measured";
  return successful === checks
    ? `${formatCount(checks)} of ${formatCount(checks)} checks passed`
    : `${formatCount(checks - successful)} of ${formatCount(checks)} checks failed`;
}

/** All days' checks in total, and the first day with any; null if none was measured. */
export function totalOf(days: readonly Day[]): { since: string; checks: number; successful: number } | null {
  const measured = days.filter(({ checks }) => checks > 0);
  const [since] = measured.map(({ date }) => date).toSorted();
  if (since === undefined) return null;
  const sum = (key: "checks" | "successful") => measured.reduce((total, day) => total + day[key], 0);
  return { since, checks: sum("checks"), successful: sum("successful") };
}

const WEEK = 7;

/** How many of the last days to show: since the first check of any part, and a week at least. */
export function daysShown(components: readonly Pick<ComponentStatus, "days">[]): number {
  const ages = components.flatMap(({ days }) => {
    const first = days?.findIndex(({ checks }) => checks > 0) ?? -1;
    return first === -1 ? [] : [days!.length - first];
  });
  return Math.max(WEEK, ...ages);
}

import type { Component } from "../../../contract/checks.ts";
import type { ComponentStatus } from "../../../contract/status.ts";
import { formatCount, formatUtcTime } from "../../../contract/format.ts";

/** Each part's name, and what depends on it. */
export const PARTS: Readonly<Record<Component, { readonly name: string; readonly about: string }>> = {
  verification: { name: "Verification", about: "Test calls to the API, with a lookup of a key each" },
  database: { name: "Database", about: "Accounts, keys, usage" },
  key_store: { name: "Key store", about: "Keys cached near callers" },
  queue: { name: "Queue", about: "Usage counts and emails on their way" },
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

/** All days' checks in total; null if none was measured. */
export function totalOf(days: readonly Day[]): { measured: number; checks: number; successful: number } | null {
  const measured = days.filter(({ checks }) => checks > 0);
  if (measured.length === 0) return null;
  const sum = (key: "checks" | "successful") => measured.reduce((total, day) => total + day[key], 0);
  return { measured: measured.length, checks: sum("checks"), successful: sum("successful") };
}

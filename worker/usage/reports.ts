import { and, eq, gte, lte, sql } from "drizzle-orm";
import type { KeyMode } from "../../contract/limits.ts";
import type { UsageReport, UsageSummary } from "../../contract/reports.ts";

import { usageDaily } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { lastDays } from "../platform/time.ts";
import { UNKNOWN_COUNTRY } from "./event.ts";

const TOP_COUNTRIES = 5;
const MONTH_DAYS = 30;

const total = sql<number>`coalesce(sum(${usageDaily.count}), 0)`;
const successful = sql<number>`coalesce(sum(${usageDaily.count}) filter (where ${usageDaily.outcome} = 'success'), 0)`;

function totalBetween(first: string, last: string) {
  return sql<number>`coalesce(sum(${usageDaily.count}) filter (where ${usageDaily.day} between ${first} and ${last}), 0)`;
}

function ofAccount(userId: string, mode: KeyMode | undefined) {
  return and(eq(usageDaily.userId, userId), mode === undefined ? undefined : eq(usageDaily.mode, mode));
}

/** Most used first; countries that tie stand in the order of their codes. */
function byUse(a: UsageReport["countries"][number], b: UsageReport["countries"][number]): number {
  return b.total - a.total || (a.country_code < b.country_code ? -1 : 1);
}

/** By how many per cent `current` is more than `previous`, with one decimal; null without anything before. */
export function monthOverMonth(current: number, previous: number): number | null {
  if (previous === 0) return null;
  // Adding 0 turns the -0 of a decrease that rounds to nothing into 0.
  return Math.round((1_000 * (current - previous)) / previous) / 10 + 0;
}

/**
 * Everything that an account has verified, with the five countries it verified most (unknown ones left out) and the last 30 days,
 * today included, against the 30 before. Days are UTC.
 * @param query.mode without it, test and live together
 * @param query.now milliseconds since the Unix epoch
 */
export async function usageSummary(
  db: Database,
  query: { readonly userId: string; readonly mode?: KeyMode | undefined; readonly now: number },
): Promise<UsageSummary> {
  const days = lastDays(query.now, 2 * MONTH_DAYS);
  const countries = await db
    .select({
      country_code: usageDaily.countryCode,
      total,
      successful,
      previous: totalBetween(days[0]!, days[MONTH_DAYS - 1]!),
      current: totalBetween(days[MONTH_DAYS]!, days.at(-1)!),
    })
    .from(usageDaily)
    .where(ofAccount(query.userId, query.mode))
    .groupBy(usageDaily.countryCode);
  function sumOf(field: "total" | "successful" | "previous" | "current"): number {
    return countries.reduce((sum, country) => sum + country[field], 0);
  }
  return {
    total_verifications: sumOf("total"),
    successful_verifications: sumOf("successful"),
    top_countries: countries
      .filter((country) => country.country_code !== UNKNOWN_COUNTRY)
      .toSorted(byUse)
      .slice(0, TOP_COUNTRIES)
      .map((country) => ({ country_code: country.country_code, count: country.total })),
    month_over_month: monthOverMonth(sumOf("current"), sumOf("previous")),
  };
}

/**
 * An account's usage a day, ascending, days without any included, and a country, most used first, `ZZ` (unknown) included so that
 * both add up alike. The last day is that of `now`; days are UTC.
 * @param query.days how many days, from 1
 */
export async function usageByDay(
  db: Database,
  query: { readonly userId: string; readonly mode?: KeyMode | undefined; readonly days: number; readonly now: number },
): Promise<UsageReport> {
  const dates = lastDays(query.now, query.days);
  const period = and(
    ofAccount(query.userId, query.mode),
    gte(usageDaily.day, dates[0]!),
    lte(usageDaily.day, dates.at(-1)!),
  );
  const [used, countries] = await db.batch([
    db.select({ date: usageDaily.day, total, successful }).from(usageDaily).where(period).groupBy(usageDaily.day),
    db
      .select({ country_code: usageDaily.countryCode, total, successful })
      .from(usageDaily)
      .where(period)
      .groupBy(usageDaily.countryCode),
  ]);
  const byDate = new Map(used.map((day) => [day.date, day]));
  return {
    days: dates.map((date) => byDate.get(date) ?? { date, total: 0, successful: 0 }),
    countries: countries.toSorted(byUse),
  };
}

/** The days of a report as CSV (RFC 4180): a header line, then one line a day, each ended by CRLF. No field needs quotes. */
export function usageCsv(report: Pick<UsageReport, "days">): string {
  const lines = report.days.map((day) => `${day.date},${day.total},${day.successful},${day.total - day.successful}`);
  return ["date,total,successful,failed", ...lines].map((line) => `${line}\r\n`).join("");
}

/** An account's successful live verifications since a UTC day ("YYYY-MM-DD"), that day included: what a quota is charged with. */
export async function liveSuccessesSince(db: Database, userId: string, day: string): Promise<number> {
  const row = await db
    .select({ successful })
    .from(usageDaily)
    .where(and(ofAccount(userId, "live"), gte(usageDaily.day, day)))
    .get();
  return row?.successful ?? 0;
}

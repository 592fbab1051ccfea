import type { KeyMode } from "../../contract/limits.ts";
import type { UsageReport, UsageSummary } from "../../contract/reports.ts";
import type { Database } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";
import { failureText, logLine } from "../platform/log.ts";
import { lastDays } from "../platform/time.ts";
import type { CountryTotal } from "./store.ts";
import { callLedger } from "./namespace.ts";
import type { LedgerNamespace, LedgerStub } from "./namespace.ts";
import { UNKNOWN_COUNTRY } from "./part.ts";

const TOP_COUNTRIES = 5;
const MONTH_DAYS = 30;
/** How long a page waits for the ledger, in milliseconds. */
const READ_MS = 5_000;

/** Where usage is read: null where an operator's command runs, which no ledger can be reached from. */
export interface Reading {
  readonly db: Database;
  readonly ledgers: LedgerNamespace | null;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** An account as far as its ledger goes. */
export interface MeteredAccount {
  readonly id: string;
  /** When its ledger was made; null before the first verification, for which reading must not make it: it lies where it is made. */
  readonly meteredAt: number | null;
}

/**
 * Asks the ledger of an account.
 * @returns null for an account that has none, and where none can be reached
 * @throws ApiError 503 when it does not respond
 */
export async function readLedger<Value>(
  { ledgers }: Pick<Reading, "ledgers">,
  { id, meteredAt }: MeteredAccount,
  read: (ledger: LedgerStub) => Promise<Value>,
): Promise<Value | null> {
  if (ledgers === null || meteredAt === null) return null;
  try {
    return await callLedger(ledgers, { user: id }, read, READ_MS);
  } catch (error) {
    logLine("warn", "ledger_not_read", { message: failureText(error) });
    throw new ApiError("TEMPORARILY_UNAVAILABLE");
  }
}

/** Most used first; countries that tie stand in the order of their codes. */
function byUse(a: UsageReport["countries"][number], b: UsageReport["countries"][number]): number {
  return b.total - a.total || (a.country_code < b.country_code ? -1 : 1);
}

/** By how many per cent `current` is more than `previous`, with one decimal; null without anything before. */
function monthOverMonth(current: number, previous: number): number | null {
  if (previous === 0) return null;
  // Adding 0 turns the -0 of a decrease that rounds to nothing into 0.
  return Math.round((1_000 * (current - previous)) / previous) / 10 + 0;
}

function sumOf(rows: readonly CountryTotal[], field: "total" | "successful"): number {
  return rows.reduce((sum, row) => sum + row[field], 0);
}

function ranked(rows: readonly CountryTotal[]): UsageReport["countries"] {
  return rows.map(({ country, total, successful }) => ({ country_code: country, total, successful })).toSorted(byUse);
}

/**
 * Everything that an account has verified, with the five countries it verified most (unknown ones left out) and the last 30 days,
 * today included, against the 30 before. Days are UTC.
 * @param query.mode without it, test and live together
 * @throws ApiError 503
 */
export async function usageSummary(
  reading: Reading,
  account: MeteredAccount,
  { mode }: { readonly mode?: KeyMode | undefined },
): Promise<UsageSummary> {
  const days = lastDays(reading.now, 2 * MONTH_DAYS);
  const periods = [
    { mode, first: "", last: "~" },
    { mode, first: days[0]!, last: days[MONTH_DAYS - 1]! },
    { mode, first: days[MONTH_DAYS]!, last: days.at(-1)! },
  ];
  const read = await readLedger(reading, account, (ledger) => ledger.countries(periods));
  const [all = [], previous = [], current = []] = read ?? [];
  return {
    total_verifications: sumOf(all, "total"),
    successful_verifications: sumOf(all, "successful"),
    top_countries: ranked(all)
      .filter((country) => country.country_code !== UNKNOWN_COUNTRY)
      .slice(0, TOP_COUNTRIES)
      .map((country) => ({ country_code: country.country_code, count: country.total })),
    month_over_month: monthOverMonth(sumOf(current, "total"), sumOf(previous, "total")),
  };
}

/**
 * An account's usage a day, ascending, days without any included, and a country, most used first, `ZZ` (unknown) included so that
 * both add up alike. The last day is today; days are UTC.
 * @param query.days how many days, from 1
 * @throws ApiError 503
 */
export async function usageByDay(
  reading: Reading,
  account: MeteredAccount,
  { mode, days }: { readonly mode?: KeyMode | undefined; readonly days: number },
): Promise<UsageReport> {
  const dates = lastDays(reading.now, days);
  const period = { mode, first: dates[0]!, last: dates.at(-1)! };
  const used = await readLedger(reading, account, (ledger) => ledger.usage(period));
  const byDate = new Map(used?.days.map((day) => [day.date, day]));
  return {
    days: dates.map((date) => byDate.get(date) ?? { date, total: 0, successful: 0 }),
    countries: ranked(used?.countries ?? []),
  };
}

/** The days of a report as CSV (RFC 4180): a header line, then one line a day, each ended by CRLF. No field needs quotes. */
export function usageCsv(report: Pick<UsageReport, "days">): string {
  const lines = report.days.map((day) => `${day.date},${day.total},${day.successful},${day.total - day.successful}`);
  return ["date,total,successful,failed", ...lines].map((line) => `${line}\r\n`).join("");
}

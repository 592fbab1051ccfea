import { eq } from "drizzle-orm";
import { csvLine, guardCell } from "../../contract/csv.ts";
import { DASHBOARD_KEY_ID } from "../../contract/keys.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { ActivityCall, ActivityPage, ActivityQuery } from "../../contract/activity.ts";
import type { UsageOfKey, UsageReport, UsageSummary } from "../../contract/reports.ts";
import { apiKeys } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";
import { failureText, logLine } from "../platform/log.ts";
import { DAY_MS, MINUTE_MS, lastDays } from "../platform/time.ts";
import type { Digest, SamplePage } from "./activity.ts";
import type { KeyTotal } from "./usage.ts";
import { callLedger } from "./namespace.ts";
import type { LedgerNamespace, LedgerStub } from "./namespace.ts";
import { UNKNOWN_COUNTRY } from "./part.ts";
import type { Sample } from "./part.ts";

const NO_DIGEST: Digest = { sampled: 0, p95_ms: null, top_error: null, latest: [] };
const TOP_COUNTRIES = 5;
const MONTH_DAYS = 30;
/** How many days a summary has. */
const SUMMARY_DAYS = 14;
/** How long a page waits for the ledger, in milliseconds. */
const READ_MS = 5_000;

/** Where to read usage: null for an operator's command, which can't reach a ledger. */
export interface UsageSource {
  readonly db: Database;
  readonly ledgers: LedgerNamespace | null;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The part of an account that ledger reads need. */
export interface MeteredAccount {
  readonly id: string;
  /**
   * When its ledger was created; null before the first verification. Reading must not create the ledger, since its
   * location is fixed at creation.
   */
  readonly meteredAt: number | null;
}

/**
 * Queries an account's ledger.
 * @returns null for an account without one, and where none can be reached
 * @throws ApiError 503 when it does not respond
 */
export async function readLedger<Value>(
  { ledgers }: Pick<UsageSource, "ledgers">,
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

/** Most used first; ties in order of country code. */
function byUse(a: UsageReport["countries"][number], b: UsageReport["countries"][number]): number {
  return b.total - a.total || (a.country_code < b.country_code ? -1 : 1);
}

/** The increase from `previous` to `current` in percent, with one decimal; null without a previous value. */
function monthOverMonth(current: number, previous: number): number | null {
  if (previous === 0) return null;
  // Adding 0 turns the -0 of a decrease that rounds to nothing into 0.
  return Math.round((1_000 * (current - previous)) / previous) / 10 + 0;
}

function sumOf(rows: readonly Pick<UsageOfKey, "total" | "successful">[], field: "total" | "successful"): number {
  return rows.reduce((sum, row) => sum + row[field], 0);
}

/** A day for each date, without usage where there is none. */
function everyDay(dates: readonly string[], used: UsageReport["days"] = []): UsageReport["days"] {
  const byDate = new Map(used.map((day) => [day.date, day]));
  return dates.map((date) => byDate.get(date) ?? { date, total: 0, successful: 0 });
}

/**
 * Everything an account has verified, with its five most verified countries (unknown ones excluded) and the last 30
 * days, today included, compared with the 30 before; the last 14 days, and what its sampled calls say. Days are UTC.
 * @param query.mode both modes by default
 * @throws ApiError 503
 */
export async function usageSummary(
  source: UsageSource,
  account: MeteredAccount,
  { mode }: { readonly mode?: KeyMode | undefined },
): Promise<UsageSummary> {
  const dates = lastDays(source.now, 2 * MONTH_DAYS);
  const read = await readLedger(source, account, (ledger) => ledger.summary({ mode, first: dates[0]! }));
  const all = read?.countries ?? [];
  const digest = read?.calls ?? NO_DIGEST;
  const days = everyDay(dates, read?.days);
  const [previous, current] = [days.slice(0, MONTH_DAYS), days.slice(MONTH_DAYS)];
  const identified = all.filter((country) => country.country_code !== UNKNOWN_COUNTRY).toSorted(byUse);
  return {
    total_verifications: sumOf(all, "total"),
    successful_verifications: sumOf(all, "successful"),
    top_countries: identified
      .slice(0, TOP_COUNTRIES)
      .map(({ country_code, total: count }) => ({ country_code, count })),
    countries: identified.length,
    keys: await withNames(source, account, read?.keys ?? []),
    month_over_month: monthOverMonth(sumOf(current, "total"), sumOf(previous, "total")),
    days: days.slice(-SUMMARY_DAYS),
    calls: { ...digest, latest: digest.latest.map(callView) },
  };
}

/**
 * An account's usage by day, ascending, days without any included, and by country, most used first, `ZZ` (unknown)
 * included so both have the same total. The last day is today; days are UTC.
 * @param query.days how many days, at least 1
 * @param query.key_id all keys by default
 * @throws ApiError 503
 */
export async function usageByDay(source: UsageSource, account: MeteredAccount, query: UsageOf): Promise<UsageReport> {
  const { dates, period } = periodOf(source, query);
  const used = await readLedger(source, account, (ledger) => ledger.usage(period));
  return {
    days: everyDay(dates, used?.days),
    countries: used?.countries.toSorted(byUse) ?? [],
    keys: await withNames(source, account, used?.keys ?? []),
  };
}

interface UsageOf {
  readonly mode?: KeyMode | undefined;
  readonly days: number;
  readonly key_id?: string | undefined;
}

function periodOf({ now }: UsageSource, { mode, days, key_id: key }: UsageOf) {
  const dates = lastDays(now, days);
  return { dates, period: { mode, key, first: dates[0]!, last: dates.at(-1)! } };
}

/** The display names of an account's keys, revoked ones and its bulk check included. */
async function namesOf({ db }: UsageSource, { id }: MeteredAccount): Promise<Map<string, string>> {
  const rows = await db.select({ id: apiKeys.id, name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.userId, id));
  return new Map([[DASHBOARD_KEY_ID, "Dashboard"], ...rows.map((row) => [row.id, row.name] as const)]);
}

async function withNames(
  source: UsageSource,
  account: MeteredAccount,
  keys: readonly KeyTotal[],
): Promise<UsageOfKey[]> {
  if (keys.length === 0) return [];
  const names = await namesOf(source, account);
  return keys
    .map(({ key_id, ...used }) => ({ key_id, name: names.get(key_id) ?? null, ...used }))
    .toSorted((a, b) => b.total - a.total || (a.key_id < b.key_id ? -1 : 1));
}

/** A report's days as CSV: a header line, then one line per day. No field needs quotes. */
export function usageCsv(report: Pick<UsageReport, "days">): string {
  const days = report.days.map(({ date, total, successful }) => [date, total, successful, total - successful]);
  return [["date", "total", "successful", "failed"], ...days].map(csvLine).join("");
}

/**
 * A report's days as CSV, with one line for each key used on a day.
 * @throws ApiError 503
 */
export async function usageByKeyCsv(source: UsageSource, account: MeteredAccount, query: UsageOf): Promise<string> {
  const { period } = periodOf(source, query);
  const [used, names] = await Promise.all([
    readLedger(source, account, (ledger) => ledger.keyDays(period)),
    namesOf(source, account),
  ]);
  const lines = (used ?? []).map(({ date, key_id, total, successful }) => {
    return [date, key_id, guardCell(names.get(key_id) ?? ""), total, successful, total - successful];
  });
  return [["date", "key_id", "key_name", "total", "successful", "failed"], ...lines].map(csvLine).join("");
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}

function callView(call: Sample): ActivityCall {
  return { ...call, at: timeText(call.at) };
}

function pageView({ calls, limited, next }: SamplePage): ActivityPage {
  return {
    calls: calls.map(callView),
    rate_limited: limited.map(({ minute, calls: count }) => ({ minute: timeText(minute * MINUTE_MS), count })),
    next,
  };
}

const NO_CALLS: SamplePage = { calls: [], limited: [], next: null };

/**
 * A page of an account's recent calls that match a filter, newest first.
 * @throws ApiError 503
 */
export async function activityOf(
  source: UsageSource,
  account: MeteredAccount,
  query: ActivityQuery & { readonly limit?: number },
): Promise<ActivityPage> {
  const { from, to } = query;
  const filter = {
    ...query,
    from: from === undefined ? undefined : Date.parse(from),
    // A day ends with its last millisecond.
    to: to === undefined ? undefined : Date.parse(to) + (to.includes("T") ? 0 : DAY_MS - 1),
  };
  return pageView((await readLedger(source, account, (ledger) => ledger.activity(filter))) ?? NO_CALLS);
}

import type { AccountExport } from "../../contract/export.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { UsageOfKey, UsageReport } from "../../contract/reports.ts";
import { utcDay } from "../platform/time.ts";
import type { LedgerHost } from "./account.ts";
import type { Count } from "./part.ts";

/** Days become months in the 14th month. */
const MONTHS_BY_DAY = 13;
/** How many keys have a last use. */
const MAX_KEYS = 1_000;
/** Rows read at a time when reading all of them. */
const MAX_ROWS = 5_000;

const COLUMNS = "day, key_id, mode, country_code, started_at, root_id, successful, failed, last_at";
const ADD_TO_ROW = `
  ON CONFLICT DO UPDATE SET successful = successful + excluded.successful, failed = failed + excluded.failed,
    last_at = max(last_at, excluded.last_at)`;
const ADD = `INSERT INTO usage (${COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ${ADD_TO_ROW}`;

type Sql = Pick<LedgerHost, "sql">;

/** Adds numbers. @param at when they were counted, in milliseconds since the Unix epoch */
export function addCounts({ sql }: Sql, counts: readonly Count[], at: number): void {
  for (const { day, key, mode, country, startedAt, root, successful, failed } of counts) {
    sql.exec(ADD, day, key, mode, country, startedAt, root, successful, failed, at);
  }
}

/** Days are UTC and inclusive. Both modes and all keys by default. */
export interface Period {
  readonly mode?: KeyMode | undefined;
  readonly key?: string | undefined;
  readonly first: string;
  readonly last: string;
}

export type KeyTotal = Omit<UsageOfKey, "name">;
type KeyDayTotal = UsageReport["days"][number] & Pick<UsageOfKey, "key_id">;

/** Reads a period's totals, grouped by the first columns. */
function totalsBy<Found extends Record<string, string | number>>(columns: string, groups: string) {
  const query = `
    SELECT ${columns}, sum(successful + failed) AS total, sum(successful) AS successful FROM usage
    WHERE day BETWEEN ?1 AND ?2 AND (?3 IS NULL OR mode = ?3) AND (?4 IS NULL OR key_id = ?4)
    GROUP BY ${groups} ORDER BY ${groups}`;
  return ({ sql }: Sql, { mode, key, first, last }: Period) =>
    sql.exec<Found>(query, first, last, mode ?? null, key ?? null).toArray();
}

export const byCountry = totalsBy<UsageReport["countries"][number]>("country_code", "1");
export const byDay = totalsBy<UsageReport["days"][number]>("day AS date", "1");
export const byKey = totalsBy<KeyTotal>("key_id, mode", "1, 2");
export const byDayAndKey = totalsBy<KeyDayTotal>("day AS date, key_id", "1, 2");

/** A month's successful live verifications with the keys of each of these chains, by root. */
export function usedByChain({ sql }: Sql, roots: readonly string[], month: string): Record<string, number> {
  const query = `
    SELECT root_id, sum(successful) AS used FROM usage
    WHERE day BETWEEN ?1 AND ?1 || '~' AND mode = 'live' AND root_id IN (SELECT value FROM json_each(?2)) GROUP BY 1`;
  const rows = sql.exec<{ root_id: string; used: number }>(query, month, JSON.stringify(roots)).toArray();
  return Object.fromEntries(rows.map(({ root_id: root, used }) => [root, used]));
}

/** When each key was last used, in milliseconds since the Unix epoch: the thousand most recent. */
export function lastUses({ sql }: Sql): Record<string, number> {
  const query = "SELECT key_id, max(last_at) AS at FROM usage GROUP BY key_id ORDER BY at DESC LIMIT ?1";
  const rows = sql.exec<{ key_id: string; at: number }>(query, MAX_KEYS).toArray();
  return Object.fromEntries(rows.map(({ key_id: key, at }) => [key, at]));
}

/** A month's totals, as D1 has them in `usage_months`. */
export function monthTotals({ sql }: Sql, month: string) {
  const query = `
    SELECT ?1 AS month,
      sum(successful * (mode = 'live')) AS liveSuccessful, sum(failed * (mode = 'live')) AS liveFailed,
      sum(successful * (mode = 'test')) AS testSuccessful, sum(failed * (mode = 'test')) AS testFailed
    FROM usage WHERE day BETWEEN ?1 AND ?1 || '~'`;
  return sql.exec(query, month).one();
}

/** The counts of a day, or of a month for old data. */
export type CountedRow = AccountExport["usage"][number];

/** Counts after a row, oldest first; null starts at the first. At most 5,000 rows, none at the end. */
export function rowsAfter({ sql }: Sql, row: CountedRow | null): CountedRow[] {
  const query = `
    SELECT day AS period, key_id, mode, country_code, sum(successful) AS successful, sum(failed) AS failed
    FROM usage WHERE (day, key_id, mode, country_code) > (?1, ?2, ?3, ?4)
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4 LIMIT ?5`;
  const after = row === null ? ["", "", "", ""] : [row.period, row.key_id, row.mode, row.country_code];
  return sql.exec<CountedRow>(query, ...after, MAX_ROWS).toArray();
}

/** Adds up the days of each month that is long over. */
export function daysToMonths({ sql, now }: Pick<LedgerHost, "sql" | "now">): void {
  const today = new Date(now());
  const first = utcDay(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - MONTHS_BY_DAY));
  const old = "day < ?1 AND length(day) = 10";
  sql.exec(
    `INSERT INTO usage (${COLUMNS})
     SELECT substr(day, 1, 7), key_id, mode, country_code, started_at, root_id, sum(successful), sum(failed), max(last_at)
     FROM usage WHERE ${old} GROUP BY 1, 2, 3, 4, 5 ${ADD_TO_ROW}`,
    first,
  );
  sql.exec(`DELETE FROM usage WHERE ${old}`, first);
}

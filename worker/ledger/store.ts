import type { KeyMode } from "../../contract/limits.ts";
import type { MailMessage } from "../mail/email.ts";
import { DAY_MS, HOUR_MS, utcDay } from "../platform/time.ts";
import { dropOldActivity } from "./activity.ts";
import type { KeyedCall, Part } from "./part.ts";
import { emptyState, inRanges } from "./state.ts";
import type { State } from "./state.ts";

/** Older parts are rejected: we no longer remember enough of their isolates to deduplicate them. */
export const ACCEPTED_MS = 15 * DAY_MS;
/** How long sequence numbers are remembered: longer than a part is accepted, allowing for isolates' clock skew. */
const SEEN_MS = ACCEPTED_MS + 2 * DAY_MS;
/** Days become months in the 14th month. */
const MONTHS_BY_DAY = 13;

/** The most the state keeps; more is moved into tables immediately, not just once per day. */
const MAX_COUNTS = 2_000;
const MAX_ISOLATES = 5_000;
const MAX_KEYS = 1_000;
const MAX_IDS = 8_000;
/** Length of an id, including the dot before it that is used to find it. */
const ID_LENGTH = 25;

const TABLES = [
  "CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
  `CREATE TABLE IF NOT EXISTS daily (
    day TEXT, started_at INTEGER, key_id TEXT, root_id TEXT, mode TEXT, country TEXT, successful INTEGER, failed INTEGER,
    PRIMARY KEY (day, started_at, key_id, mode, country)) WITHOUT ROWID`,
  "CREATE TABLE IF NOT EXISTS seen (closed_at INTEGER PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID",
  "CREATE TABLE IF NOT EXISTS activity (slot INTEGER PRIMARY KEY, newest INTEGER, body TEXT) WITHOUT ROWID",
  "CREATE TABLE IF NOT EXISTS calls (slot INTEGER, hour INTEGER, ids TEXT, PRIMARY KEY (slot, hour)) WITHOUT ROWID",
];

const DAILY = "day, started_at, key_id, root_id, mode, country, successful, failed";

/** The rows of `daily` in the JSON ?1, from `countsAsJson`. */
const IN_STATE = `
  SELECT value ->> 'day' AS day, value ->> 'startedAt' AS started_at, value ->> 'key' AS key_id,
    value ->> 'root' AS root_id, value ->> 'mode' AS mode, value ->> 'country' AS country, value ->> 'successful' AS successful,
    value ->> 'failed' AS failed
  FROM json_each(?1)`;

const SPILL_COUNTS = `
  INSERT INTO daily (${DAILY}) ${IN_STATE} WHERE true
  ON CONFLICT DO UPDATE SET successful = successful + excluded.successful, failed = failed + excluded.failed`;

const SPILL_IDS = `
  INSERT INTO calls (slot, hour, ids)
  SELECT value ->> 'slot', value ->> 'hour', value ->> 'ids' FROM json_each(?1) WHERE true
  ON CONFLICT DO UPDATE SET ids = ids || excluded.ids`;

const TO_MONTHS = [
  `INSERT INTO daily (${DAILY})
   SELECT substr(day, 1, 7), started_at, key_id, root_id, mode, country, sum(successful), sum(failed)
   FROM daily WHERE day < ?1 AND length(day) = 10 GROUP BY 1, 2, 3, 4, 5, 6
   ON CONFLICT DO UPDATE SET successful = successful + excluded.successful, failed = failed + excluded.failed`,
  "DELETE FROM daily WHERE day < ?1 AND length(day) = 10",
];

/** Everything counted: the table, plus what has not been moved there. */
const COUNTED = `(SELECT ${DAILY} FROM daily UNION ALL ${IN_STATE})`;

/** A period's totals, grouped by the first columns. */
function totalsBy(columns: string, groups: string): string {
  return `
    SELECT ${columns}, sum(successful + failed) AS total, sum(successful) AS successful FROM ${COUNTED}
    WHERE (?2 IS NULL OR mode = ?2) AND day BETWEEN ?3 AND ?4 AND (?5 IS NULL OR key_id = ?5)
    GROUP BY ${groups} ORDER BY ${groups}`;
}

export const BY_COUNTRY = totalsBy("country", "1");
export const BY_DAY = totalsBy("day AS date", "1");
export const BY_KEY = totalsBy("key_id AS key, mode", "1, 2");
/** Successful live verifications of the keys with the root ?2 in the month from ?3 until ?4. */
const OF_CHAIN = `
  SELECT coalesce(sum(successful), 0) AS used FROM ${COUNTED}
  WHERE mode = 'live' AND root_id = ?2 AND day BETWEEN ?3 AND ?4`;
export const BY_DAY_AND_KEY = totalsBy("day AS date, key_id AS key", "1, 2");

/** Rows read at a time when reading all of them. */
const MAX_ROWS = 5_000;
/** Counts after the row ?2, ?4, ?5, ?6, until ?3. */
const ROWS_AFTER = `
  SELECT day AS period, key_id, mode, country AS country_code, sum(successful) AS successful, sum(failed) AS failed
  FROM ${COUNTED} WHERE day BETWEEN ?2 AND ?3 AND (day, key_id, mode, country) > (?2, ?4, ?5, ?6)
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4 LIMIT ?7`;
const NEXT_DAY = `
  SELECT min(day) AS day FROM (
    SELECT min(day) AS day FROM daily WHERE day > ?2 UNION ALL
    SELECT min(value ->> 'day') FROM json_each(?1) WHERE value ->> 'day' > ?2)`;

export type Row = Readonly<Record<string, unknown>>;

/** The host object that a ledger needs. */
export interface LedgerHost {
  /** Runs one SQL statement. */
  sql(query: string, ...bindings: (string | number | null)[]): Row[];
  /** Commits everything `work` does, or nothing. */
  transaction<Value>(work: () => Value): Value;
  /** Its storage size, in bytes. */
  size(): number;
  setAlarm(at: number): void;
  deleteAll(): Promise<void>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  mail(message: MailMessage): Promise<unknown>;
  /** Runs one SQL statement on D1. */
  d1(query: string, ...bindings: (string | number | null)[]): Promise<Row[]>;
  /** For background work. */
  waitUntil(work: Promise<unknown>): void;
}

/** Days are UTC and inclusive. Both modes and all keys by default. */
export interface Period {
  readonly mode?: KeyMode | undefined;
  readonly key?: string | undefined;
  readonly first: string;
  readonly last: string;
}

export interface CountryTotal {
  readonly country: string;
  readonly total: number;
  readonly successful: number;
}

export interface KeyTotal {
  readonly key: string;
  readonly mode: KeyMode;
  readonly total: number;
  readonly successful: number;
}

export interface KeyDayTotal extends DayTotal {
  readonly key: string;
}

/** The counts of a day, or of a month for old data. */
export interface CountedRow {
  readonly period: string;
  readonly key_id: string;
  readonly mode: KeyMode;
  readonly country_code: string;
  readonly successful: number;
  readonly failed: number;
}

export interface DayTotal {
  readonly date: string;
  readonly total: number;
  readonly successful: number;
}

/** When an isolate was created, from its id. The hour allows for clock skew. */
function bornAt(isolate: string): number {
  return Number.parseInt(isolate.split(".")[0]!, 36) - HOUR_MS;
}

function countsAsJson({ counts }: State): string {
  return JSON.stringify(Object.values(counts));
}

function slotOf(id: string): number {
  return Number.parseInt(id.slice(0, 2), 16) >> 1;
}

/** A ledger's storage, including the parts and calls it has seen. */
export function createStore(host: LedgerHost) {
  let state: State | null = null;

  function load(): State {
    for (const table of TABLES) host.sql(table);
    const [row] = host.sql("SELECT body FROM state WHERE id = 1");
    return row === undefined ? emptyState() : { ...emptyState(), ...(JSON.parse(row["body"] as string) as State) };
  }

  function current(): State {
    return (state ??= load());
  }

  function save(): void {
    host.sql("INSERT INTO state (id, body) VALUES (1, ?1) ON CONFLICT DO UPDATE SET body = ?1", JSON.stringify(state));
  }

  /** Commits a change to the state. After a failure, memory is reloaded. */
  function change<Value>(work: (state: State) => Value): Value {
    try {
      return host.transaction(() => {
        const value = work(current());
        save();
        return value;
      });
    } catch (error) {
      state = null;
      throw error;
    }
  }

  function knowsPart({ isolate, seq }: Part): boolean {
    return inRanges(seenOf(isolate), seq);
  }

  /** An isolate's sequence numbers, which may have been moved to the table since it was last seen. */
  function seenOf(isolate: string): number[] {
    const { seen } = current();
    const known = seen[isolate];
    if (known !== undefined) return known;
    const path = `$."${isolate}"`;
    const query = "SELECT body -> ?2 AS ranges FROM seen WHERE closed_at >= ?1 AND body -> ?2 IS NOT NULL";
    const [row] = host.sql(`${query} ORDER BY closed_at DESC LIMIT 1`, bornAt(isolate), path);
    return (seen[isolate] = row === undefined ? [] : (JSON.parse(row["ranges"] as string) as number[]));
  }

  function knowsId(id: string): boolean {
    const { calls, spilledUntil } = current();
    if (Object.values(calls).some((ids) => ids.includes(`.${id}`))) return true;
    const hour = Math.floor(host.now() / HOUR_MS);
    if (spilledUntil < hour) return false;
    const query = "SELECT 1 FROM calls WHERE slot = ?1 AND hour >= ?2 AND instr(ids, ?3) LIMIT 1";
    return host.sql(query, slotOf(id), hour, `.${id}`).length > 0;
  }

  function knowsCall({ id, alias }: KeyedCall): boolean {
    return knowsId(id) || (alias !== undefined && knowsId(alias));
  }

  function remember({ id, alias, hours }: KeyedCall): void {
    const { calls } = current();
    const hour = Math.floor(host.now() / HOUR_MS) + hours;
    for (const each of alias === undefined ? [id] : [id, alias]) {
      if (!knowsId(each)) calls[hour] = `${calls[hour] ?? ""}.${each}`;
    }
  }

  function spillIds(own: State): void {
    const rows = new Map<string, { readonly slot: number; readonly hour: number; ids: string }>();
    for (const [hour, ids] of Object.entries(own.calls)) {
      own.spilledUntil = Math.max(own.spilledUntil, Number(hour));
      for (let at = 0; at < ids.length; at += ID_LENGTH) {
        const id = ids.slice(at, at + ID_LENGTH);
        const slot = slotOf(id.slice(1));
        const row = rows.get(`${slot} ${hour}`) ?? { slot, hour: Number(hour), ids: "" };
        row.ids += id;
        rows.set(`${slot} ${hour}`, row);
      }
    }
    host.sql(SPILL_IDS, JSON.stringify([...rows.values()]));
    own.calls = {};
  }

  /** Moves grown data out of the state, at the end of a day or when there is too much. */
  function roll(own: State): void {
    const now = host.now();
    const day = utcDay(now);
    const hour = Math.floor(now / HOUR_MS);
    for (const old of Object.keys(own.calls)) if (Number(old) < hour) delete own.calls[old];
    const ended = own.day !== day;
    own.day = day;
    if (ended || Object.keys(own.counts).length > MAX_COUNTS) {
      host.sql(SPILL_COUNTS, countsAsJson(own));
      own.counts = {};
    }
    if (ended || Object.keys(own.seen).length > MAX_ISOLATES) {
      const used = Object.entries(own.seen).filter(([, ranges]) => ranges.length > 0);
      const query = "INSERT INTO seen (closed_at, body) SELECT max(?1, coalesce(max(closed_at), 0) + 1), ?2 FROM seen";
      if (used.length > 0) host.sql(query, now, JSON.stringify(Object.fromEntries(used)));
      own.seen = {};
    }
    if (Object.values(own.calls).reduce((sum, ids) => sum + ids.length, 0) > MAX_IDS * ID_LENGTH) spillIds(own);
    if (!ended) return;
    host.sql("DELETE FROM seen WHERE closed_at < ?1", now - SEEN_MS);
    host.sql("DELETE FROM calls WHERE hour < ?1", hour);
    const first = new Date(now);
    const cutoff = utcDay(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - MONTHS_BY_DAY));
    for (const query of TO_MONTHS) host.sql(query, cutoff);
    dropOldActivity(host, own);
    const old = utcDay(now - 40 * DAY_MS);
    for (const meter of Object.keys(own.meters)) {
      if (!meter.startsWith("quota ") && meter.slice(meter.lastIndexOf(" ") + 1) < old) delete own.meters[meter];
    }
    const keys = Object.entries(own.lastUsed).toSorted(([, a], [, b]) => b - a);
    for (const [key] of keys.slice(MAX_KEYS)) delete own.lastUsed[key];
  }

  /** Rows of a query, as the query has them. */
  function totals<Total>(query: string, { mode, key, first, last }: Period): Total[] {
    return host.sql(query, countsAsJson(current()), mode ?? null, first, last, key ?? null) as Total[];
  }

  function usedByChain(root: string, month: string): number {
    return host.sql(OF_CHAIN, countsAsJson(current()), root, month, `${month}~`)[0]!["used"] as number;
  }

  /**
   * Counts after a row, oldest first; null starts at the first. At most 5,000 rows, none at the end. Sorts one month at
   * a time.
   */
  function rowsAfter(row: CountedRow | null): CountedRow[] {
    const counts = countsAsJson(current());
    const rows: CountedRow[] = [];
    const dayAfter = (day: string) => (host.sql(NEXT_DAY, counts, day)[0]?.["day"] ?? null) as string | null;
    let behind = row;
    let day = row === null ? dayAfter("") : row.period;
    while (day !== null && rows.length < MAX_ROWS) {
      const end = `${day.slice(0, 7)}~`;
      const { key_id: key, mode, country_code: country } = behind ?? { key_id: "", mode: "", country_code: "" };
      const found = host.sql(ROWS_AFTER, counts, day, end, key, mode, country, MAX_ROWS - rows.length);
      rows.push(...(found as unknown as CountedRow[]));
      behind = null;
      day = dayAfter(end);
    }
    return rows;
  }

  return {
    current,
    change,
    knowsPart,
    seenOf,
    knowsCall,
    remember,
    roll,
    totals,
    usedByChain,
    rowsAfter,
    /** Stores this state in an empty object. */
    begin(begun: State): void {
      for (const table of TABLES) host.sql(table);
      state = begun;
      save();
    },
    /** Drops the cached state, so it is reloaded on next use. */
    forget: () => void (state = null),
  };
}

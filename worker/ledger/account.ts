import type { D1Database, DurableObjectStorage, Queue, SqlStorage } from "@cloudflare/workers-types";
import type { MailMessage } from "../mail/email.ts";
import type { Sample } from "./part.ts";

// README.md describes them. Without further indexes, each change of a row writes one row.
const TABLES = `
  CREATE TABLE IF NOT EXISTS account (id INTEGER PRIMARY KEY, body TEXT);
  CREATE TABLE IF NOT EXISTS usage (
    day TEXT, key_id TEXT, mode TEXT, country_code TEXT, started_at INTEGER, root_id TEXT,
    successful INTEGER, failed INTEGER, last_at INTEGER,
    PRIMARY KEY (day, key_id, mode, country_code, started_at)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS isolates (newest INTEGER, body TEXT);
  CREATE TABLE IF NOT EXISTS calls (prefix TEXT, hour INTEGER, ids TEXT, PRIMARY KEY (prefix, hour)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS activity (slot INTEGER PRIMARY KEY, newest INTEGER, samples TEXT)`;

/** What a ledger works with. */
export interface LedgerHost {
  readonly storage: Pick<DurableObjectStorage, "transactionSync" | "setAlarm" | "deleteAll">;
  readonly sql: Pick<SqlStorage, "exec" | "databaseSize">;
  readonly env: { readonly DB: Pick<D1Database, "prepare">; readonly MAIL: Pick<Queue<MailMessage>, "send"> };
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** In [0, 1). */
  random(): number;
}

/** Sequence numbers from the first to the last. */
export type Range = [first: number, last: number];

/** The sequence numbers counted of an isolate, ascending, and when the last was. */
export interface CountedParts {
  readonly ranges: readonly Range[];
  readonly at: number;
}

/** What changes with nearly every part, so it's written as one row. Times are in milliseconds since the Unix epoch. */
function emptyAccount() {
  return {
    user: "",
    /** Successful live verifications, by the start of their subscription. */
    quotas: {} as Record<number, number>,
    /** The same of chains whose cap was used, by month and root. */
    caps: {} as Record<string, Record<string, number>>,
    /** Lookups of test keys, by day. */
    tests: {} as Record<string, number>,
    /** The latest subscription's quota, and the percentage that its owner was last emailed about. */
    quota: null as { readonly startedAt: number; readonly most: number; notified: number } | null,
    /** What was counted of each isolate, the last one last. */
    isolates: {} as Record<string, CountedParts>,
    /** Ids of calls, and the hour since the Unix epoch in which each expires. */
    calls: {} as Record<string, number>,
    /** Recent calls, and how many chunks of earlier ones there have been. */
    failed: { samples: [] as Sample[], chunks: 0 },
    successful: { samples: [] as Sample[], chunks: 0 },
    /** How many calls exceeded a rate limit, by minute since the Unix epoch. */
    limited: {} as Record<number, number>,
    /** Whether D1 knows that there is a ledger to read. */
    announced: false,
    /** Months with totals that D1 doesn't have, and how many parts changed them since it got any. */
    unreported: {} as Record<string, number>,
    /** The newest month, how many numbers it has, how many D1 knows of, and since when. */
    month: { name: "", numbers: 0, reported: 0, reportedAt: 0 },
    /** When D1 is due to hear of that month; 0 for not yet. */
    reportAt: 0,
    /** When the daily alarm is due; 0 for none. */
    alarm: 0,
    /** When the account was deleted; 0 if it was not. */
    erased: 0,
  };
}
export type LedgerAccount = ReturnType<typeof emptyAccount>;

/** The account's row, kept in memory between calls. Only `change` changes it. Reading it creates missing tables. */
export function openAccount({ sql, storage }: Pick<LedgerHost, "sql" | "storage">) {
  let account: LedgerAccount | null = null;

  function read(): LedgerAccount {
    if (account !== null) return account;
    sql.exec(TABLES);
    const [row] = sql.exec<{ body: string }>("SELECT body FROM account").toArray();
    account = { ...emptyAccount(), ...(row && (JSON.parse(row.body) as LedgerAccount)) };
    return account;
  }

  /** Drops the row in memory, so it's read again. */
  function forget(): void {
    account = null;
  }

  /** Commits a change to the account and its tables, or nothing. */
  function change(work: (account: LedgerAccount) => void): void {
    try {
      storage.transactionSync(() => {
        const changed = read();
        work(changed);
        const query = "INSERT INTO account (id, body) VALUES (1, ?1) ON CONFLICT DO UPDATE SET body = ?1";
        sql.exec(query, JSON.stringify(changed));
      });
    } catch (error) {
      forget();
      throw error;
    }
  }

  return { read: read as () => Readonly<LedgerAccount>, change, forget };
}

export type AccountStore = ReturnType<typeof openAccount>;

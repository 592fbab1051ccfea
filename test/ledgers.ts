import { DatabaseSync } from "node:sqlite";
import type { StatementSync } from "node:sqlite";
import type { LedgerAccount, LedgerHost } from "../worker/ledger/account.ts";
import { Ledger } from "../worker/ledger/ledger.ts";
import type { LedgerStub } from "../worker/ledger/namespace.ts";
import type { MailMessage } from "../worker/mail/email.ts";

type Cell = string | number | null;

/** A table of a ledger's storage, with the query that creates it. */
export interface StoredTable {
  readonly table: string;
  readonly create: string;
  rows: Record<string, Cell>[];
}

/** What ledgers in this process depend on. */
export interface LedgerSurroundings {
  now(): number;
  /** In bytes. */
  size?(): number;
  mail?(message: MailMessage): Promise<unknown>;
  db?: LedgerHost["env"]["DB"];
  /** None by default. */
  readonly tables?: readonly StoredTable[];
}

/** A D1 database that runs a function for each query; `first` has its first row. */
export function fakeD1(run: (query: string, values: unknown[]) => Promise<object[]>): LedgerHost["env"]["DB"] {
  const bind = (query: string, values: unknown[]) => ({
    run: () => run(query, values),
    first: async () => (await run(query, values))[0] ?? null,
  });
  return { prepare: (query: string) => ({ bind: (...values: unknown[]) => bind(query, values) }) } as never;
}

/** A ledger in this process: on SQLite, as on the platform; a restart loses the object's memory. */
export function openLedger({
  now,
  mail = async () => {},
  db = fakeD1(async () => [{ known: 1 }]),
  size = () => 0,
  tables = [],
}: LedgerSurroundings) {
  const database = new DatabaseSync(":memory:");
  const prepared = new Map<string, StatementSync>();
  const work: Promise<unknown>[] = [];
  const opened = { alarm: null as number | null, alarms: 0, pending: 0, queries: 0 };

  function query(text: string, ...bindings: Cell[]) {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement.all(...bindings).map((row) => ({ ...row }) as Record<string, Cell>);
  }

  function stored(): StoredTable[] {
    const all = query("SELECT name, sql FROM sqlite_master WHERE type = 'table'") as { name: string; sql: string }[];
    return all.map(({ name, sql: create }) => ({ table: name, create, rows: query(`SELECT * FROM ${name}`) }));
  }

  for (const { table, create, rows } of tables) {
    query(create);
    for (const row of rows) {
      const [names, places] = [Object.keys(row).join(), Object.keys(row).fill("?").join()];
      query(`INSERT INTO ${table} (${names}) VALUES (${places})`, ...Object.values(row));
    }
  }

  const sql = {
    get databaseSize() {
      return size();
    },
    exec(text: string, ...bindings: Cell[]) {
      if (text.includes(";")) return database.exec(text);
      opened.queries += 1;
      const rows = query(text, ...bindings);
      return { toArray: () => rows, one: () => rows[0] };
    },
  };
  const storage = {
    sql,
    transactionSync<Value>(run: () => Value): Value {
      database.exec("BEGIN");
      try {
        const value = run();
        database.exec("COMMIT");
        return value;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
    async setAlarm(at: number) {
      opened.alarm = at;
      opened.alarms += 1;
    },
    async deleteAll() {
      prepared.clear();
      for (const { table } of stored()) database.exec(`DROP TABLE ${table}`);
      prepared.clear();
      opened.alarm = null;
    },
  };
  function waitUntil(promise: Promise<unknown>): void {
    opened.pending += 1;
    work.push(promise.finally(() => (opened.pending -= 1)));
  }
  function start(): Ledger {
    const own: typeof storage = {
      ...storage,
      transactionSync(run) {
        if (started !== ledger) throw new Error("Durable Object reset because its code was updated.");
        return storage.transactionSync(run);
      },
    };
    const env = { DB: db, MAIL: { send: mail } as never };
    const started = new Ledger({ storage: own, waitUntil } as never, env, { now, random: () => 0 });
    return started;
  }
  let ledger = start();
  return {
    get ledger() {
      return ledger;
    },
    /** When the alarm is set for. */
    get alarm() {
      return opened.alarm;
    },
    /** How many rows were written, changed, and deleted, as the platform's `rowsWritten`: setting an alarm is one. */
    get rowsWritten(): number {
      return opened.alarms + (query("SELECT total_changes() AS rows")[0]!["rows"] as number);
    },
    /** How many queries the ledger has made. */
    get queries(): number {
      return opened.queries;
    },
    /** Evicts the object: its memory is lost, its storage stays. The platform only does that to idle objects. */
    restart(): void {
      if (opened.pending === 0) ledger = start();
    },
    /** Resets the object, as a release does at any time: its memory is lost, its work stores nothing more. */
    reset(): void {
      ledger = start();
    },
    query,
    stored,
    /** The account's row. */
    account: () => JSON.parse(query("SELECT body FROM account")[0]!["body"] as string) as LedgerAccount,
    async settled(): Promise<void> {
      while (work.length > 0) await Promise.allSettled(work.splice(0));
    },
  };
}

export type OpenedLedger = ReturnType<typeof openLedger>;

/** Intercepts the calls of ledgers; `run` makes the call. */
export type LedgerGate = <Value>(user: string, run: () => Promise<Value>) => Promise<Value>;

/** The ledgers of all accounts, in this process, each created by its first call. */
export function createLedgers(surroundings: LedgerSurroundings, gate: LedgerGate = (_, run) => run()) {
  const opened = new Map<string, OpenedLedger>();

  function of(user: string): OpenedLedger {
    const known = opened.get(user) ?? openLedger(surroundings);
    opened.set(user, known);
    return known;
  }

  return {
    of,
    opened,
    getByName: (user: string) =>
      new Proxy({} as LedgerStub, {
        get:
          (_, name: keyof LedgerStub) =>
          (...given: unknown[]) =>
            gate(user, async () => {
              const { ledger } = of(user);
              const call = ledger[name] as (...values: unknown[]) => unknown;
              // Like values passed between objects.
              return structuredClone(await call.apply(ledger, structuredClone(given)));
            }),
      }),
  };
}

export type Ledgers = ReturnType<typeof createLedgers>;

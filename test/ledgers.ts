import { DatabaseSync } from "node:sqlite";
import { eq } from "drizzle-orm";
import { users } from "../schema.ts";
import type { Database } from "../worker/platform/db.ts";
import { createLedger } from "../worker/ledger/ledger.ts";
import type { Ledger } from "../worker/ledger/ledger.ts";
import type { LedgerHost } from "../worker/ledger/store.ts";
import type { LedgerNamespace, LedgerStub } from "../worker/ledger/namespace.ts";
import type { Count, Part, Use } from "../worker/ledger/part.ts";
import type { MailMessage } from "../worker/mail/email.ts";

/** What ledgers in this process depend on. */
export interface LedgerSurroundings {
  now(): number;
  /** In bytes. */
  size?(): number;
  mail?(message: MailMessage): Promise<unknown>;
  d1?: LedgerHost["d1"];
}

/** A ledger in this process: on SQLite, as on the platform; a restart loses the object's memory. */
export function openLedger({
  now,
  mail = async () => {},
  d1 = async () => [{ known: 1 }],
  size = () => 0,
}: LedgerSurroundings) {
  const database = new DatabaseSync(":memory:");
  const work: Promise<unknown>[] = [];
  const opened = { alarm: null as number | null, statements: 0, pending: 0 };
  const host: LedgerHost = {
    sql(query, ...bindings) {
      opened.statements += 1;
      return database
        .prepare(query)
        .all(...bindings)
        .map((row) => ({ ...row }));
    },
    transaction(run) {
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
    size,
    setAlarm: (at) => void (opened.alarm = at),
    async deleteAll() {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
      for (const { name } of tables) database.exec(`DROP TABLE "${String(name)}"`);
      opened.alarm = null;
    },
    now,
    random: () => 0,
    mail,
    d1,
    waitUntil(promise) {
      opened.pending += 1;
      work.push(promise.finally(() => (opened.pending -= 1)));
    },
  };
  let ledger: Ledger = createLedger(host);
  return {
    get ledger() {
      return ledger;
    },
    /** When the alarm is set for. */
    get alarm() {
      return opened.alarm;
    },
    /** Evicts the object: its memory is lost, its storage stays. The platform only does that to idle objects. */
    restart(): void {
      if (opened.pending === 0) ledger = createLedger(host);
    },
    query: (query: string) =>
      database
        .prepare(query)
        .all()
        .map((row) => ({ ...row })),
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
              const call = of(user).ledger[name] as (...values: unknown[]) => unknown;
              // Like values passed between objects.
              return structuredClone(await call(...(structuredClone(given) as unknown[])));
            }),
      }),
  };
}

export type Ledgers = ReturnType<typeof createLedgers>;

let made = 0;

/** Numbers verified with key_1 today, in Brazil by default. */
export function countOf(successful: number, failed = 0, changes: Partial<Count> = {}): Count {
  const day = new Date().toISOString().slice(0, 10);
  const root = changes.key ?? "key_1";
  return { startedAt: 1, key: root, root, mode: "live", day, country: "BR", successful, failed, ...changes };
}

/** A part of an account with one entry, from a separate isolate by default. */
export function partOf(
  user: string,
  counts: readonly Count[],
  { uses = [], ...changes }: Partial<Part> & { readonly uses?: readonly Use[] } = {},
): Part {
  const at = changes.at ?? Date.now();
  const isolate = `${(at - 1_000).toString(36)}.seed${++made}`;
  const entries = counts.length === 0 ? [] : [{ counts: [...counts], uses: [...uses] }];
  return { user, isolate, seq: 1, at, entries, activity: [], limited: [], ...changes };
}

/** Noon UTC on the second day of a new year, so that earlier days span two years. */
export const NOON = Date.UTC(2026, 0, 2, 12);

/** An account's usage. By default today's live successes in Brazil. */
export interface Used {
  readonly day?: string;
  readonly country?: string;
  readonly mode?: "test" | "live";
  readonly keyId?: string;
  /** Of the subscription. */
  readonly startedAt?: number;
  readonly success?: number;
  readonly failure?: number;
}

/** Makes the account's ledger count usage, and updates D1 immediately. */
export async function addUsage(
  { db, ledgers }: { readonly db?: Database; readonly ledgers: LedgerNamespace },
  user: string,
  used: readonly Used[],
  { at = Date.now(), uses = [] }: { readonly at?: number; readonly uses?: readonly Use[] } = {},
): Promise<void> {
  const counts = used.map((each): Count => {
    const { country = "BR", mode = "live", keyId: key = "key_1", startedAt = 1 } = each;
    const { day = new Date(at).toISOString().slice(0, 10), success: successful = 0, failure: failed = 0 } = each;
    return { startedAt, key, root: key, mode, day, country, successful, failed };
  });
  await ledgers.getByName(user).record(partOf(user, counts, { at, uses }));
  await db?.update(users).set({ meteredAt: at }).where(eq(users.id, user));
}

import type { D1Database, D1PreparedStatement } from "@cloudflare/workers-types";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { capacities, deadLetters, operationCounts, users } from "../../schema.ts";
import { formatHealth } from "../../scripts/admin/health.ts";
import type { Bindings } from "../../worker/env.ts";
import { createIsolate } from "../../worker/io.ts";
import { countOperations } from "../../worker/operations/counters.ts";
import { NEARLY_FULL } from "../../worker/operations/capacity.ts";
import { runJob } from "../schedule.ts";
import { readHealth } from "../../worker/status/health.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { createSignedIn } from "../factories.ts";
import { startChecks } from "./checks.ts";
import { skip, until } from "./clock.ts";
import { startNetwork } from "./network.ts";

const network = startNetwork();
const { ask } = startChecks(network);

const CRON = "17 * * * *";
/** A day less than the queues' retention in this configuration. */
const LONGEST_MS = 3 * DAY_MS;

type Name = keyof typeof NEARLY_FULL;

/** The state to be measured. */
interface There {
  readonly database?: number;
  readonly ledgers?: readonly number[];
  /** Sent today, of a thousand. */
  readonly emails?: number;
  readonly deadLetter?: { readonly queue: string; readonly age: number };
}

/** The real database, reporting a larger size. */
function databaseOf(db: D1Database, size: number): D1Database {
  function measured(statement: D1PreparedStatement) {
    async function all() {
      const response = await statement.all();
      return { ...response, meta: { ...response.meta, size_after: size } };
    }
    return { bind: (...values: unknown[]) => measured(statement.bind(...values)), all };
  }
  return {
    prepare: (query: string) => (query.includes("max(ledger_bytes)") ? measured(db.prepare(query)) : db.prepare(query)),
    batch: (statements: D1PreparedStatement[]) => db.batch(statements),
  } as unknown as D1Database;
}

async function runChecks(there: There = {}): Promise<void> {
  const { db } = network.worker;
  for (const ledgerBytes of there.ledgers ?? []) {
    const { id } = await createSignedIn(db);
    await db.update(users).set({ ledgerBytes }).where(eq(users.id, id));
  }
  if (there.deadLetter !== undefined) {
    const { queue, age } = there.deadLetter;
    await db.insert(deadLetters).values({ id: "msg_old", queue, body: "{}", receivedAt: Date.now() - age });
  }
  if (there.emails !== undefined) await countOperations(db, { mail_sent: there.emails }, Date.now());
  const env = network.behind();
  const DB = there.database === undefined ? env.DB : databaseOf(env.DB, there.database);
  const bindings: Bindings = { ...env, DB, MAIL_PER_DAY: "1000" };
  await until(runJob(CRON, createIsolate(bindings)));
}

/** What the log reports as nearly full, with its percentage. */
function warnings(): [string, number][] {
  return network.logs
    .map((line) => JSON.parse(line) as { event: string; level: string; capacity: string; percent: number })
    .filter(({ event, level }) => event === "nearly_full" && level === "error")
    .map(({ capacity, percent }) => [capacity, percent]);
}

beforeEach(async () => {
  const { db } = network.worker;
  await db.batch([
    db.delete(capacities),
    db.delete(deadLetters),
    db.delete(operationCounts),
    db.update(users).set({ ledgerBytes: null }),
  ]);
});

/** The state in which each becomes nearly full, and its percentage. */
const THRESHOLDS: readonly (readonly [Name, percent: number, There])[] = [
  ["database_bytes", 80, { database: 8e9 }],
  ["largest_ledger_bytes", 80, { ledgers: [2e8, 8e9, 5e9] }],
  ["dead_letters_age_ms", 25, { deadLetter: { queue: "checkline-usage", age: LONGEST_MS / 4 } }],
  ["emails_per_day", 80, { emails: 800 }],
];

test("every threshold has a test", () => {
  expect([...new Set(THRESHOLDS.map(([name]) => name))]).toStrictEqual(Object.keys(NEARLY_FULL));
});

test("one below every threshold, nothing is nearly full", async () => {
  const deadLetter = { queue: "checkline-usage", age: LONGEST_MS / 4 - 1 };
  await runChecks({
    database: 8e9 - 1,
    ledgers: [8e9 - 1, 5e9],
    deadLetter,
    emails: 799,
  });
  expect(warnings()).toStrictEqual([]);
  expect((await ask()).capacity).toStrictEqual({ state: "enough", nearly_full: [] });
});

test.each(THRESHOLDS)(
  "%s is nearly full from %d %%: in the log, on the status page, and for operators",
  async (...row) => {
    const [name, percent, there] = row;
    await runChecks(there);
    expect(warnings()).toStrictEqual([[name, percent]]);
    expect((await ask()).capacity).toStrictEqual({ state: "nearly_full", nearly_full: [name] });
    const health = await readHealth(network.worker.db, Date.now());
    const { text, isFine } = formatHealth({ ...health, registers: [] });
    expect(isFine).toBe(false);
    expect(text.match(/NEARLY FULL/g)).toHaveLength(1);
  },
);

test("email dead letters don't grow too old", async () => {
  await runChecks({ deadLetter: { queue: "checkline-mail", age: 9 * LONGEST_MS } });
  expect(warnings()).toStrictEqual([]);
});

test("a full database that accepts no writes is still reported, and the run fails", async () => {
  network.faults.d1 = "takes no writes";
  await expect(runChecks({ database: 8e9 })).rejects.toThrow();
  expect(warnings()).toStrictEqual([["database_bytes", 80]]);
});

test("nothing is known before the first run, or three hours after the last", async () => {
  expect((await ask()).capacity).toStrictEqual({ state: "unknown", nearly_full: [] });
  await runChecks({ database: 8e9 });
  expect((await ask()).capacity.state).toBe("nearly_full");
  skip(3 * 3_600_000 + 1);
  expect((await ask()).capacity).toStrictEqual({ state: "unknown", nearly_full: [] });
});

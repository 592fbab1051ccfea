import type { D1Database, D1PreparedStatement, Queue } from "@cloudflare/workers-types";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { capacities, deadLetters, signInAttempts, users } from "../../schema.ts";
import { formatHealth } from "../../scripts/admin/health.ts";
import type { Bindings } from "../../worker/env.ts";
import { createIsolate } from "../../worker/io.ts";
import { limitSubject } from "../../worker/limits/attempts.ts";
import { mailLimits } from "../../worker/limits/table.ts";
import type { MailPart } from "../../worker/limits/table.ts";
import { NEARLY_FULL } from "../../worker/operations/capacity.ts";
import { parseConfig } from "../../worker/platform/config.ts";
import { runSchedule } from "../../worker/schedule.ts";
import { readHealth } from "../../worker/status/health.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { createSignedIn } from "../factories.ts";
import { startChecks } from "./checks.ts";
import { skip, until } from "./clock.ts";
import { startNetwork } from "./network.ts";

const network = startNetwork();
const { ask } = startChecks(network);

const CRON = "*/5 * * * *";
/** A day less than the queues' retention in this configuration. */
const LONGEST_MS = 3 * DAY_MS;

type Name = keyof typeof NEARLY_FULL;

/** The state to be measured. */
interface There {
  readonly database?: number;
  readonly ledgers?: readonly number[];
  readonly usage?: { readonly bytes?: number; readonly age?: number };
  readonly mail?: { readonly bytes?: number; readonly age?: number };
  /** In the current hour, of a part. */
  readonly emails?: readonly [MailPart, number];
  readonly deadLetter?: { readonly queue: string; readonly age: number };
}

function queueOf<Body>(queue: Queue<Body>, { bytes = 0, age = 0 }: { bytes?: number; age?: number }): Queue<Body> {
  const oldestMessageTimestamp = new Date(Date.now() - age);
  const held = { backlogCount: age + bytes > 0 ? 1 : 0, backlogBytes: bytes, oldestMessageTimestamp };
  return { ...queue, metrics: async () => held };
}

/** The real database, reporting a larger size. */
function databaseOf(db: D1Database, size: number): D1Database {
  async function all() {
    return { results: [], success: true, meta: { size_after: size } };
  }
  return {
    prepare: (query: string) => (query === "SELECT 1" ? { all } : db.prepare(query)),
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
  if (there.emails !== undefined) {
    const [part, count] = there.emails;
    const { secrets, mailPerHour } = parseConfig(network.behind());
    const subject = limitSubject(secrets.attempts.current, mailLimits(part, mailPerHour)[0]!, {});
    const row = { subject, count, windowEndsAt: Date.now() + 1 };
    await db.insert(signInAttempts).values(row);
  }
  const env = network.behind();
  const bindings: Bindings = {
    ...env,
    DB: there.database === undefined ? env.DB : databaseOf(env.DB, there.database),
    USAGE: queueOf(env.USAGE, there.usage ?? {}),
    MAIL: queueOf(env.MAIL, there.mail ?? {}),
  };
  await until(runSchedule(CRON, createIsolate(bindings)));
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
    db.delete(signInAttempts),
    db.update(users).set({ ledgerBytes: null }),
  ]);
});

/** The state in which each becomes nearly full, and its percentage. */
const THRESHOLDS: readonly (readonly [Name, percent: number, There])[] = [
  ["database_bytes", 80, { database: 8e9 }],
  ["largest_ledger_bytes", 80, { ledgers: [2e8, 8e9, 5e9] }],
  ["usage_queue_bytes", 50, { usage: { bytes: 12.5e9 } }],
  ["mail_queue_bytes", 50, { mail: { bytes: 12.5e9 } }],
  ["usage_queue_age_ms", 25, { usage: { age: LONGEST_MS / 4 } }],
  ["mail_queue_age_ms", 25, { mail: { age: LONGEST_MS / 4 } }],
  ["dead_letters_age_ms", 25, { deadLetter: { queue: "checkline-usage", age: LONGEST_MS / 4 } }],
  ["emails_per_hour", 50, { emails: ["undo", 500] }],
  ["emails_per_hour", 50, { emails: ["links", 250] }],
  ["emails_per_hour", 50, { emails: ["notices", 100] }],
];

test("every threshold has a test", () => {
  expect([...new Set(THRESHOLDS.map(([name]) => name))]).toStrictEqual(Object.keys(NEARLY_FULL));
});

test("one below every threshold, nothing is nearly full", async () => {
  const held = { bytes: 12.5e9 - 1, age: LONGEST_MS / 4 - 1 };
  const deadLetter = { queue: "checkline-usage", age: LONGEST_MS / 4 - 1 };
  await runChecks({
    database: 8e9 - 1,
    ledgers: [8e9 - 1, 5e9],
    usage: held,
    mail: held,
    deadLetter,
    emails: ["links", 249],
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

test("email dead letters don't grow too old, and an empty queue is not old", async () => {
  await runChecks({ deadLetter: { queue: "checkline-mail", age: 9 * LONGEST_MS } });
  expect(warnings()).toStrictEqual([]);
});

test("what can't be measured hides nothing else, and keeps its last measurement", async () => {
  await runChecks({ mail: { bytes: 13e9 } });
  const env = network.behind();
  const MAIL = { ...env.MAIL, metrics: () => Promise.reject(new Error("away")) };
  const USAGE = queueOf(env.USAGE, { bytes: 20e9 });
  network.logs.length = 0;
  await until(runSchedule(CRON, createIsolate({ ...env, MAIL, USAGE })));
  expect(warnings()).toStrictEqual([["usage_queue_bytes", 80]]);
  expect((await ask()).capacity.nearly_full).toStrictEqual(["usage_queue_bytes", "mail_queue_bytes"]);
});

test("a full database that accepts no writes is still reported, and the run fails", async () => {
  network.faults.d1 = "takes no writes";
  await expect(runChecks({ usage: { bytes: 20e9 } })).rejects.toThrow();
  expect(warnings()).toStrictEqual([["usage_queue_bytes", 80]]);
});

test("nothing is known before the first run, or 15 minutes after the last", async () => {
  expect((await ask()).capacity).toStrictEqual({ state: "unknown", nearly_full: [] });
  await runChecks({ usage: { bytes: 20e9 } });
  expect((await ask()).capacity.state).toBe("nearly_full");
  skip(16 * 60_000);
  expect((await ask()).capacity).toStrictEqual({ state: "unknown", nearly_full: [] });
});

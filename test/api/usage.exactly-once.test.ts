import type { D1Database } from "@cloudflare/workers-types";
import { eq, inArray } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { apiKeys, usageDaily, usageEvents, users } from "../../schema.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { consumeUsage } from "../../worker/usage/consumer.ts";
import { DAY_MS, utcDay } from "../../worker/platform/time.ts";
import type { UsageEvent } from "../../worker/usage/event.ts";
import { purgeUsageEvents } from "../../worker/usage/purge.ts";
import { createIsolate } from "../../worker/io.ts";
import { newBatchId, storeUsage } from "../../worker/usage/store.ts";
import { createAccount } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { deliver } from "../queue-batch.ts";
import { seededRandom, shuffled } from "../seeded.ts";
import { NOON, usageEvent } from "../usage-events.ts";

const worker = startWorker();

beforeEach(() => {
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Delivers messages as the queue does: again until the consumer is content. Returns how often. */
async function consume(messages: readonly (readonly UsageEvent[])[], db: D1Database = worker.env.DB): Promise<number> {
  for (let attempts = 1; attempts <= 10; attempts++) {
    const letters = messages.map((events, index) => ({ id: `msg_${index}`, body: { events }, attempts }));
    const delivery = deliver("checkline-usage", letters);
    await consumeUsage(delivery.batch, { DB: db }, NOON);
    if (delivery.outcome.acked) return attempts;
    expect(delivery.outcome.retriedAfter).toBeGreaterThanOrEqual(10);
  }
  throw new Error("Ten tries were not enough");
}

/** A database whose batches fail when told: before anything happens, or after all of it did but the answer was lost. */
function failing(fate: () => "before" | "after" | "never"): D1Database {
  return new Proxy(worker.env.DB, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name) as unknown;
      return async (statements: Parameters<D1Database["batch"]>[0]) => {
        const now = fate();
        if (now === "before") throw new Error("D1_ERROR: D1 DB is overloaded.");
        const results = await target.batch(statements);
        if (now === "after") throw new Error("D1_ERROR: Network connection lost.");
        return results;
      };
    },
  });
}

function tally(rows: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted());
}

/** What the roll-up should hold after these events: each id once. */
function expected(events: readonly UsageEvent[]): Record<string, number> {
  const unique = new Map(events.map((event) => [event.id, event]));
  return tally([...unique.values()].map((e) => [e.user_id, e.mode, utcDay(e.at), e.country_code, e.outcome].join(" ")));
}

async function counted(accounts: readonly string[]): Promise<Record<string, number>> {
  const rows = await worker.db.select().from(usageDaily).where(inArray(usageDaily.userId, accounts));
  const entries = rows.map((row): [string, number] => [
    [row.userId, row.mode, row.day, row.countryCode, row.outcome].join(" "),
    row.count,
  ]);
  return Object.fromEntries(entries.toSorted());
}

async function createAccounts(count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => createAccount(worker.db)));
}

/** Messages of one to four events of several accounts, modes, countries and days, many of them around midnight. */
function randomMessages(count: number, accounts: readonly string[], random: () => number): UsageEvent[][] {
  function oneOf<T>(items: readonly T[]): T {
    return items[Math.floor(random() * items.length)]!;
  }
  const midnight = NOON - DAY_MS / 2;
  function event(): UsageEvent {
    return usageEvent({
      user_id: oneOf(accounts),
      mode: oneOf(["test", "live"]),
      at: midnight - Math.floor(random() * 9) * DAY_MS + oneOf([-1, 0, 1, Math.floor(random() * DAY_MS)]),
      country_code: oneOf(["BR", "US", "GB", "DE", "ZZ"]),
      outcome: oneOf(["success", "failure"]),
    });
  }
  return Array.from({ length: count }, () => Array.from({ length: 1 + Math.floor(random() * 4) }, event));
}

/** Deals messages into deliveries of 1 to 100, as many as come at once. */
function dealt<T>(messages: readonly T[], random: () => number): T[][] {
  const deliveries: T[][] = [];
  for (let start = 0; start < messages.length;) {
    const size = 1 + Math.floor(random() * 100);
    deliveries.push(messages.slice(start, start + size));
    start += size;
  }
  return deliveries;
}

describe("2,000 messages, every tenth twice, redelivered in any order", () => {
  test.each([1, 2, 3, 4])("are counted once (seed %i)", async (seed) => {
    const random = seededRandom(seed);
    const accounts = await createAccounts(3);
    const messages = randomMessages(2_000, accounts, random);
    const repeated = shuffled([...messages, ...messages.filter((_, index) => index % 10 === 0)], random);
    const deliveries = dealt(repeated, random);
    const again = deliveries.filter(() => random() < 0.3);
    for (const delivery of shuffled([...deliveries, ...again], random)) await consume(delivery);
    expect(await counted(accounts)).toStrictEqual(expected(messages.flat()));
  });

  test("are counted once by a database that fails before and after its work, and by two consumers at once", async () => {
    const random = seededRandom(5);
    const accounts = await createAccounts(3);
    const messages = randomMessages(500, accounts, random);
    const flaky = failing(() => (random() < 0.3 ? "before" : random() < 0.4 ? "after" : "never"));
    let tries = 0;
    for (const delivery of dealt(messages, random)) {
      const both = await Promise.all([consume(delivery, flaky), consume(delivery.toReversed(), flaky)]);
      tries += both[0] + both[1];
    }
    expect(tries).toBeGreaterThan(30);
    expect(await counted(accounts)).toStrictEqual(expected(messages.flat()));
  });

  test("are counted in more than one piece when they hold more than 5,000 events", async () => {
    const [account] = await createAccounts(1);
    const messages = Array.from({ length: 60 }, () =>
      Array.from({ length: 100 }, () => usageEvent({ user_id: account! })),
    );
    let pieces = 0;
    // The first piece is stored, the second fails: all of it comes again.
    expect(
      await consume(
        messages,
        failing(() => (++pieces === 2 ? "before" : "never")),
      ),
    ).toBe(2);
    expect(pieces).toBe(4);
    expect(Object.values(await counted([account!]))).toStrictEqual([6_000]);
  });
});

describe("an event", () => {
  test("of a deleted account falls away, and the others of its delivery do not", async () => {
    const [gone, here] = await createAccounts(2);
    await worker.db.delete(users).where(eq(users.id, gone!));
    expect(await consume([[usageEvent({ user_id: gone! }), usageEvent({ user_id: here! })]])).toBe(1);
    expect(Object.values(await counted([gone!, here!]))).toStrictEqual([1]);
  });

  test("that the queue refused is counted straight away, and once when the queue had it all the same", async () => {
    const [account] = await createAccounts(1);
    const event = usageEvent({ user_id: account!, country_code: "ZZ" });
    const queue = { send: () => Promise.reject(new Error("Queue send failed")) };
    const work: Promise<unknown>[] = [];
    const { recordUsage } = createIsolate(worker.env);
    recordUsage({ queue, db: worker.db, waitUntil: (promise) => void work.push(promise) }, [event]);
    await Promise.all(work);
    await consume([[event]]);
    expect(await counted([account!])).toStrictEqual({ [`${account} live 2026-01-02 ZZ success`]: 1 });
  });

  test("more than a call takes is refused before anything is stored", async () => {
    const events = Array.from({ length: 5_001 }, () => usageEvent());
    await expect(storeUsage(worker.db, events, { now: NOON, batchId: newBatchId() })).rejects.toThrow(RangeError);
  });
});

describe("last_used_at", () => {
  async function lastUsed(keyId: string) {
    const row = await worker.db.select().from(apiKeys).where(eq(apiKeys.id, keyId)).get();
    return row?.lastUsedAt;
  }

  test("is the time of the newest event, and never goes backwards", async () => {
    const [account, other] = await createAccounts(2);
    const key = await insertApiKey({ db: worker.db, now: NOON, userId: account!, mode: "live", name: "a" });
    const idle = await insertApiKey({ db: worker.db, now: NOON, userId: account!, mode: "live", name: "b" });
    const use = (at: number) => usageEvent({ user_id: account!, key_id: key.id, at });
    expect(await lastUsed(key.id)).toBeNull();
    await consume([[use(NOON - 2_000), use(NOON - 1_000)], [use(NOON - 3_000)]]);
    expect(await lastUsed(key.id)).toBe(NOON - 1_000);
    await consume([[use(NOON - 5_000)]]);
    expect(await lastUsed(key.id)).toBe(NOON - 1_000);
    await consume([[use(NOON)]]);
    expect(await lastUsed(key.id)).toBe(NOON);
    await consume([[usageEvent({ user_id: other!, key_id: key.id, at: NOON + 1_000 })]]);
    expect(await lastUsed(key.id)).toBe(NOON);
    expect(await lastUsed(idle.id)).toBeNull();
  });
});

describe("the purge", () => {
  test("deletes rows of more than 15 days, in chunks, and keeps younger ones and the counts", async () => {
    const [account] = await createAccounts(1);
    await worker.db.delete(usageEvents);
    const late = NOON + 20 * DAY_MS;
    const old = Array.from({ length: 25 }, () => usageEvent({ user_id: account! }));
    const young = [usageEvent({ user_id: account! })];
    await storeUsage(worker.db, old, { now: late - 15 * DAY_MS - 1, batchId: newBatchId() });
    await storeUsage(worker.db, young, { now: late - 15 * DAY_MS, batchId: newBatchId() });
    expect(await purgeUsageEvents(worker.db, late, 10)).toBe(25);
    const left = await worker.db.select({ id: usageEvents.id }).from(usageEvents);
    expect(left).toStrictEqual([{ id: young[0]!.id }]);
    expect(Object.values(await counted([account!]))).toStrictEqual([26]);
    expect(await purgeUsageEvents(worker.db, late, 10)).toBe(0);
  });
});

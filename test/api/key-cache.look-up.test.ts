import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { apiKeys, subscriptions, users } from "../../schema.ts";
import { openDatabase } from "../../worker/platform/db.ts";
import { findKeys, isOneOf, selectKeys } from "../../worker/keys/cache/find-keys.ts";
import { GATHER_MS } from "../../worker/keys/cache/gathering.ts";
import { createKeyCache } from "../../worker/keys/cache/key-cache.ts";
import type { LookUpRequest } from "../../worker/keys/cache/key-cache.ts";
import { recordName } from "../../worker/keys/cache/record.ts";
import { sleep } from "../../worker/platform/time-limit.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { createKey, createRevokedKey } from "../factories.ts";
import { deleteAccount } from "../../worker/accounts/delete-account.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";

const worker = startWorker();

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** An isolate over the worker's own KV and D1, whose clock can be advanced. */
function startIsolate() {
  const clock = { ahead: 0 };
  const cache = createKeyCache({
    now: () => Date.now() + clock.ahead,
    random: () => 0,
    // Don't wait for other isolates' comparisons with D1.
    sleep: (ms) => sleep(ms === GATHER_MS ? 0 : ms),
    find: findKeys,
  });
  let behind: Promise<unknown>[] = [];
  const request: LookUpRequest = {
    kv: worker.env.EDGE,
    db: worker.db,
    waitUntil: (work) => behind.push(work),
  };
  return {
    cache,
    clock,
    async lookUp(hash: string, lent: Partial<LookUpRequest> = {}) {
      const found = await cache.lookUp(hash, { ...request, ...lent });
      const work = behind;
      behind = [];
      await Promise.all(work);
      return found;
    },
  };
}

async function ownerOf(hash: string): Promise<string> {
  const row = await worker.db.select({ userId: apiKeys.userId }).from(apiKeys).where(eq(apiKeys.hash, hash)).get();
  return row!.userId;
}

describe("a key", () => {
  test("comes from D1, then from KV, with everything that a request needs", async () => {
    const hash = hashKey(await createKey(worker.db, "live"));
    const userId = await ownerOf(hash);
    const row = (await worker.db.select().from(apiKeys).where(eq(apiKeys.hash, hash)).get())!;
    const subscription = (await worker.db.select().from(subscriptions).where(eq(subscriptions.userId, userId)).get())!;
    const first = await startIsolate().lookUp(hash);
    expect(first).toStrictEqual({
      source: "d1",
      record: {
        revoked: false,
        revokedAt: null,
        version: 1,
        asOf: expect.any(Number) as number,
        id: row.id,
        userId,
        mode: "live",
        suspendedAt: null,
        expiresAt: null,
        cap: null,
        subscription: {
          plan: "trial",
          status: "active",
          startedAt: subscription.startedAt,
          expiresAt: subscription.expiresAt,
        },
      },
    });
    expect(await startIsolate().lookUp(hash)).toStrictEqual({ ...first, source: "kv" });
  });

  test("for tests needs no subscription", async () => {
    const hash = hashKey(await createKey(worker.db, "test", { subscription: "none" }));
    expect((await startIsolate().lookUp(hash)).record).toMatchObject({ mode: "test", subscription: null });
  });

  test("of a suspended account says so", async () => {
    const hash = hashKey(await createKey(worker.db, "test"));
    await worker.db
      .update(users)
      .set({ suspendedAt: 5 })
      .where(eq(users.id, await ownerOf(hash)));
    expect((await startIsolate().lookUp(hash)).record).toMatchObject({ suspendedAt: 5 });
  });

  test("that is revoked is rejected by D1, and by KV after that", async () => {
    const hash = hashKey(await createRevokedKey(worker.db, "live"));
    expect(await startIsolate().lookUp(hash)).toMatchObject({ source: "d1", record: { revoked: true } });
    expect(await startIsolate().lookUp(hash)).toMatchObject({ source: "kv", record: { revoked: true } });
  });

  test("that does not exist is null, and KV is not filled with it", async () => {
    const hash = hashKey("ch_live_that_does_not_exist");
    expect(await startIsolate().lookUp(hash)).toStrictEqual({ source: "d1", record: null });
    expect(await worker.env.EDGE.get(recordName(hash))).toBeNull();
  });
});

test("the edge copy contains neither key, name, nor address", async () => {
  const key = await createKey(worker.db, "live");
  const hash = hashKey(key);
  await startIsolate().lookUp(hash);
  const owner = (await worker.db
    .select()
    .from(users)
    .where(eq(users.id, await ownerOf(hash)))
    .get())!;
  const copy = await worker.env.EDGE.get(recordName(hash));
  for (const secret of [key, key.slice(8), key.slice(-6), owner.email, owner.name, hash]) {
    expect(copy).not.toContain(secret);
  }
});

test("without the database, known keys work for 15 minutes, from memory and from KV", async () => {
  const hash = hashKey(await createKey(worker.db, "live"));
  const gone = openDatabase({
    prepare: () => {
      throw new Error("D1_ERROR: Network connection lost.");
    },
  } as never);
  const warm = startIsolate();
  await warm.lookUp(hash);
  const cold = startIsolate();
  for (const isolate of [warm, cold]) {
    isolate.clock.ahead = 14 * 60_000;
    expect(await isolate.lookUp(hash, { db: gone })).toMatchObject({ source: "kv", record: { revoked: false } });
    isolate.clock.ahead = 16 * 60_000;
    await expect(isolate.lookUp(hash, { db: gone })).rejects.toThrow(
      "A key could be looked up neither in KV nor in D1",
    );
  }
});

test("an erased account's keys are rejected everywhere, and the tombstones contain nothing of it", async () => {
  const hash = hashKey(await createKey(worker.db, "live"));
  const isolate = startIsolate();
  await isolate.lookUp(hash);
  const userId = await ownerOf(hash);
  await deleteAccount({ ...ioOf(worker), keyCache: isolate.cache }, userId);
  expect(await isolate.cache.lookUp(hash, {} as LookUpRequest)).toMatchObject({
    source: "memory",
    record: { revoked: true },
  });
  expect(await startIsolate().lookUp(hash)).toMatchObject({ source: "kv", record: { revoked: true, version: 2 } });
  const { keys: names } = await worker.env.EDGE.list({ prefix: `gone:${hash}` });
  expect(names).toHaveLength(1);
  // 90 days from now, give or take the seconds of this test.
  expect(Math.abs(names[0]!.expiration! - Date.now() / 1_000 - 90 * 86_400)).toBeLessThan(60);
  expect(await worker.env.EDGE.get(`gone:${hash}`)).toBe('{"v":2,"revoked":true}');
});

test("several keys are found in one statement, each by its index, however many keys there are", async () => {
  const live = hashKey(await createKey(worker.db, "live"));
  const revoked = hashKey(await createRevokedKey(worker.db, "live"));
  const unknown = hashKey("ch_live_that_does_not_exist");
  const found = await findKeys(worker.db, [live, unknown, revoked], 5);
  expect([...found.keys()].toSorted()).toStrictEqual([live, unknown, revoked].toSorted());
  expect(found.get(live)).toMatchObject({ revoked: false, asOf: 5 });
  expect(found.get(revoked)).toMatchObject({ revoked: true });
  expect(found.get(unknown)).toStrictEqual({ revoked: null, asOf: 5 });

  const { sql: query, params } = selectKeys(worker.db)
    .where(isOneOf(apiKeys.hash, [live, revoked]))
    .toSQL();
  const plan = await worker.env.DB.prepare(`explain query plan ${query}`)
    .bind(...params)
    .all<{ detail: string }>();
  const details = plan.results.map(({ detail }) => detail);
  expect(details.filter((detail) => detail.startsWith("SEARCH"))).toHaveLength(3);
  // The hashes themselves.
  const scans = details.filter((detail) => detail.startsWith("SCAN"));
  expect(scans.filter((detail) => !detail.includes("json_each"))).toStrictEqual([]);
});

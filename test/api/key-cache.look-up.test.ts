import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { apiKeys, erasedKeys, subscriptions, users } from "../../schema.ts";
import { recordName, tombstoneName } from "../../worker/key-cache/edge.ts";
import { findKey, selectKeys } from "../../worker/key-cache/find-keys.ts";
import { createKeyCache } from "../../worker/key-cache/key-cache.ts";
import type { LookUpRequest } from "../../worker/key-cache/key-cache.ts";
import { publishKeys } from "../../worker/key-cache/publish.ts";
import { sleep } from "../../worker/platform/time-limit.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { createKey, createRevokedKey } from "../factories.ts";
import { findAccount } from "../../worker/accounts/accounts.ts";
import { deleteAccount } from "../../worker/administration/delete-account.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";

const worker = startWorker();

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** An isolate over the worker's own KV and D1. */
function startIsolate() {
  const cache = createKeyCache({ now: () => Date.now(), sleep, find: findKey });
  const request: LookUpRequest = { kv: worker.env.EDGE, db: worker.db, waitUntil() {} };
  return { cache, lookUp: (hash: string) => cache.lookUp(hash, request) };
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
      state: {
        version: 1,
        asOf: expect.any(Number) as number,
        id: row.id,
        userId,
        mode: "live",
        suspendedAt: null,
        expiresAt: null,
        root: row.id,
        cap: null,
        origins: [],
        needs: [],
        subscription: {
          plan: "trial",
          status: "active",
          startedAt: subscription.startedAt,
          expiresAt: subscription.expiresAt,
          limits: { quota: 1_000, requestsPerMinute: 60, numbersPerMinute: 1_000 },
        },
      },
    });
    await publishKeys({ edge: worker.env.EDGE, db: worker.db, now: Date.now() }, { userId });
    const asOf = expect.any(Number) as number;
    expect(await startIsolate().lookUp(hash)).toEqual({ source: "kv", state: { ...(first.state as object), asOf } });
  });

  test("for tests needs no subscription", async () => {
    const hash = hashKey(await createKey(worker.db, "test", { subscription: "none" }));
    expect((await startIsolate().lookUp(hash)).state).toMatchObject({ mode: "test", subscription: null });
  });

  test("of a suspended account says so", async () => {
    const hash = hashKey(await createKey(worker.db, "test"));
    await worker.db
      .update(users)
      .set({ suspendedAt: 5 })
      .where(eq(users.id, await ownerOf(hash)));
    expect((await startIsolate().lookUp(hash)).state).toMatchObject({ suspendedAt: 5 });
  });

  test("that is revoked is rejected, and one that does not exist is unknown; KV gets neither from a reader", async () => {
    const hash = hashKey(await createRevokedKey(worker.db, "live"));
    expect(await startIsolate().lookUp(hash)).toStrictEqual({ source: "d1", state: "revoked" });
    const missing = hashKey("ch_live_that_does_not_exist");
    expect(await startIsolate().lookUp(missing)).toStrictEqual({ source: "d1", state: "unknown" });
    for (const name of [recordName(hash), tombstoneName(hash), recordName(missing)]) {
      expect(await worker.env.EDGE.get(name)).toBeNull();
    }
  });
});

test("the edge copy contains neither key, name, nor address", async () => {
  const key = await createKey(worker.db, "live");
  const hash = hashKey(key);
  const userId = await ownerOf(hash);
  await publishKeys({ edge: worker.env.EDGE, db: worker.db, now: Date.now() }, { userId });
  const owner = (await worker.db.select().from(users).where(eq(users.id, userId)).get())!;
  const copy = await worker.env.EDGE.get(recordName(hash));
  for (const secret of [key, key.slice(8), key.slice(-6), owner.email, owner.name, hash]) {
    expect(copy).not.toContain(secret);
  }
});

test("an erased account's keys are rejected everywhere, and the tombstones contain nothing of it", async () => {
  const hash = hashKey(await createKey(worker.db, "live"));
  const isolate = startIsolate();
  await isolate.lookUp(hash);
  const userId = await ownerOf(hash);
  let published: Promise<unknown> = Promise.resolve();
  const waitUntil = (work: Promise<unknown>) => void (published = Promise.all([published, work]));
  await deleteAccount(
    { ...ioOf(worker), keyCache: isolate.cache, waitUntil },
    null,
    (await findAccount(worker.db, userId))!,
  );
  expect(await isolate.lookUp(hash)).toStrictEqual({ source: "memory", state: "revoked" });
  await published;
  expect(await startIsolate().lookUp(hash)).toStrictEqual({ source: "kv", state: "revoked" });
  expect(await worker.env.EDGE.get(tombstoneName(hash))).toBe("revoked");
  const waiting = await worker.db.select().from(erasedKeys);
  expect(waiting).toStrictEqual([{ hash, at: expect.any(Number) as number }]);
});

test("a key is found by its index, and the names listed from KV by theirs, however many keys there are", async () => {
  const { sql: query, params } = selectKeys(worker.db).where(eq(apiKeys.hash, "hash")).toSQL();
  const queries = [
    [query, params],
    ["select value from json_each(?) where value not in (select hash from api_keys)", ['["hash"]']],
  ] as const;
  for (const [text, values] of queries) {
    const plan = await worker.env.DB.prepare(`explain query plan ${text}`)
      .bind(...values)
      .all<{ detail: string }>();
    const scans = plan.results.map(({ detail }) => detail).filter((detail) => detail.startsWith("SCAN"));
    expect(scans.filter((detail) => !detail.includes("json_each"))).toStrictEqual([]);
  }
});

import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { subscriptions, users } from "../../schema.ts";
import type { EdgeKv } from "../../worker/keys/cache/edge.ts";
import { publishKeys, publishTombstones } from "../../worker/keys/cache/publish.ts";
import type { Publishing } from "../../worker/keys/cache/publish.ts";
import { tombstoneName } from "../../worker/keys/cache/record.ts";
import type { KeyRecord, Tombstone } from "../../worker/keys/cache/record.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { captureLog } from "../captured-log.ts";
import { startWorker } from "../harness.ts";
import { keyPublishing } from "../key-publishing.ts";

const worker = startWorker();
const { calls, publishing, failingKv, makeKey, isSynced, copyOf, revokeRow } = keyPublishing(worker);

const log = captureLog("warn");

describe("publishing keys", () => {
  test("writes the record of a new one, and marks its row", async () => {
    const key = await makeKey();
    expect(await isSynced(key)).toBe(false);
    expect(await publishKeys(publishing(), { keyIds: [key.id] })).toStrictEqual({ written: 1, failed: 0 });
    expect(await copyOf(key)).toMatchObject({ id: key.id, userId: key.userId, version: 1 });
    expect(await isSynced(key)).toBe(true);
  });

  test("by account, by hash, or by id writes those and no others", async () => {
    const [one, another] = [await makeKey(), await makeKey()];
    const second = await makeKey({ userId: one.userId, mode: "test" });
    expect(await publishKeys(publishing(), { userId: one.userId })).toStrictEqual({ written: 2, failed: 0 });
    expect(await copyOf(second)).not.toBeNull();
    expect(await copyOf(another)).toBeNull();
    expect(await publishKeys(publishing(), { hashes: [another.hash] })).toStrictEqual({ written: 1, failed: 0 });
    expect(await publishKeys(publishing(), { hashes: [] })).toStrictEqual({ written: 0, failed: 0 });
  });

  test("accepts any number of hashes, despite D1's limit of 100 parameters", async () => {
    const key = await makeKey();
    const hashes = [key.hash, ...Array.from({ length: 500 }, (_, index) => hashKey(`no key ${index}`))];
    expect(await publishKeys(publishing(), { hashes })).toStrictEqual({ written: 1, failed: 0 });
  });

  test("publishes suspension, another plan, and revocation, locally before KV has responded", async () => {
    const key = await makeKey();
    const revoked = await makeKey({ userId: key.userId });
    await revokeRow(revoked);
    await worker.db.update(users).set({ suspendedAt: 5 }).where(eq(users.id, key.userId));
    await worker.db.update(subscriptions).set({ plan: "pro" }).where(eq(subscriptions.userId, key.userId));
    const remembered = new Map<string, KeyRecord | Tombstone>();
    const kv = failingKv(Infinity);
    const io = publishing({
      edge: kv,
      keyCache: { remember: (hash, sighting) => void remembered.set(hash, sighting) },
    });
    expect(await publishKeys(io, { userId: key.userId })).toStrictEqual({ written: 0, failed: 2 });
    expect(remembered.get(key.hash)).toMatchObject({ suspendedAt: 5, subscription: { plan: "pro" } });
    expect(remembered.get(revoked.hash)).toStrictEqual({ revoked: true, version: 2 });
    await publishKeys(publishing(), { userId: key.userId });
    expect(await copyOf(key)).toMatchObject({ suspendedAt: 5, subscription: { plan: "pro" } });
    expect(await worker.env.EDGE.get(tombstoneName(revoked.hash))).toBe('{"v":2,"revoked":true}');
  });

  test("never fails the change: without KV the rows stay unsynced, without D1 nothing is written", async () => {
    const key = await makeKey();
    const failing = publishing({ edge: failingKv(Infinity) });
    expect(await publishKeys(failing, { userId: key.userId })).toStrictEqual({ written: 0, failed: 1 });
    expect(await isSynced(key)).toBe(false);
    const db = new Proxy(worker.db, {
      get: () => {
        throw new Error("D1_ERROR: Network connection lost.");
      },
    });
    expect(await publishKeys(publishing({ db }), { userId: key.userId })).toStrictEqual({ written: 0, failed: 0 });
    expect(log.events()).toStrictEqual(["key_not_published", "keys_not_published"]);
    expect(log.lines.join()).not.toContain(key.hash);
  });

  test("waits at most two seconds for a KV that never responds", async () => {
    const key = await makeKey();
    const hanging: EdgeKv = { ...failingKv(0), put: async () => new Promise(() => {}) };
    const limits: number[] = [];
    async function passed(ms: number): Promise<void> {
      limits.push(ms);
    }
    const io = publishing({ edge: hanging, sleep: passed });
    expect(await publishKeys(io, { keyIds: [key.id] })).toStrictEqual({ written: 0, failed: 1 });
    expect(limits).toStrictEqual([2_000]);
    expect(await isSynced(key)).toBe(false);
  });

  test("leaves a row that changes in between unsynced, even with a slow clock", async () => {
    const key = await makeKey();
    const { EDGE } = worker.env;
    const kv: EdgeKv = {
      get: (name, options) => EDGE.get(name, options),
      delete: (name) => EDGE.delete(name),
      async put(name, value, options) {
        await revokeRow(key);
        await EDGE.put(name, value, options);
      },
    };
    await publishKeys(publishing({ edge: kv, now: Date.now() + 60_000 }), { keyIds: [key.id] });
    expect(await isSynced(key)).toBe(false);
  });
});

describe("publishing tombstones", () => {
  test("needs no query first, and marks the rows", async () => {
    const key = await makeKey();
    await publishKeys(publishing(), { keyIds: [key.id] });
    const revoked = await revokeRow(key);
    const remember = vi.fn<NonNullable<Publishing["keyCache"]>["remember"]>();
    const published = publishTombstones(publishing({ keyCache: { remember } }), [revoked]);
    expect(remember).toHaveBeenCalledWith(key.hash, { revoked: true, version: 2 });
    expect(await published).toStrictEqual({ written: 1, failed: 0 });
    expect(await isSynced(key)).toBe(true);
  });

  test("is tried three times", async () => {
    const key = await makeKey();
    const revoked = await revokeRow(key);
    const kv = failingKv(2);
    calls.pauses = 0;
    expect(await publishTombstones(publishing({ edge: kv }), [revoked])).toStrictEqual({ written: 1, failed: 0 });
    expect([kv.failed, calls.pauses]).toStrictEqual([2, 2]);
  });

  test("is left to the outbox after that", async () => {
    const key = await makeKey();
    const revoked = await revokeRow(key);
    const io = publishing({ edge: failingKv(3) });
    expect(await publishTombstones(io, [revoked])).toStrictEqual({ written: 0, failed: 1 });
    expect(await isSynced(key)).toBe(false);
  });
});

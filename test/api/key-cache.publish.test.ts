import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { apiKeys, subscriptions, users } from "../../schema.ts";
import { tombstoneName } from "../../worker/key-cache/edge.ts";
import type { EdgeKv } from "../../worker/key-cache/edge.ts";
import { publishKeys, publishTombstones } from "../../worker/key-cache/publish.ts";
import type { KeyState } from "../../worker/key-cache/record.ts";
import { captureLog } from "../captured-log.ts";
import { startWorker } from "../harness.ts";
import { keyPublishing } from "../key-publishing.ts";

const worker = startWorker();
const { publishing, failingKv, makeKey, isSynced, copyOf, revokeRow } = keyPublishing(worker);

const log = captureLog("warn");

describe("publishing keys", () => {
  test("by id or by account writes those and no others, and leaves the rows to the scheduled job", async () => {
    const [one, another] = [await makeKey(), await makeKey()];
    const second = await makeKey({ userId: one.userId, mode: "test" });
    await publishKeys(publishing(), { keyId: one.id });
    expect(await copyOf(one)).toMatchObject({ id: one.id, userId: one.userId, version: 1 });
    expect(await copyOf(second)).toBeNull();
    await publishKeys(publishing(), { userId: one.userId });
    expect(await copyOf(second)).toMatchObject({ id: second.id });
    expect(await copyOf(another)).toBeNull();
    expect(await isSynced(one)).toBe(false);
  });

  test("publishes suspension, another plan, and revocation, locally before KV has responded", async () => {
    const key = await makeKey();
    const revoked = await makeKey({ userId: key.userId });
    await revokeRow(revoked);
    await worker.db.update(users).set({ suspendedAt: 5 }).where(eq(users.id, key.userId));
    await worker.db.update(subscriptions).set({ plan: "pro" }).where(eq(subscriptions.userId, key.userId));
    const remembered = new Map<string, KeyState>();
    const io = publishing({
      edge: failingKv(Infinity),
      keyCache: { remember: (hash, state) => void remembered.set(hash, state) },
    });
    await publishKeys(io, { userId: key.userId });
    expect(remembered.get(key.hash)).toMatchObject({ suspendedAt: 5, subscription: { plan: "pro" } });
    expect(remembered.get(revoked.hash)).toBe("revoked");
    await publishKeys(publishing(), { userId: key.userId });
    expect(await copyOf(key)).toMatchObject({ suspendedAt: 5, subscription: { plan: "pro" } });
    expect(await worker.env.EDGE.get(tombstoneName(revoked.hash))).toBe("revoked");
  });

  test("leaves a change within five seconds of another to the scheduled job, but not a revocation", async () => {
    const key = await makeKey();
    const { createdAt } = (await worker.db.select().from(apiKeys).where(eq(apiKeys.id, key.id)).get())!;
    const change = (ms: number) => ({ version: 2, updatedAt: createdAt + ms, previousAt: createdAt });
    await worker.db.update(apiKeys).set(change(4_999)).where(eq(apiKeys.id, key.id));
    await publishKeys(publishing(), { keyId: key.id });
    expect(await copyOf(key)).toBeNull();
    await worker.db.update(apiKeys).set(change(5_000)).where(eq(apiKeys.id, key.id));
    await publishKeys(publishing(), { keyId: key.id });
    expect(await copyOf(key)).toMatchObject({ version: 2 });
    await worker.db
      .update(apiKeys)
      .set({ ...change(0), revokedAt: 5 })
      .where(eq(apiKeys.id, key.id));
    await publishKeys(publishing(), { keyId: key.id });
    expect(await worker.env.EDGE.get(tombstoneName(key.hash))).toBe("revoked");
  });

  test("never fails the change: without KV or D1 it only logs, without identifying a key", async () => {
    const key = await makeKey();
    await publishKeys(publishing({ edge: failingKv(Infinity) }), { userId: key.userId });
    const db = new Proxy(worker.db, {
      get: () => {
        throw new Error("D1_ERROR: Network connection lost.");
      },
    });
    await publishKeys(publishing({ db }), { userId: key.userId });
    expect(log.events()).toStrictEqual(["key_not_published", "keys_not_published"]);
    expect(log.lines.join()).not.toContain(key.hash);
  });

  test("writes five at a time, and waits two seconds for each from when it starts", async () => {
    const userId = (await makeKey()).userId;
    for (let made = 1; made < 12; made++) await makeKey({ userId, mode: made % 2 === 0 ? "live" : "test" });
    const pending: (() => void)[] = [];
    const limits: number[] = [];
    const hanging: EdgeKv = { ...failingKv(0), put: () => new Promise<never>(() => {}) };
    /** Each time limit waits for the test. */
    function sleep(ms: number): Promise<void> {
      limits.push(ms);
      return new Promise((resolve) => pending.push(resolve));
    }
    const published = publishKeys(publishing({ edge: hanging, sleep }), { userId });
    for (const started of [5, 10, 12]) {
      await expect.poll(() => limits.length).toBe(started);
      for (const end of pending.splice(0)) end();
    }
    await published;
    expect(new Set(limits)).toStrictEqual(new Set([2_000]));
  });
});

test("tombstones need no query, and are remembered before the first wait", async () => {
  const key = await makeKey();
  await publishKeys(publishing(), { keyId: key.id });
  const remembered: unknown[] = [];
  const keyCache = { remember: (...given: unknown[]) => void remembered.push(given) };
  const published = publishTombstones({ edge: worker.env.EDGE, keyCache }, [key]);
  expect(remembered).toStrictEqual([[key.hash, "revoked"]]);
  await published;
  expect(await worker.env.EDGE.get(tombstoneName(key.hash))).toBe("revoked");
  expect(await copyOf(key)).toBeNull();
  const { keys } = await worker.env.EDGE.list({ prefix: tombstoneName(key.hash) });
  expect(keys).toStrictEqual([{ name: tombstoneName(key.hash) }]);
});

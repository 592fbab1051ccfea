import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { apiKeys, users } from "../../schema.ts";
import { isUnsynced } from "../../worker/keys/cache/find-keys.ts";
import { ORDER, selectPage, syncOutbox } from "../../worker/keys/cache/outbox.ts";
import { publishTombstones } from "../../worker/keys/cache/publish.ts";
import { recordName, tombstoneName } from "../../worker/keys/cache/record.ts";
import { touchActiveKeys } from "../../worker/keys/key-changes.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { newId } from "../../worker/platform/random.ts";
import { createAccount } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { keyPublishing } from "../key-publishing.ts";

const worker = startWorker();
const { publishing, failingKv, makeKey, copyOf, isSynced, revokeRow } = keyPublishing(worker);

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the outbox", () => {
  async function drain(): Promise<void> {
    while ((await syncOutbox(publishing())).more);
  }

  /** Keys that have waited for long, many of them since the same millisecond. */
  async function insertWaiting(userId: string, count: number): Promise<void> {
    const rows = Array.from({ length: count }, (_, index) => ({
      id: newId("key"),
      userId,
      mode: "test" as const,
      name: "test",
      hash: hashKey(`outbox ${userId} ${index}`),
      hint: "test",
      createdAt: 1_000,
      updatedAt: 1_000 + Math.floor(index / 60),
    }));
    for (let start = 0; start < rows.length; start += 8) {
      await worker.db.insert(apiKeys).values(rows.slice(start, start + 8));
    }
  }

  test("repairs what KV rejected, records and tombstones, and then has nothing left", async () => {
    await drain();
    const keys = await Promise.all(Array.from({ length: 7 }, () => makeKey()));
    const revoked = await revokeRow(keys[0]!);
    await publishTombstones(publishing({ edge: failingKv(Infinity) }), [revoked]);
    expect(await syncOutbox(publishing())).toStrictEqual({ repaired: 7, failed: 0, more: false });
    expect(await worker.env.EDGE.get(tombstoneName(revoked.hash))).not.toBeNull();
    expect(await copyOf(keys[6]!)).toMatchObject({ id: keys[6]!.id });
    expect(await syncOutbox(publishing())).toStrictEqual({ repaired: 0, failed: 0, more: false });
  });

  test("continues past a key that KV rejects, which is retried in the next run", async () => {
    await drain();
    const keys = await Promise.all(Array.from({ length: 5 }, () => makeKey()));
    const kv = failingKv(Infinity, (name) => name === recordName(keys[2]!.hash));
    expect(await syncOutbox(publishing({ edge: kv }))).toStrictEqual({ repaired: 4, failed: 1, more: false });
    expect(await syncOutbox(publishing())).toStrictEqual({ repaired: 1, failed: 0, more: false });
  });

  test("processes a bounded number of rows, in pages, the longest waiting first", async () => {
    await drain();
    const userId = await createAccount(worker.db);
    await insertWaiting(userId, 120);
    expect(await syncOutbox(publishing(), 70)).toStrictEqual({ repaired: 70, failed: 0, more: true });
    const left = await worker.db
      .select({ updatedAt: apiKeys.updatedAt })
      .from(apiKeys)
      .where(and(eq(apiKeys.userId, userId), isUnsynced));
    expect(left.map(({ updatedAt }) => updatedAt)).toStrictEqual(Array.from({ length: 50 }, () => 1_001));
    const down = publishing({ edge: failingKv(Infinity) });
    expect(await syncOutbox(down)).toStrictEqual({ repaired: 0, failed: 50, more: true });
    expect(await syncOutbox(publishing())).toStrictEqual({ repaired: 50, failed: 0, more: false });
  });

  test("starts with revoked keys, then those of suspended accounts, however many wait longer", async () => {
    await drain();
    const [revoked, suspended] = [await makeKey(), await makeKey()];
    await drain();
    await insertWaiting(await createAccount(worker.db), 60);
    await revokeRow(revoked);
    const now = Date.now();
    await worker.db.update(users).set({ suspendedAt: now }).where(eq(users.id, suspended.userId));
    await touchActiveKeys(worker.db, suspended.userId, now);
    expect(await syncOutbox(publishing(), 1)).toStrictEqual({ repaired: 1, failed: 0, more: true });
    expect(await isSynced(revoked)).toBe(true);
    expect(await isSynced(suspended)).toBe(false);
    expect(await syncOutbox(publishing(), 1)).toStrictEqual({ repaired: 1, failed: 0, more: true });
    expect(await copyOf(suspended)).toMatchObject({ suspendedAt: now });
    expect(await syncOutbox(publishing())).toStrictEqual({ repaired: 60, failed: 0, more: false });
  });

  test("reads an index of what waits or of who is suspended, not every key", async () => {
    const used: string[] = [];
    for (const which of ORDER) {
      const { sql: query, params } = selectPage({ db: worker.db }, which, null, 50).toSQL();
      const plan = await worker.env.DB.prepare(`explain query plan ${query}`)
        .bind(...params)
        .all<{ detail: string }>();
      const details = plan.results.map(({ detail }) => detail);
      used.push(...details.filter((detail) => / api_keys | users USING INDEX users_/.test(detail)));
    }
    expect(used).toStrictEqual([
      "SCAN api_keys USING INDEX api_keys_unsynced_revoked",
      "SEARCH users USING INDEX users_suspended (suspended_at>?)",
      "SEARCH api_keys USING INDEX api_keys_user (user_id=?)",
      "SCAN api_keys USING INDEX api_keys_unsynced",
    ]);
  });
});

import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { apiKeys } from "../../schema.ts";
import { isUnsynced, selectKeys } from "../../worker/keys/cache/find-keys.ts";
import { syncOutbox } from "../../worker/keys/cache/outbox.ts";
import { publishTombstones } from "../../worker/keys/cache/publish.ts";
import { recordName, tombstoneName } from "../../worker/keys/cache/record.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { newId } from "../../worker/platform/random.ts";
import { createAccount } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { keyPublishing } from "../key-publishing.ts";

const worker = startWorker();
const { publishing, failingKv, makeKey, copyOf, revokeRow } = keyPublishing(worker);

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

  test("repairs what KV refused, records and tombstones, and then has nothing left", async () => {
    await drain();
    const keys = await Promise.all(Array.from({ length: 7 }, () => makeKey()));
    const revoked = await revokeRow(keys[0]!);
    await publishTombstones(publishing({ edge: failingKv(Infinity) }), [revoked]);
    expect(await syncOutbox(publishing())).toStrictEqual({ repaired: 7, failed: 0, more: false });
    expect(await worker.env.EDGE.get(tombstoneName(revoked.hash))).not.toBeNull();
    expect(await copyOf(keys[6]!)).toMatchObject({ id: keys[6]!.id });
    expect(await syncOutbox(publishing())).toStrictEqual({ repaired: 0, failed: 0, more: false });
  });

  test("goes on past a key that KV refuses, which is tried again the next time", async () => {
    await drain();
    const keys = await Promise.all(Array.from({ length: 5 }, () => makeKey()));
    const kv = failingKv(Infinity, (name) => name === recordName(keys[2]!.hash));
    expect(await syncOutbox(publishing({ edge: kv }))).toStrictEqual({ repaired: 4, failed: 1, more: false });
    expect(await syncOutbox(publishing())).toStrictEqual({ repaired: 1, failed: 0, more: false });
  });

  test("takes a bounded number of rows, in pages, the longest waiting first", async () => {
    await drain();
    const userId = await createAccount(worker.db);
    const rows = Array.from({ length: 120 }, (_, index) => ({
      id: newId("key"),
      userId,
      mode: "test" as const,
      name: "test",
      hash: hashKey(`outbox ${userId} ${index}`),
      hint: "test",
      createdAt: 1_000,
      // Many at the same millisecond, across the border of a page.
      updatedAt: 1_000 + Math.floor(index / 60),
    }));
    for (let start = 0; start < rows.length; start += 8) {
      await worker.db.insert(apiKeys).values(rows.slice(start, start + 8));
    }
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

  test("reads the index of what is not synced, not every key", async () => {
    const { sql: query, params } = selectKeys(worker.db)
      .where(isUnsynced)
      .orderBy(apiKeys.updatedAt, apiKeys.id)
      .toSQL();
    const plan = await worker.env.DB.prepare(`explain query plan ${query}`)
      .bind(...params)
      .all<{ detail: string }>();
    const details = plan.results.map(({ detail }) => detail);
    expect(details.filter((detail) => detail.includes("api_keys"))).toStrictEqual([
      "SCAN api_keys USING INDEX api_keys_unsynced",
    ]);
  });
});

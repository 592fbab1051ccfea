import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { apiKeys, erasedKeys, users } from "../../schema.ts";
import { recordName, tombstoneName } from "../../worker/key-cache/edge.ts";
import { OTHERS, REVOKED, selectPage, SUSPENDED } from "../../worker/key-cache/outbox.ts";
import { touchActiveKeys } from "../../worker/key-cache/key-changes.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { createAccount } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { keyPublishing } from "../key-publishing.ts";

const worker = startWorker();
const { runOutbox, failingKv, makeKey, copyOf, isSynced, revokeRow } = keyPublishing(worker);

beforeEach(async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  await worker.db.delete(users);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Keys that have waited for long, sixty of them since the same millisecond. */
async function insertWaiting(count: number): Promise<void> {
  const userId = await createAccount(worker.db);
  await worker.db.run(sql`
    with recursive rows(i) as (select 0 union all select i + 1 from rows where i < ${count - 1})
    insert into ${apiKeys} (id, user_id, mode, name, hash, hint, created_at, updated_at)
    select 'key_' || hex(randomblob(10)), ${userId}, 'test', 'test', lower(hex(randomblob(32))), 'test', 1000, 1000 + i / 60
    from rows`);
}

/** KV that notes the names it is given. */
function watchedKv() {
  const names: string[] = [];
  const kv = {
    ...failingKv(0),
    names,
    async put(name: string) {
      names.push(name);
    },
    async delete() {},
  };
  return kv;
}

describe("the outbox", () => {
  test("writes records and tombstones that KV lacks, and then has nothing left", async () => {
    const keys = await Promise.all(Array.from({ length: 7 }, () => makeKey()));
    await revokeRow(keys[0]!);
    expect(await runOutbox()).toStrictEqual({ written: 7, failed: 0, more: false });
    expect(await worker.env.EDGE.get(tombstoneName(keys[0]!.hash))).not.toBeNull();
    expect(await copyOf(keys[6]!)).toMatchObject({ id: keys[6]!.id });
    expect(await runOutbox()).toStrictEqual({ written: 0, failed: 0, more: false });
  });

  test("marks a row only if the write began a minute or more after the change", async () => {
    const key = await makeKey();
    expect(await runOutbox({ now: () => Date.now() + 55_000 })).toStrictEqual({ written: 1, failed: 0, more: false });
    expect(await copyOf(key)).toMatchObject({ id: key.id });
    expect(await isSynced(key)).toBe(false);
    expect(await runOutbox()).toMatchObject({ written: 1 });
    expect(await isSynced(key)).toBe(true);
  });

  test("doesn't mark a row that changed again in between, even with a slow clock", async () => {
    const key = await makeKey();
    const edge = { ...failingKv(0), put: () => revokeRow(key) };
    expect(await runOutbox({ edge })).toMatchObject({ written: 1 });
    expect(await isSynced(key)).toBe(false);
  });

  test("continues past a key that KV rejects, which is written in the next run", async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => makeKey()));
    const edge = failingKv(Infinity, (name) => name === tombstoneName(keys[2]!.hash));
    await revokeRow(keys[2]!);
    expect(await runOutbox({ edge })).toStrictEqual({ written: 4, failed: 1, more: false });
    expect(await runOutbox()).toStrictEqual({ written: 1, failed: 0, more: false });
  });

  test("ends with a page that KV rejects entirely", async () => {
    await insertWaiting(120);
    expect(await runOutbox({ edge: failingKv(Infinity) })).toStrictEqual({ written: 0, failed: 50, more: true });
    expect(await runOutbox({ edge: watchedKv() })).toStrictEqual({ written: 120, failed: 0, more: false });
  });

  test("makes at most 900 of the 1,000 KV calls that a run may make", async () => {
    await insertWaiting(1_000);
    expect(await runOutbox({ edge: watchedKv() })).toStrictEqual({ written: 800, failed: 0, more: true });
    expect(await runOutbox({ edge: watchedKv() })).toStrictEqual({ written: 200, failed: 0, more: false });
  });

  test("stops after 45 seconds", async () => {
    await insertWaiting(120);
    let now = Date.now();
    const edge = watchedKv();
    const put = async (name: string) => {
      now += 900;
      edge.names.push(name);
    };
    expect(await runOutbox({ edge: { ...edge, put }, now: () => now })).toMatchObject({ written: 50, more: true });
  });

  test("removes access first, then writes the latest changes", async () => {
    const [revoked, suspended, other] = [await makeKey(), await makeKey(), await makeKey()];
    await insertWaiting(60);
    const now = Date.now();
    await worker.db.update(users).set({ suspendedAt: now }).where(eq(users.id, suspended.userId));
    await touchActiveKeys(worker.db, suspended.userId, now);
    await revokeRow(revoked);
    const erased = hashKey("erased");
    await worker.db.insert(erasedKeys).values({ hash: erased, at: now });
    const edge = watchedKv();
    expect(await runOutbox({ edge })).toStrictEqual({ written: 64, failed: 0, more: false });
    expect(edge.names.slice(0, 4)).toStrictEqual([
      tombstoneName(revoked.hash),
      tombstoneName(erased),
      recordName(suspended.hash),
      recordName(other.hash),
    ]);
    expect(await worker.db.select().from(erasedKeys)).toStrictEqual([]);
  });

  test("writes no tombstone for an erased key that the database has again", async () => {
    const key = await makeKey();
    await worker.db.insert(erasedKeys).values({ hash: key.hash, at: Date.now() });
    const edge = watchedKv();
    expect(await runOutbox({ edge })).toStrictEqual({ written: 1, failed: 0, more: false });
    expect(edge.names).toStrictEqual([recordName(key.hash)]);
    expect(await worker.db.select().from(erasedKeys)).toStrictEqual([]);
  });

  test("leaves the same with two runs at the same time", async () => {
    const keys = await Promise.all(Array.from({ length: 60 }, () => makeKey()));
    await revokeRow(keys[0]!);
    await Promise.all([runOutbox(), runOutbox()]);
    for (const key of keys) expect(await isSynced(key)).toBe(true);
    expect(await worker.env.EDGE.get(tombstoneName(keys[0]!.hash))).not.toBeNull();
    expect(await copyOf(keys[0]!)).toBeNull();
    expect(await copyOf(keys[59]!)).toMatchObject({ id: keys[59]!.id });
  });

  test("reads an index of what waits or of who is suspended, not every key", async () => {
    const used: string[] = [];
    for (const which of [REVOKED, SUSPENDED, OTHERS]) {
      const { sql: query, params } = selectPage(worker.db, which, null).toSQL();
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

import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { apiKeys, erasedKeys, users } from "../../schema.ts";
import { recordName, tombstoneName } from "../../worker/key-cache/edge.ts";
import type { EdgeKv } from "../../worker/key-cache/edge.ts";
import { isUnsynced } from "../../worker/key-cache/find-keys.ts";
import { touchActiveKeys } from "../../worker/key-cache/key-changes.ts";
import { OTHERS, REVOKED, selectPage, SUSPENDED, syncOutbox } from "../../worker/key-cache/outbox.ts";
import { publishKeys } from "../../worker/key-cache/publish.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { openDatabase } from "../../worker/platform/db.ts";
import { pass, skip, until } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { Caller } from "./network.ts";

const network = startNetwork();

/** The names that KV was given to write, in order. */
let written: string[];
/** What each write does. */
let put: (name: string) => Promise<void>;

const edge: EdgeKv = {
  get: async () => null,
  async put(name) {
    written.push(name);
    await put(name);
  },
  async delete() {},
};

async function reject(): Promise<void> {
  throw new Error("KV PUT failed: 429 Too Many Requests");
}

function run() {
  return syncOutbox({ edge, db: network.worker.db, now: () => Date.now() });
}

function publish(which: Parameters<typeof publishKeys>[1], db = network.worker.db) {
  return publishKeys({ edge, db, now: Date.now() }, which);
}

const nameOf = ({ key }: Pick<Caller, "key">) => recordName(hashKey(key));
const goneOf = ({ key }: Pick<Caller, "key">) => tombstoneName(hashKey(key));

async function revokeRow({ keyId }: Caller): Promise<void> {
  const changes = { revokedAt: Date.now(), version: 2, previousAt: Date.now() };
  await network.worker.db.update(apiKeys).set(changes).where(eq(apiKeys.id, keyId));
}

async function waiting(): Promise<string[]> {
  return (await network.worker.db.select({ id: apiKeys.id }).from(apiKeys).where(isUnsynced)).map(({ id }) => id);
}

/** Keys that have waited for long, sixty of them since the same millisecond. */
async function insertWaiting(count: number): Promise<void> {
  const { userId, keyId } = await network.caller();
  await network.worker.db.delete(apiKeys).where(eq(apiKeys.id, keyId));
  await network.worker.db.run(sql`
    with recursive rows(i) as (select 0 union all select i + 1 from rows where i < ${count - 1})
    insert into ${apiKeys} (id, user_id, mode, name, hash, hint, created_at, updated_at)
    select 'key_' || hex(randomblob(10)), ${userId}, 'test', 'test', lower(hex(randomblob(32))), 'test', 1000, 1000 + i / 60
    from rows`);
}

beforeEach(async () => {
  written = [];
  put = async () => {};
  await network.worker.db.delete(users);
});

describe("the outbox", () => {
  test("doesn't mark a row that changed again in between, with the same time", async () => {
    const caller = await network.caller();
    skip(60_000);
    put = () => revokeRow(caller);
    expect(await run()).toStrictEqual({ written: 1, failed: 0, more: false });
    expect(await waiting()).toStrictEqual([caller.keyId]);
  });

  test("continues past a key that KV rejects, which is written in the next run", async () => {
    const callers = await Promise.all(Array.from({ length: 5 }, () => network.caller()));
    skip(60_000);
    put = async (name) => void (name === nameOf(callers[2]!) && (await reject()));
    expect(await run()).toStrictEqual({ written: 4, failed: 1, more: false });
    put = async () => {};
    expect(await run()).toStrictEqual({ written: 1, failed: 0, more: false });
    expect(await run()).toStrictEqual({ written: 0, failed: 0, more: false });
  });

  test("ends with a page that KV rejects entirely, below 1,000 KV calls, and after 45 seconds", async () => {
    await insertWaiting(1_000);
    put = reject;
    expect(await run()).toStrictEqual({ written: 0, failed: 50, more: true });
    put = async () => skip(901);
    expect(await run()).toStrictEqual({ written: 50, failed: 0, more: true });
    put = async () => skip(899);
    expect(await run()).toStrictEqual({ written: 100, failed: 0, more: true });
    put = async () => {};
    expect(await run()).toStrictEqual({ written: 800, failed: 0, more: true });
    expect(await run()).toStrictEqual({ written: 50, failed: 0, more: false });
  });

  test("removes access first, then writes the latest changes", async () => {
    const { db } = network.worker;
    const [revoked, suspended, other] = [await network.caller(), await network.caller(), await network.caller()];
    await insertWaiting(60);
    const now = Date.now();
    await db.update(users).set({ suspendedAt: now }).where(eq(users.id, suspended.userId));
    await touchActiveKeys(db, suspended.userId, now);
    await revokeRow(revoked);
    const erased = { key: "erased" };
    await db.insert(erasedKeys).values({ hash: hashKey(erased.key), at: now });
    skip(60_000);
    expect(await run()).toStrictEqual({ written: 64, failed: 0, more: false });
    const order = [goneOf(revoked), goneOf(erased), nameOf(suspended), nameOf(other)];
    expect(written.slice(0, 4)).toStrictEqual(order);
    expect([await waiting(), await db.select().from(erasedKeys)]).toStrictEqual([[], []]);
  });

  test("writes no tombstone for an erased key that the database has again", async () => {
    const { db } = network.worker;
    const caller = await network.caller();
    await db.insert(erasedKeys).values({ hash: hashKey(caller.key), at: Date.now() });
    expect(await run()).toStrictEqual({ written: 1, failed: 0, more: false });
    expect(written).toStrictEqual([nameOf(caller)]);
    expect(await db.select().from(erasedKeys)).toStrictEqual([]);
  });

  test("leaves the same with two runs at the same time", async () => {
    await insertWaiting(60);
    await Promise.all([run(), run()]);
    expect(await waiting()).toStrictEqual([]);
  });

  test("reads an index of what waits or of who is suspended, and of names from KV, not every key", async () => {
    const { db, env } = network.worker;
    const used: string[] = [];
    const queries = [REVOKED, SUSPENDED, OTHERS].map((which) => selectPage(db, which, null).toSQL());
    const names = "select value from json_each(?) where value not in (select hash from api_keys)";
    for (const { sql: query, params } of [...queries, { sql: names, params: ["[]"] }]) {
      const plan = await env.DB.prepare(`explain query plan ${query}`)
        .bind(...params)
        .all<{ detail: string }>();
      const details = plan.results.map(({ detail }) => detail);
      used.push(...details.filter((detail) => / api_keys | users USING INDEX users_|^USING/.test(detail)));
    }
    expect(used).toStrictEqual([
      "SCAN api_keys USING INDEX api_keys_unsynced_revoked",
      "SEARCH users USING INDEX users_suspended (suspended_at>?)",
      "SEARCH api_keys USING INDEX api_keys_user (user_id=?)",
      "SCAN api_keys USING INDEX api_keys_unsynced",
      "USING INDEX api_keys_hash_unique FOR IN-OPERATOR",
    ]);
  });
});

describe("publishing", () => {
  test("writes one key or an account's, and no others, and leaves the rows to the outbox", async () => {
    const [one, another] = [await network.caller(), await network.caller()];
    const second = await network.anotherKey(one.userId, "test");
    await publish({ keyId: one.keyId });
    expect(written).toStrictEqual([nameOf(one)]);
    await publish({ userId: one.userId });
    expect(written.slice(1).toSorted()).toStrictEqual([nameOf(one), recordName(hashKey(second.apiKey))].toSorted());
    expect((await waiting()).toSorted()).toStrictEqual([one.keyId, second.id, another.keyId].toSorted());
    await revokeRow(one);
    await publish({ userId: one.userId });
    expect(written.slice(3)).toContain(goneOf(one));
    skip(60_000);
    await run();
    written = [];
    await publish({ userId: one.userId });
    expect(written).toStrictEqual([recordName(hashKey(second.apiKey))]);
  });

  test("never fails the change: without KV or D1 it only logs, without identifying a key", async () => {
    const { userId, key } = await network.caller();
    put = reject;
    await publish({ userId });
    const db = new Proxy(network.worker.db, {
      get: () => {
        throw new Error("D1_ERROR: Network connection lost.");
      },
    });
    await publish({ userId }, db);
    const lines = network.logs.map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { level: "warn", event: "key_not_published", message: "KV PUT failed: 429 Too Many Requests" },
      { level: "warn", event: "keys_not_published", message: "D1_ERROR: Network connection lost." },
    ]);
    expect(network.logs.join()).not.toContain(hashKey(key));
  });

  test("writes five at a time, and waits two seconds for each from when it starts", async () => {
    const { userId } = await network.caller();
    for (let made = 1; made < 12; made++) await network.anotherKey(userId, made % 2 === 0 ? "live" : "test");
    put = () => new Promise(() => {});
    const published = publish({ userId }, openDatabase(network.behind().DB));
    await pass(1_900);
    expect(written).toHaveLength(5);
    await pass(2_000);
    expect(written).toHaveLength(10);
    await pass(2_000);
    expect(written).toHaveLength(12);
    await until(published, 200);
  });
});

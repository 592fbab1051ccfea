import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { apiKeys } from "../../schema.ts";
import { recordName, tombstoneName } from "../../worker/key-cache/edge.ts";
import { findKey, selectKeys } from "../../worker/key-cache/find-keys.ts";
import { decodeRecord } from "../../worker/key-cache/record.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import type { KvStandIn } from "../kv-stand-in.ts";
import { send } from "../requests.ts";
import { verify } from "./calls.ts";
import { pass, skip } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";
import { createStaleKv } from "./stale-kv.ts";

const network = startNetwork();

const MINUTE = 60_000;
const KV_READ = ["kv.get", "kv.get"];

let isolate: NetworkIsolate;
let caller: Caller;
let hash: string;

/** When the look-up that a test measures from began, in milliseconds since the Unix epoch. */
let since: number;

/** Skips to this many milliseconds later. */
function at(ms: number): void {
  skip(since + ms - Date.now());
}

/** What a caller sees of a key, after how many tenths of a second, and which of KV and D1 were called by then. */
async function sees(where = isolate, { key } = caller) {
  where.calls.length = 0;
  const { status, code, source, waited } = await verify(where, key);
  const calls = where.calls.filter((call) => call !== "ledger" && !call.includes("backstop"));
  return [`${code ?? status} ${source}`, Math.floor(waited / 100), calls];
}

async function change(method: string, body?: object): Promise<void> {
  const response = await isolate.fetch(`/api/v1/account/api-keys/${caller.keyId}`, send(method, caller.token, body));
  expect(response.status).toBe(200);
}

async function rowOf({ keyId } = caller) {
  return (await network.worker.db.select().from(apiKeys).where(eq(apiKeys.id, keyId)).get())!;
}

/** KV that can't read this name. */
function kvWithout(name: string): KvStandIn {
  const kv = createStaleKv();
  return {
    ...kv,
    at(location) {
      const edge = kv.at(location);
      return {
        ...edge,
        async get(read) {
          if (read === name) throw new Error("KV GET failed: 500 Internal Server Error");
          return edge.get(read);
        },
      };
    },
  };
}

beforeEach(async () => {
  isolate = await network.isolate();
  caller = await network.caller("live", { plan: "pro" });
  hash = hashKey(caller.key);
  since = Date.now();
});

describe("a key in memory", () => {
  test("is used for 10 s, then checked behind one response, and after 30 s before it", async () => {
    await network.publish(caller);
    expect(await sees()).toStrictEqual(["200 kv", 0, KV_READ]);
    at(9_999);
    expect(await sees()).toStrictEqual(["200 memory", 0, []]);
    at(10_000);
    expect(await sees()).toStrictEqual(["200 memory", 0, KV_READ]);
    expect(await sees()).toStrictEqual(["200 memory", 0, []]);
    await isolate.settled();
    at(19_999);
    expect(await sees()).toStrictEqual(["200 memory", 0, []]);
    at(39_999);
    expect(await sees()).toStrictEqual(["200 memory", 0, KV_READ]);
    await isolate.settled();
    at(69_999);
    expect(await sees()).toStrictEqual(["200 kv", 0, KV_READ]);
  });

  test("is checked again 2 s after a check that was killed with its request", async () => {
    await network.publish(caller);
    await sees();
    at(10_000);
    network.faults.kv = "hangs";
    expect(await sees()).toStrictEqual(["200 memory", 0, KV_READ]);
    network.repair();
    at(11_999);
    expect(await sees()).toStrictEqual(["200 memory", 0, []]);
    at(12_000);
    expect(await sees()).toStrictEqual(["200 memory", 0, KV_READ]);
  });

  test("that this isolate has changed isn't replaced by an older copy in KV", async () => {
    await network.publish(caller);
    await sees();
    network.faults.kv = "429 for writes";
    await change("PATCH", { monthly_cap: 1 });
    await sees();
    await isolate.settled();
    for (const source of ["memory", "kv", "memory"]) {
      expect((await sees())[0]).toBe(`KEY_CAP_REACHED ${source}`);
      skip(source === "memory" ? MINUTE : 0);
    }
  });

  test("that doesn't exist any more is rejected, and for 5 s without another look-up, also when it's back", async () => {
    expect(await sees()).toStrictEqual(["200 d1", 0, [...KV_READ, "d1"]]);
    expect(await sees()).toStrictEqual(["200 memory", 0, []]);
    const row = await rowOf();
    await network.worker.db.delete(apiKeys).where(eq(apiKeys.id, caller.keyId));
    at(30_000);
    expect(await sees()).toStrictEqual(["INVALID_API_KEY d1", 0, [...KV_READ, "d1"]]);
    await network.worker.db.insert(apiKeys).values(row);
    at(34_999);
    expect(await sees()).toStrictEqual(["INVALID_API_KEY memory", 0, []]);
    at(35_000);
    expect((await sees())[0]).toBe("200 d1");
    await isolate.settled();
    for (const name of [recordName(hash), tombstoneName(hash)])
      expect(await network.worker.env.EDGE.get(name)).toBeNull();
  });
});

describe("a look-up", () => {
  test.each(["{corrupt", "null"])("falls back to D1 if KV has %s", async (text) => {
    await network.worker.env.EDGE.put(recordName(hash), text);
    expect((await sees())[0]).toBe("200 d1");
  });

  test("finds a tombstone, whatever its content, even if the record beside it can't be read", async () => {
    const kv = kvWithout(recordName(hash));
    await kv.at("here").put(tombstoneName(hash), "");
    network.faults.d1 = "down";
    expect((await sees(await network.isolate({ kv })))[0]).toBe("API_KEY_REVOKED kv");
  });

  test("leaves the decision to D1 if the tombstone can't be read, whatever the record says", async () => {
    const kv = kvWithout(tombstoneName(hash));
    const { asOf: _, ...state } = (await findKey(network.worker.db, hash, 0)) as { asOf: number };
    await kv.at("here").put(recordName(hash), JSON.stringify({ ...state, asOf: 0 }));
    await network.worker.db.update(apiKeys).set({ revokedAt: 5 }).where(eq(apiKeys.id, caller.keyId));
    expect((await sees(await network.isolate({ kv })))[0]).toBe("API_KEY_REVOKED d1");
  });

  test("falls back to D1 if the record can't be read, and logs that", async () => {
    expect((await sees(await network.isolate({ kv: kvWithout(recordName(hash)) })))[0]).toBe("200 d1");
    expect(network.logs.filter((line) => line.includes('"kv_read"'))).toHaveLength(1);
  });

  test("that hangs delays no other, and then uses what that one found", async () => {
    network.faults.d1 = "hangs";
    const hanging = sees();
    await pass(100);
    network.repair();
    expect((await sees()).slice(0, 2)).toStrictEqual(["200 d1", 0]);
    expect((await hanging).slice(0, 2)).toStrictEqual(["200 stale", 30]);
  });

  test("gets everything that requests need from D1, and KV the same without key, name, or address", async () => {
    const { db, env } = network.worker;
    const state = await findKey(db, hash, 7);
    expect(state).toStrictEqual({
      id: caller.keyId,
      userId: caller.userId,
      mode: "live",
      expiresAt: null,
      root: caller.keyId,
      cap: null,
      origins: [],
      needs: [],
      suspendedAt: null,
      version: 1,
      asOf: 7,
      subscription: {
        plan: "pro",
        status: "active",
        startedAt: expect.any(Number) as number,
        expiresAt: expect.any(Number) as number,
        limits: { quota: null, requestsPerMinute: 600, numbersPerMinute: 60_000 },
      },
    });
    await network.publish(caller);
    const text = await env.EDGE.get(recordName(hash));
    expect(decodeRecord(text)).toStrictEqual({ ...(state as object), asOf: expect.any(Number) as number });
    for (const secret of [caller.key, caller.key.slice(8), caller.key.slice(-6), caller.email, "Ada", hash]) {
      expect(text).not.toContain(secret);
    }
  });

  test("needs no subscription, and uses the index however many keys there are", async () => {
    expect((await sees(isolate, await network.caller("test", { subscription: "none" })))[0]).toBe("200 d1");
    const { sql: query, params } = selectKeys(network.worker.db).where(eq(apiKeys.hash, hash)).toSQL();
    const plan = await network.worker.env.DB.prepare(`explain query plan ${query}`)
      .bind(...params)
      .all<{ detail: string }>();
    expect(plan.results.filter(({ detail }) => detail.startsWith("SCAN"))).toStrictEqual([]);
  });
});

describe("without KV and D1", () => {
  const UNAVAILABLE = "TEMPORARILY_UNAVAILABLE memory";

  beforeEach(async () => {
    await network.publish(caller);
    await sees();
    Object.assign(network.faults, { kv: "down", d1: "down" });
  });

  test("a request waits for both once every 5 s, also after they are back", async () => {
    Object.assign(network.faults, { kv: "hangs", d1: "hangs" });
    skip(MINUTE);
    expect((await sees()).slice(0, 2)).toStrictEqual(["200 stale", 10]);
    since = Date.now();
    at(4_900);
    expect(await sees()).toStrictEqual(["200 stale", 0, []]);
    at(5_000);
    expect((await sees()).slice(0, 2)).toStrictEqual(["200 stale", 10]);
    network.repair();
    expect(await sees()).toStrictEqual(["200 stale", 0, []]);
    skip(5_000);
    expect((await sees())[0]).toBe("200 kv");
    Object.assign(network.faults, { kv: "hangs", d1: "hangs" });
    expect((await sees(await network.isolate())).slice(0, 2)).toStrictEqual([UNAVAILABLE, 35]);
  });

  test("a check behind a response isn't repeated for 5 s either", async () => {
    at(15_000);
    expect(await sees()).toStrictEqual(["200 memory", 0, [...KV_READ, "d1"]]);
    at(19_999);
    expect((await sees())[2]).toStrictEqual([]);
    at(20_000);
    expect((await sees())[2]).toStrictEqual([...KV_READ, "d1"]);
  });

  test("a key is used for 15 minutes, and one that was revoked here stays so", async () => {
    at(15 * MINUTE);
    expect((await sees())[0]).toBe("200 stale");
    at(15 * MINUTE + 1);
    expect((await sees())[0]).toBe(UNAVAILABLE);
    network.repair();
    await change("DELETE");
    Object.assign(network.faults, { kv: "down", d1: "down" });
    skip(60 * MINUTE);
    expect(await sees()).toStrictEqual(["API_KEY_REVOKED memory", 0, []]);
  });

  test("each part's failures are logged every 10 s with their count, and no key", async () => {
    network.logs.length = 0;
    for (const ms of [0, 0, 10_000]) {
      skip(ms);
      expect((await sees(isolate, await network.caller()))[0]).toBe(UNAVAILABLE);
    }
    const lines = network.logs.filter((line) => line.includes("key_cache_failure"));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { part: "kv_read", count: 1 },
      { part: "d1", count: 1 },
      { part: "kv_read", count: 2 },
      { part: "d1", count: 2 },
    ]);
    expect(lines.join()).not.toMatch(/ch_|[0-9a-f]{64}/);
  });
});

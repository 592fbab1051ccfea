import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { apiKeys, erasedKeys, users } from "../../schema.ts";
import { deleteAccount } from "../../worker/administration/delete-account.ts";
import { createIsolate } from "../../worker/io.ts";
import { recordName, tombstoneName } from "../../worker/key-cache/edge.ts";
import { syncOutbox } from "../../worker/key-cache/outbox.ts";
import { republishKeys } from "../../worker/key-cache/republish.ts";
import { decodeRecord } from "../../worker/key-cache/record.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { runJob } from "../schedule.ts";
import type { KvStandIn } from "../kv-stand-in.ts";
import { ioOf } from "../io.ts";
import { send } from "../requests.ts";
import { verify } from "./calls.ts";
import { skip } from "./clock.ts";
import { edgeAt, startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";
import { createStaleKv, PROMISED } from "./stale-kv.ts";

const network = startNetwork();

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let kv: KvStandIn;
let here: NetworkIsolate;
let there: NetworkIsolate;
let caller: Caller;

async function sees(isolate: NetworkIsolate, { key }: Pick<Caller, "key"> = caller): Promise<string> {
  const { status, code, source } = await verify(isolate, key);
  await isolate.settled();
  return `${code ?? status} ${source}`;
}

/** What an isolate sees that has no memory of any key. */
async function seesAnew(location: string, key = caller): Promise<string> {
  return sees(await network.isolate({ kv, location }), key);
}

async function runOutbox(): Promise<void> {
  await runJob("* * * * *", createIsolate(network.behind(edgeAt(kv, "cron"))));
}

async function setCap(cap: number): Promise<void> {
  const path = `/api/v1/account/api-keys/${caller.keyId}`;
  const response = await here.fetch(path, send("PATCH", caller.token, { monthly_cap: cap }));
  expect(response.status).toBe(200);
  await here.settled();
}

async function revoke(): Promise<void> {
  const response = await here.fetch(`/api/v1/account/api-keys/${caller.keyId}`, send("DELETE", caller.token));
  expect(response.status).toBe(200);
  await here.settled();
}

/** The caller's record as KV has it now, wherever it was written. */
function stored({ key }: Pick<Caller, "key"> = caller) {
  return decodeRecord(kv.history(recordName(hashKey(key))).at(-1)?.value ?? null);
}

/** The caller's record as text. */
function recordText(): string {
  return kv.history(recordName(hashKey(caller.key))).at(-1)!.value!;
}

async function isSynced({ keyId }: Pick<Caller, "keyId"> = caller): Promise<boolean> {
  const row = (await network.worker.db.select().from(apiKeys).where(eq(apiKeys.id, keyId)).get())!;
  return row.syncedAt !== null && row.syncedAt >= row.updatedAt;
}

beforeEach(async () => {
  kv = createStaleKv({ limitWrites: true });
  here = await network.isolate({ kv, location: "here" });
  there = await network.isolate({ kv, location: "there" });
  const { db } = network.worker;
  await db.delete(erasedKeys);
  await db.delete(users);
  caller = await network.caller("live", { plan: "pro" });
  await network.publish(caller, edgeAt(kv, "here"));
  skip(PROMISED);
  await runOutbox();
  skip(PROMISED);
});

describe("a record that lands after its tombstone", () => {
  test.each([SECOND, 365 * DAY_MS])("%d ms later is ignored everywhere", async (later) => {
    expect(await sees(there)).toBe("200 kv");
    const late = recordText();
    await revoke();
    skip(PROMISED);
    await runOutbox();
    skip(later);
    await kv.at("cron").put(recordName(hashKey(caller.key)), late);
    skip(PROMISED);
    expect(stored()).not.toBeNull();
    for (const location of ["here", "there", "cron"]) expect(await seesAnew(location)).toBe("API_KEY_REVOKED kv");
    expect(await sees(there)).toBe("API_KEY_REVOKED kv");
  });
});

describe("a write of an older version that lands after a newer one", () => {
  test("is corrected by the job within two minutes, since only a later write marks the row", async () => {
    const older = recordText();
    await setCap(7);
    expect(stored()).toMatchObject({ version: 2, cap: 7 });
    expect(await isSynced()).toBe(false);
    skip(20 * SECOND);
    await runOutbox();
    expect(await isSynced()).toBe(false);
    skip(10 * SECOND);
    await kv.at("slow").put(recordName(hashKey(caller.key)), older);
    expect(stored()).toMatchObject({ version: 1, cap: null });
    skip(50 * SECOND);
    await runOutbox();
    expect(stored()).toMatchObject({ version: 2, cap: 7 });
    expect(await isSynced()).toBe(true);
  });
});

describe("a change", () => {
  test("is written when it's made and again by the job, which writes it once more a minute later", async () => {
    const writes = () => kv.history(recordName(hashKey(caller.key))).length;
    const before = writes();
    await setCap(7);
    expect(writes()).toBe(before + 1);
    skip(30 * SECOND);
    await runOutbox();
    expect(writes()).toBe(before + 2);
    skip(MINUTE);
    await runOutbox();
    expect([writes(), await isSynced()]).toStrictEqual([before + 3, true]);
    skip(MINUTE);
    await runOutbox();
    expect(writes()).toBe(before + 3);
  });

  test("within five seconds of another is left to the job, but applies here immediately", async () => {
    await setCap(7);
    skip(SECOND);
    await setCap(8);
    expect(stored()).toMatchObject({ version: 2 });
    expect((await verify(here, caller.key)).status).toBe(200);
    skip(MINUTE);
    await runOutbox();
    expect(stored()).toMatchObject({ version: 3, cap: 8 });
    skip(5 * SECOND);
    await setCap(9);
    expect(stored()).toMatchObject({ version: 4, cap: 9 });
  });

  test("of a cap applies everywhere within two minutes", async () => {
    expect(await sees(there)).toBe("200 kv");
    expect(await sees(there)).toBe("200 memory");
    await there.settled();
    await setCap(3);
    skip(PROMISED);
    expect(await sees(there)).toBe("200 kv");
    expect(await sees(there)).toBe("KEY_CAP_REACHED memory");
  });

  test("that revokes a key is written immediately, however soon after another", async () => {
    expect(await sees(there)).toBe("200 kv");
    await setCap(7);
    skip(2 * SECOND);
    await revoke();
    expect(kv.history(tombstoneName(hashKey(caller.key)))).toHaveLength(1);
    skip(PROMISED);
    expect(await sees(there)).toBe("API_KEY_REVOKED kv");
  });
});

test("a new key is accepted immediately in another location", async () => {
  const response = await here.fetch("/api/v1/account/api-keys", send("POST", caller.token, { mode: "live" }));
  const { api_key: key } = (await response.json()) as { api_key: string };
  expect(await sees(there, { key })).toBe("200 d1");
  await here.settled();
  skip(PROMISED);
  expect(await sees(there, { key })).toBe("200 kv");
});

describe("an account deleted while KV is out", () => {
  test("leaves tombstones of its keys when KV is back, and nothing else", async () => {
    const { db } = network.worker;
    const { apiKey } = await network.anotherKey(caller.userId, "test");
    expect(await sees(there)).toBe("200 kv");
    const rejecting = {
      ...edgeAt(kv, "here"),
      put: () => Promise.reject(new Error("KV is away")),
      delete: () => Promise.reject(new Error("KV is away")),
    };
    const account = { id: caller.userId, email: caller.email };
    await deleteAccount({ ...ioOf(network.worker), edge: rejecting as never }, null, account);
    network.faults.kv = "429 for writes";
    await runOutbox();
    network.repair();
    expect(await db.select().from(erasedKeys)).toHaveLength(2);
    await runOutbox();
    // A write of the record may still be pending, so the row stays for a minute.
    expect(await db.select().from(erasedKeys)).toHaveLength(2);
    skip(MINUTE);
    await runOutbox();
    expect(await db.select().from(erasedKeys)).toStrictEqual([]);
    skip(PROMISED);
    expect(await sees(there)).toBe("API_KEY_REVOKED kv");
    for (const key of [caller.key, apiKey]) {
      expect(await seesAnew("there", { ...caller, key })).toBe("API_KEY_REVOKED kv");
      expect(stored({ key })).toBeNull();
    }
    const texts = kv.names().map((name) => kv.history(name).at(-1)!.value);
    expect(texts.join()).not.toContain(caller.userId);
  });
});

describe("a database restored to an earlier time, then republished", () => {
  async function republish() {
    // As the runbook says.
    skip(2 * MINUTE);
    const { db } = network.worker;
    const result = await republishKeys({ db, edge: edgeAt(kv, "operator"), now: Date.now() });
    await runOutbox();
    skip(MINUTE);
    await runOutbox();
    skip(PROMISED);
    return result;
  }

  test("rejects a key created after that time, which only KV has", async () => {
    expect(await sees(there)).toBe("200 kv");
    const other = await network.caller("live", { plan: "pro" });
    await network.publish(other, edgeAt(kv, "here"));
    await network.worker.db.delete(users).where(eq(users.id, caller.userId));
    expect(await republish()).toStrictEqual({ keys: 1, missing: 1 });
    expect(await sees(there)).toBe("API_KEY_REVOKED kv");
    expect(await seesAnew("here")).toBe("API_KEY_REVOKED kv");
    expect(stored()).toBeNull();
    expect(await seesAnew("here", other)).toBe("200 kv");
    expect(await republish()).toStrictEqual({ keys: 1, missing: 0 });
  });

  test("keeps the tombstone of a key that was revoked after that time", async () => {
    const { db } = network.worker;
    const row = (await db.select().from(apiKeys).where(eq(apiKeys.id, caller.keyId)).get())!;
    await revoke();
    await db.update(apiKeys).set(row).where(eq(apiKeys.id, caller.keyId));
    expect(await republish()).toStrictEqual({ keys: 1, missing: 0 });
    for (const location of ["here", "there"]) expect(await seesAnew(location)).toBe("API_KEY_REVOKED kv");
  });

  test("ends a key that is revoked there, and whose record KV still has", async () => {
    const { db } = network.worker;
    const other = await network.caller("live", { plan: "pro" });
    const revokedAt = Date.now() - MINUTE;
    const revoked = { revokedAt, updatedAt: revokedAt, syncedAt: revokedAt, version: 9 };
    await db.update(apiKeys).set(revoked).where(eq(apiKeys.id, caller.keyId));
    expect(stored()).not.toBeNull();
    expect(await republish()).toStrictEqual({ keys: 1, missing: 0 });
    expect(await seesAnew("here")).toBe("API_KEY_REVOKED kv");
    expect(stored()).toBeNull();
    expect(await seesAnew("here", other)).toBe("200 kv");
  });

  test("accepts a version that went down, in isolates that know a higher one too", async () => {
    const { db } = network.worker;
    const row = (await db.select().from(apiKeys).where(eq(apiKeys.id, caller.keyId)).get())!;
    await setCap(1);
    skip(PROMISED);
    expect(await sees(there)).toBe("200 kv");
    expect(await sees(there)).toBe("KEY_CAP_REACHED memory");
    await db.update(apiKeys).set(row).where(eq(apiKeys.id, caller.keyId));
    await republish();
    expect(stored()).toMatchObject({ version: 1, cap: null });
    for (const isolate of [here, there]) expect(await sees(isolate)).toBe("200 kv");
  });

  test("lists every page of KV", async () => {
    const edge = edgeAt(kv, "here");
    for (let index = 0; index < 1_001; index++) await edge.put(recordName(`lost ${index}`), "{}");
    const { db } = network.worker;
    skip(2 * MINUTE);
    expect(await republishKeys({ db, edge, now: Date.now() })).toStrictEqual({ keys: 1, missing: 1_001 });
    const first = await syncOutbox({ db, edge, now: () => Date.now() });
    // Two KV calls for each tombstone: a run stays below 1,000.
    expect(first).toStrictEqual({ written: 400, failed: 0, more: true });
    skip(MINUTE);
    while ((await syncOutbox({ db, edge, now: () => Date.now() })).more);
    expect(await db.select().from(erasedKeys)).toStrictEqual([]);
  });

  test("without any key stops, instead of ending every key in KV", async () => {
    const { db } = network.worker;
    await db.delete(apiKeys);
    await expect(republishKeys({ db, edge: edgeAt(kv, "here"), now: Date.now() })).rejects.toMatchObject({
      code: "NO_KEYS",
    });
    expect(await db.select().from(erasedKeys)).toStrictEqual([]);
  });
});

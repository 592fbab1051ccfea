import { beforeEach, describe, expect, test } from "vitest";
import { eq } from "drizzle-orm";
import type { SecurityEvent } from "../../contract/security-events.ts";
import { subscriptions } from "../../schema.ts";
import { listApiKeys } from "../../worker/keys/list-api-keys.ts";
import { createSession } from "../factories.ts";
import { ioOf } from "../io.ts";
import type { KvStandIn } from "../kv-stand-in.ts";
import { send } from "../requests.ts";
import { askLedger, INVALID, VALID, verify, verifyBatch } from "./calls.ts";
import { pass, skip } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";
import { createStaleKv, PROMISED } from "./stale-kv.ts";

const network = startNetwork();

const KEYS = "/api/v1/account/api-keys";
const HOUR = 3_600_000;

let kv: KvStandIn;
let isolate: NetworkIsolate;
let there: NetworkIsolate;
let caller: Caller;

beforeEach(async () => {
  kv = createStaleKv();
  isolate = await network.isolate({ kv, location: "here" });
  there = await network.isolate({ kv, location: "there" });
  caller = await network.caller("live", { plan: "pro" });
  await network.worker.db.update(subscriptions).set({ expiresAt: null }).where(eq(subscriptions.userId, caller.userId));
});

interface Key {
  readonly id: string;
  readonly api_key: string;
  readonly expires_at: string | null;
  readonly monthly_cap: number | null;
  readonly state: string;
  readonly name: string;
  readonly used_this_month: number | null;
}

async function ask(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await isolate.fetch(path, send(method, caller.token, body));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** New sessions allow live keys again: the old one's password is no longer recent. */
async function logInAgain(): Promise<void> {
  caller = { ...caller, token: (await createSession(network.worker.db, caller.userId)).token };
}

async function made(body: object): Promise<Key> {
  const response = await ask("POST", KEYS, body);
  expect(response.status).toBe(201);
  return response.body as unknown as Key;
}

async function listed(): Promise<readonly Key[]> {
  return (await ask("GET", KEYS)).body["keys"] as readonly Key[];
}

async function codeOf(where: NetworkIsolate, key: string): Promise<string> {
  const { code, status } = await verify(where, key);
  return code ?? String(status);
}

describe("a key that expires", () => {
  test("is rejected from that time on, everywhere, regardless of caches", async () => {
    const { api_key: key, id } = await made({ mode: "live", expires_at: new Date(Date.now() + HOUR).toISOString() });
    expect([await codeOf(isolate, key), await codeOf(there, key)]).toStrictEqual(["200", "200"]);
    skip(HOUR - 10_000);
    expect([await codeOf(isolate, key), await codeOf(there, key)]).toStrictEqual(["200", "200"]);
    network.faults.kv = network.faults.d1 = "down";
    skip(10_000);
    expect([await codeOf(isolate, key), await codeOf(there, key)]).toStrictEqual([
      "API_KEY_EXPIRED",
      "API_KEY_EXPIRED",
    ]);
    expect((await verify(isolate, key)).status).toBe(401);
    network.repair();
    expect((await listed()).find((each) => each.id === id)).toMatchObject({ state: "expired" });
    skip(31 * 24 * HOUR);
    const later = await listApiKeys(ioOf(network.worker), { id: caller.userId, meteredAt: null });
    expect(later.map((each) => each.id)).toStrictEqual([caller.keyId]);
  });

  test.each([
    ["the past", "2026-01-01T00:00:00Z", "Must be a time within the next five years"],
    ["now", "2026-01-02T12:00:00.000Z", "Must be a time within the next five years"],
    ["the far future", "2032-01-01T00:00:00Z", "Must be a time within the next five years"],
    ["no time", "tomorrow", "Must be a time in UTC, such as 2027-01-31T00:00:00Z"],
  ])("can't expire in %s", async (_, end, complaint) => {
    const { status, body } = await ask("POST", KEYS, { mode: "live", expires_at: end });
    expect({ status, fields: body["fields"] }).toStrictEqual({ status: 400, fields: { expires_at: complaint } });
  });
});

describe("a key with a monthly cap", () => {
  test("verifies that many successfully, then is rejected with the figures, until the next month in UTC", async () => {
    const { api_key: key, id } = await made({ mode: "live", monthly_cap: 3 });
    expect(await codeOf(isolate, key)).toBe("200");
    expect((await verify(there, key, INVALID)).status).toBe(200);
    await pass(10);
    expect(await verifyBatch(isolate, key, [VALID, VALID, VALID])).toMatchObject({
      status: 402,
      code: "KEY_CAP_REACHED",
      body: {
        error: "This batch needs 3 verifications, but this key's monthly cap has 2 left.",
        quota: { limit: 3, used: 1, remaining: 2 },
      },
    });
    expect((await verifyBatch(there, key, [VALID, VALID])).status).toBe(200);
    await askLedger(isolate, key);
    expect(await verify(isolate, key)).toMatchObject({
      status: 402,
      code: "KEY_CAP_REACHED",
      body: {
        error: "This key has used all 3 verifications of its monthly cap.",
        quota: { limit: 3, used: 3, remaining: 0 },
      },
    });
    expect(await codeOf(isolate, caller.key)).toBe("200");
    expect((await listed()).find((each) => each.id === id)).toMatchObject({ monthly_cap: 3, used_this_month: 3 });
    skip(30 * 24 * HOUR);
    expect(await codeOf(isolate, key)).toBe("200");
  });

  test("that is set later includes the month so far, applies everywhere within two minutes, and can be raised", async () => {
    for (let at = 0; at < 3; at++) expect(await codeOf(there, caller.key)).toBe("200");
    await there.settled();
    await network.consume();
    const path = `${KEYS}/${caller.keyId}`;
    expect(await ask("PATCH", path, { monthly_cap: 3, name: "Billing" })).toMatchObject({
      status: 200,
      body: { monthly_cap: 3, name: "Billing" },
    });
    expect(await askLedger(isolate, caller.key)).toMatchObject({ code: "KEY_CAP_REACHED" });
    expect(await codeOf(isolate, caller.key)).toBe("KEY_CAP_REACHED");
    await pass(PROMISED);
    await codeOf(there, caller.key);
    expect(await askLedger(there, caller.key)).toMatchObject({ code: "KEY_CAP_REACHED" });
    expect((await ask("PATCH", path, { monthly_cap: 5 })).status).toBe(200);
    expect(await codeOf(isolate, caller.key)).toBe("200");
    expect((await ask("PATCH", path, { monthly_cap: null })).body).toMatchObject({
      monthly_cap: null,
      name: "Billing",
    });
    for (let at = 0; at < 3; at++) expect(await codeOf(isolate, caller.key)).toBe("200");
  });

  test("is charged along with the quota, and the tighter of the two rejects", async () => {
    caller = await network.caller();
    await network.use(caller.userId, 998);
    const { api_key: key } = await made({ mode: "live", monthly_cap: 1 });
    expect(await codeOf(isolate, key)).toBe("200");
    await pass(10);
    expect(await codeOf(isolate, key)).toBe("KEY_CAP_REACHED");
    expect(await codeOf(there, caller.key)).toBe("200");
    await pass(10);
    expect(await codeOf(there, key)).toBe("QUOTA_EXCEEDED");
  });

  test.each([
    [{ mode: "test", monthly_cap: 5 }, "Only live keys can have a cap"],
    [{ mode: "live", monthly_cap: 0 }, "Must be a whole number from 1 to 1,000,000,000, or null"],
    [{ mode: "live", monthly_cap: 1.5 }, "Must be a whole number from 1 to 1,000,000,000, or null"],
    [{ mode: "live", monthly_cap: "5" }, "Must be a whole number from 1 to 1,000,000,000, or null"],
    [{ mode: "live", monthly_cap: 1e12 }, "Must be a whole number from 1 to 1,000,000,000, or null"],
  ])("can't be created from %j", async (body, complaint) => {
    expect((await ask("POST", KEYS, body)).body["fields"]).toStrictEqual({ monthly_cap: complaint });
  });

  test("without a ledger gets as far as a quota does", async () => {
    const { api_key: key, id } = await made({ mode: "live", monthly_cap: 5 });
    network.faults.ledger = "down";
    for (let at = 0; at < 25; at++) expect(await codeOf(isolate, key)).toBe("200");
    expect(await codeOf(isolate, key)).toBe("TEMPORARILY_UNAVAILABLE");
    network.repair();
    await isolate.settled();
    await network.consume();
    // Usage is what the ledger has, even if it exceeds the cap.
    const quota = { limit: 5, used: 25, remaining: 0 };
    for (const call of [askLedger, verify]) {
      expect(await call(there, key)).toMatchObject({ code: "KEY_CAP_REACHED", body: { quota } });
    }
    expect((await listed()).find((each) => each.id === id)).toMatchObject({ used_this_month: 25 });
  });

  test("that is lowered below usage reports the usage", async () => {
    const { api_key: key, id } = await made({ mode: "live", monthly_cap: 10 });
    await verifyBatch(isolate, key, [VALID, VALID, VALID]);
    await isolate.settled();
    expect((await ask("PATCH", `${KEYS}/${id}`, { monthly_cap: 2 })).status).toBe(200);
    for (let at = 0; at < 2; at++) {
      expect(await verify(isolate, key)).toMatchObject({
        code: "KEY_CAP_REACHED",
        body: { quota: { limit: 2, used: 3, remaining: 0 } },
      });
    }
  });
});

describe("changing a key", () => {
  test.each([
    [{}, 400],
    [{ name: " " }, 400],
    [{ mode: "test" }, 400],
    [{ expires_at: null }, 400],
    [{ name: "B" }, 200],
  ])("to %j is a %i", async (body, status) => {
    expect((await ask("PATCH", `${KEYS}/${caller.keyId}`, body)).status).toBe(status);
  });

  test("of another account, revoked, or nonexistent, is a 404", async () => {
    const other = await network.caller();
    const { id } = await made({ mode: "live" });
    await ask("DELETE", `${KEYS}/${id}`);
    for (const unknown of [other.keyId, id, "key_0"]) {
      expect((await ask("PATCH", `${KEYS}/${unknown}`, { name: "Mine" })).status).toBe(404);
      expect((await ask("POST", `${KEYS}/${unknown}/roll`, { grace_hours: 1 })).status).toBe(404);
    }
    expect(await codeOf(isolate, other.key)).toBe("200");
  });
});

describe("rolling a key", () => {
  const roll = (id: string, hours: unknown) => ask("POST", `${KEYS}/${id}/roll`, { grace_hours: hours });

  test("creates a new one immediately, and the old one works until its grace period ends", async () => {
    expect(await codeOf(there, caller.key)).toBe("200");
    const { status, body } = await roll(caller.keyId, 24);
    expect(status).toBe(201);
    const fresh = body as unknown as Key;
    expect(fresh).toMatchObject({ name: "test", expires_at: null });
    expect(await codeOf(isolate, fresh.api_key)).toBe("200");
    const states = (await listed()).map(({ id, state, expires_at: end }) => [
      id === fresh.id,
      state,
      end?.slice(0, 13),
    ]);
    expect(states.toSorted()).toStrictEqual([
      [false, "grace", "2026-01-03T12"],
      [true, "active", undefined],
    ]);
    await pass(PROMISED);
    expect(await codeOf(there, caller.key)).toBe("200");
    skip(24 * HOUR - PROMISED);
    expect([await codeOf(isolate, caller.key), await codeOf(there, caller.key)]).toStrictEqual(
      Array(2).fill("API_KEY_EXPIRED"),
    );
  });

  test("without a grace period revokes the old one, elsewhere within two minutes", async () => {
    expect(await codeOf(there, caller.key)).toBe("200");
    const { body } = await roll(caller.keyId, 0);
    expect(await codeOf(isolate, caller.key)).toBe("API_KEY_REVOKED");
    expect(await codeOf(isolate, (body as unknown as Key).api_key)).toBe("200");
    await isolate.settled();
    await pass(PROMISED);
    await codeOf(there, caller.key);
    expect(await codeOf(there, caller.key)).toBe("API_KEY_REVOKED");
    expect(await listed()).toHaveLength(1);
    const { events } = (await ask("GET", "/api/v1/account/security-events")).body as unknown as {
      events: SecurityEvent[];
    };
    expect(events.map(({ kind, about }) => [kind, about]).toSorted()).toStrictEqual([
      ["key_created", "test (live)"],
      ["key_revoked", "test (live)"],
    ]);
  });

  test("keeps name, cap, count, and lifetime", async () => {
    const end = new Date(Date.now() + 48 * HOUR).toISOString();
    const old = await made({ mode: "live", name: "Shop", monthly_cap: 2, expires_at: end });
    expect(await codeOf(isolate, old.api_key)).toBe("200");
    skip(47 * HOUR);
    await logInAgain();
    const { body } = await roll(old.id, 24);
    const fresh = body as unknown as Key;
    expect(fresh).toMatchObject({
      name: "Shop",
      monthly_cap: 2,
      expires_at: expect.stringMatching(/^2026-01-06T11:00:/),
    });
    expect((await listed()).find(({ id }) => id === old.id)).toMatchObject({ expires_at: end });
    expect(await codeOf(isolate, fresh.api_key)).toBe("200");
    await pass(10);
    expect(await codeOf(isolate, old.api_key)).toBe("KEY_CAP_REACHED");
    expect(await codeOf(isolate, fresh.api_key)).toBe("KEY_CAP_REACHED");
    const used = (await listed()).map((key) => key.used_this_month);
    expect(used.filter((each) => each !== null)).toStrictEqual([2, 2]);
  });

  test("twice, and given a cap only then, includes what the first two keys have verified", async () => {
    const first = await made({ mode: "live" });
    expect((await verifyBatch(isolate, first.api_key, [VALID, VALID])).status).toBe(200);
    const second = (await roll(first.id, 24)).body as unknown as Key;
    expect((await verifyBatch(isolate, second.api_key, [VALID, VALID, VALID])).status).toBe(200);
    const third = (await roll(second.id, 24)).body as unknown as Key;
    await isolate.settled();
    await ask("PATCH", `${KEYS}/${third.id}`, { monthly_cap: 6 });
    expect((await listed()).find(({ id }) => id === third.id)).toMatchObject({ used_this_month: 5 });
    expect(await codeOf(isolate, third.api_key)).toBe("200");
    await isolate.settled();
    expect(await codeOf(isolate, third.api_key)).toBe("KEY_CAP_REACHED");
  });

  test("an expired or rolled key is a 409, also for two concurrent calls", async () => {
    const { id } = await made({ mode: "live", expires_at: new Date(Date.now() + HOUR).toISOString() });
    const both = await Promise.all([roll(caller.keyId, 1), roll(caller.keyId, 1)]);
    expect(both.map(({ status }) => status).toSorted()).toStrictEqual([201, 409]);
    expect(await roll(caller.keyId, 1)).toMatchObject({ status: 409, body: { code: "KEY_NOT_ROLLABLE" } });
    skip(HOUR);
    await logInAgain();
    expect(await roll(id, 0)).toMatchObject({ status: 409, body: { code: "KEY_NOT_ROLLABLE" } });
    expect(await listed()).toHaveLength(3);
  });

  test("works with ten active keys, not counting those in their grace period or expired", async () => {
    const end = new Date(Date.now() + HOUR).toISOString();
    for (let at = 1; at < 10; at++) await made({ mode: "live", ...(at === 1 && { expires_at: end }) });
    expect(await ask("POST", KEYS, { mode: "live" })).toMatchObject({
      status: 409,
      body: { code: "KEY_LIMIT_REACHED" },
    });
    expect((await roll(caller.keyId, 72)).status).toBe(201);
    expect((await ask("POST", KEYS, { mode: "live" })).status).toBe(409);
    skip(2 * HOUR);
    await logInAgain();
    await made({ mode: "live" });
    expect((await ask("POST", KEYS, { mode: "live" })).status).toBe(409);
  });

  test("counts as a new key toward the 20 per hour", async () => {
    let { keyId: id } = caller;
    for (let at = 1; at < 20; at++) id = ((await roll(id, 0)).body as unknown as Key).id;
    const rejected = await roll(id, 0);
    expect(rejected).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(await listed()).toHaveLength(1);
  });

  test.each([2, "1", null, -1])("with a grace period of %j hours is a 400", async (hours) => {
    expect((await roll(caller.keyId, hours)).status).toBe(400);
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { PLANS } from "../../contract/plans.ts";
import { recordName } from "../../worker/key-cache/edge.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { newId } from "../../worker/platform/random.ts";
import { send } from "../requests.ts";
import { verify } from "./calls.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";
import { readAll } from "./reads.ts";

/**
 * What this version does with values that only the next one knows, as after a rollback: the worker is the old one again,
 * and D1 and KV are not.
 */
const network = startNetwork();

let isolate: NetworkIsolate;
let caller: Caller;

beforeEach(async () => {
  isolate = await network.isolate();
  caller = await network.caller("live");
});

/** Changes a row. CHECK constraints hold only what this version writes. */
async function store(query: string, ...bindings: readonly (string | number)[]): Promise<void> {
  const db = network.worker.env.DB;
  await db.batch([
    db.prepare("PRAGMA ignore_check_constraints = on"),
    db.prepare(query).bind(...bindings),
    db.prepare("PRAGMA ignore_check_constraints = off"),
  ]);
}

/** Changes a key's record in KV. */
async function storeRecord(change: (record: Record<string, unknown>) => void): Promise<void> {
  await network.publish(caller);
  const name = recordName(hashKey(caller.key));
  const record = JSON.parse((await network.worker.env.EDGE.get(name))!) as Record<string, unknown>;
  change(record);
  await network.worker.env.EDGE.put(name, JSON.stringify(record));
}

test("every read is a 200 with this version's values", async () => {
  const statuses = await readAll(isolate, caller);
  expect(Object.keys(statuses).length).toBeGreaterThan(15);
  expect(new Set(Object.values(statuses))).toStrictEqual(new Set([200]));
});

describe("a plan of the next version", () => {
  const onPlan = "UPDATE subscriptions SET plan = 'of a later version' WHERE user_id = ?1";

  test("in D1 is read everywhere, and has the largest plan's rates without a quota", async () => {
    await store(onPlan, caller.userId);
    expect(new Set(Object.values(await readAll(isolate, caller)))).toStrictEqual(new Set([200]));
    const { headers } = await verify(isolate, caller.key);
    expect(headers.get("RateLimit-Policy")).toBe(
      `"requests";q=${PLANS.pro.requestsPerMinute};w=60, "numbers";q=${PLANS.pro.numbersPerMinute};w=60`,
    );
    const quota = await isolate.fetch("/api/v1/account/quota", send("GET", caller.key));
    expect(await quota.json()).toMatchObject({ plan: "of a later version", limit: null, remaining: null });
  });

  test("in KV has the limits that the record carries", async () => {
    await storeRecord((record) => {
      const limits = { quota: 2, requestsPerMinute: 7, numbersPerMinute: 9 };
      record["subscription"] = { ...(record["subscription"] as object), plan: "of a later version", limits };
    });
    const { status, source, headers } = await verify(isolate, caller.key);
    expect([status, source]).toStrictEqual([200, "kv"]);
    expect(headers.get("RateLimit-Policy")).toBe('"requests";q=7;w=60, "numbers";q=9;w=60');
    expect((await verify(isolate, caller.key)).status).toBe(200);
  });
});

describe("what could restrict a key fails closed", () => {
  test("a restriction in its record", async () => {
    await storeRecord((record) => (record["needs"] = ["countries"]));
    // However often: it's no refusal of the caller's, which would be limited.
    for (let made = 0; made < 61; made++) {
      expect(await verify(isolate, caller.key)).toMatchObject({ status: 503, code: "TEMPORARILY_UNAVAILABLE" });
    }
  });

  test("a mode, in KV and in D1", async () => {
    await storeRecord((record) => (record["mode"] = "beta"));
    expect(await verify(isolate, caller.key)).toMatchObject({ status: 503, code: "TEMPORARILY_UNAVAILABLE" });
    await network.worker.env.EDGE.delete(recordName(hashKey(caller.key)));
    await store("UPDATE api_keys SET mode = 'beta' WHERE id = ?1", caller.keyId);
    isolate = await network.isolate();
    expect(await verify(isolate, caller.key)).toMatchObject({ status: 503, source: "d1" });
    const statuses = await readAll(isolate, caller);
    expect(new Set(Object.values(statuses))).toStrictEqual(new Set([200, 503]));
  });

  test("a subscription's status, in KV and in D1", async () => {
    await storeRecord(
      (record) => (record["subscription"] = { ...(record["subscription"] as object), status: "paused" }),
    );
    expect(await verify(isolate, caller.key)).toMatchObject({ status: 503, code: "TEMPORARILY_UNAVAILABLE" });
    await store("UPDATE subscriptions SET status = 'paused' WHERE user_id = ?1", caller.userId);
    isolate = await network.isolate();
    const statuses = await readAll(isolate, caller);
    expect(statuses).toMatchObject({ verify: 503, verifyFromDashboard: 503, quota: 503, subscription: 503, me: 200 });
    expect(new Set(Object.values(statuses))).toStrictEqual(new Set([200, 503]));
  });
});

describe("of the next version, without an effect on anything else", () => {
  test("a security event", async () => {
    const add = "INSERT INTO security_events (id, user_id, kind, at) VALUES (?1, ?2, 'key_shared', ?3)";
    await store(add, newId("evt"), caller.userId, Date.now());
    expect(new Set(Object.values(await readAll(isolate, caller)))).toStrictEqual(new Set([200]));
  });

  test("the purpose of a link, which no operation takes", async () => {
    const add =
      "INSERT INTO email_tokens (id, hash, user_id, purpose, created_at, expires_at) VALUES (?1, ?2, ?3, 'join_team', ?4, ?4)";
    await store(add, newId("tok"), hashKey("token"), caller.userId, Date.now() + 60_000);
    const takesToken = ENDPOINTS.flatMap(({ method, path, request, errors, credential }) =>
      credential === "none" && request && errors.includes("TOKEN_INVALID") ? { method, path, request } : [],
    );
    expect(takesToken.length).toBeGreaterThan(2);
    for (const { method, path, request } of takesToken) {
      const body = { ...(request.example as object), token: "token" };
      const response = await isolate.fetch(path, send(method.toUpperCase(), null, body));
      expect(await response.json()).toMatchObject({ code: "TOKEN_INVALID" });
    }
  });

  test("a part of the service in its checks", async () => {
    const add = `
      INSERT INTO status_runs (component, started_at, last_at, successful, checks, latency_ms)
      VALUES ('mailer', ?1, ?1, 1, 1, 5)`;
    await store(add, Date.now());
    const response = await isolate.fetch("/api/v1/status");
    expect(response.status).toBe(200);
  });
});

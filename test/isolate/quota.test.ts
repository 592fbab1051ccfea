import { beforeEach, describe, expect, test } from "vitest";
import { accountToAdminister } from "../../worker/administration/administer.ts";
import { grantSubscription } from "../../worker/subscriptions/changes.ts";
import { eq } from "drizzle-orm";
import { apiKeys } from "../../schema.ts";
import { post, send } from "../requests.ts";
import { askLedger, INVALID, VALID, verify, verifyBatch } from "./calls.ts";
import { pass, skip, until } from "./clock.ts";
import { ioOf } from "../io.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";

const network = startNetwork();

let isolate: NetworkIsolate;

beforeEach(async () => {
  isolate = await network.isolate();
});

/** A live caller on the trial, with a quota of 1,000 and this much usage. */
async function callerWith(used: number): Promise<Caller> {
  const caller = await network.caller();
  await network.use(caller.userId, used);
  return caller;
}

describe("at the limit of the trial", () => {
  test("a live key is rejected with 402 and the reason", async () => {
    const { key } = await callerWith(1_000);
    const answer = await verifyBatch(isolate, key, [VALID, VALID]);
    expect(answer).toMatchObject({ status: 402, code: "QUOTA_EXCEEDED" });
    expect(answer.body["error"]).toBe("You've used all 1,000 verifications in your plan.");
    expect(answer.body["quota"]).toStrictEqual({ limit: 1_000, used: 1_000, remaining: 0 });
    // This isolate has learned it by now.
    expect((await verify(isolate, key)).body["quota"]).toStrictEqual({ limit: 1_000, used: 1_000, remaining: 0 });
    await isolate.settled();
    expect(network.queued()).toBe(0);
  });

  test("the isolate counts down what it admits itself", async () => {
    const { key } = await callerWith(998);
    const statuses = [];
    await askLedger(isolate, key);
    for (let made = 0; made < 4; made++) {
      statuses.push((await verify(isolate, key)).status);
      await pass(10);
    }
    expect(statuses).toStrictEqual([200, 200, 402, 402]);
  });

  test("lookups of invalid numbers are free", async () => {
    const { key } = await callerWith(999);
    for (let made = 0; made < 5; made++) expect((await verify(isolate, key, INVALID)).status).toBe(200);
    await pass(10);
    expect((await verify(isolate, key)).status).toBe(200);
    await pass(10);
    expect((await verify(isolate, key)).status).toBe(402);
    // Not once the quota is used up.
    expect((await verify(isolate, key, INVALID)).status).toBe(402);
  });

  test("a batch larger than what is left is rejected as a whole, and nothing is counted", async () => {
    const { key } = await callerWith(998);
    const answer = await verifyBatch(isolate, key, [VALID, INVALID, VALID, VALID]);
    expect(answer).toMatchObject({ status: 402, code: "QUOTA_TOO_SMALL" });
    expect(answer.body["quota"]).toStrictEqual({ limit: 1_000, used: 998, remaining: 2 });
    expect(answer.body["error"]).toBe("This batch needs 3 verifications, but your plan has 2 left.");
    await isolate.settled();
    expect(network.queued()).toBe(0);
    expect((await verifyBatch(isolate, key, [VALID, VALID])).status).toBe(200);
    expect((await verify(isolate, key)).status).toBe(402);
  });

  test("all live keys of the account share what is left, and test keys keep working", async () => {
    const { key, userId } = await callerWith(999);
    const other = await network.anotherKey(userId, "live");
    const sandbox = await network.anotherKey(userId, "test");
    expect((await verify(isolate, key)).status).toBe(200);
    await pass(10);
    expect((await verify(isolate, other.apiKey)).status).toBe(402);
    expect((await verify(isolate, sandbox.apiKey)).status).toBe(200);
  });

  test("a plan without a limit never rejects", async () => {
    const { key, userId } = await network.caller("live", { plan: "pro" });
    await network.use(userId, 1_000_000);
    expect((await verify(isolate, key)).status).toBe(200);
  });
});

describe("GET /api/v1/account/quota", () => {
  async function quota(credential: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await isolate.fetch("/api/v1/account/quota", send("GET", credential));
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const figures = { plan: "trial", limit: 1_000, used: 400, remaining: 600, resets_at: null, key_cap: null };

  test("returns the same for a live key, a test key, and a session, and counts only as a request", async () => {
    const { key, token, userId } = await callerWith(400);
    const sandbox = await network.anotherKey(userId, "test");
    for (const credential of [key, sandbox.apiKey, token]) {
      expect(await quota(credential)).toStrictEqual({ status: 200, body: figures });
    }
    const { headers } = await isolate.fetch("/api/v1/account/quota", send("GET", key));
    expect(headers.get("RateLimit")).toMatch(/^"requests";r=58;t=\d+, "numbers";r=1000;t=\d+$/);
    expect((await isolate.fetch("/api/v1/account/quota", send("HEAD", key))).status).toBe(405);
    expect(await quota(key)).toMatchObject({ status: 200 });
  });

  test("needs room for a request, and none for numbers", async () => {
    const { key } = await network.caller("test");
    for (let made = 0; made < 6; made++) await verifyBatch(isolate, key, Array<string>(100).fill(VALID));
    expect((await verify(isolate, key)).status).toBe(429);
    expect((await quota(key)).status).toBe(200);
  });

  test("needs no subscription, and reports that nothing is left without one", async () => {
    const { key } = await network.caller("live", { subscription: "expired" });
    expect((await quota(key)).body).toStrictEqual({ ...figures, used: 0, remaining: 0 });
    const none = await network.caller("live", { subscription: "none" });
    expect((await quota(none.key)).body).toStrictEqual({ ...figures, plan: null, limit: 0, used: 0, remaining: 0 });
    const pro = await network.caller("live", { plan: "pro" });
    expect((await quota(pro.key)).body).toStrictEqual({
      ...figures,
      plan: "pro",
      limit: null,
      used: 0,
      remaining: null,
    });
  });

  test("includes the calling key's cap", async () => {
    const { key, keyId, token, userId } = await network.caller("live", { plan: "pro" });
    await network.worker.db.update(apiKeys).set({ monthlyCap: 10 }).where(eq(apiKeys.id, keyId));
    expect((await quota(key)).body["key_cap"]).toMatchObject({ limit: 10, used: 0, remaining: 10 });
    await verifyBatch(isolate, key, [VALID, VALID, "+1"]);
    await isolate.settled();
    await network.ledgerOf(userId).settled();
    expect((await quota(key)).body["key_cap"]).toStrictEqual({
      limit: 10,
      used: 2,
      remaining: 8,
      resets_at: "2026-02-01T00:00:00.000Z",
    });
    expect((await quota(token)).body["key_cap"]).toBeNull();
  });

  test("rejects invalid credentials like other calls", async () => {
    const { key, keyId, token } = await network.caller();
    expect(await quota("ch_live_short")).toMatchObject({ status: 401, body: { code: "INVALID_API_KEY" } });
    expect(await quota("nonsense")).toMatchObject({ status: 401, body: { code: "INVALID_API_KEY" } });
    expect((await isolate.fetch("/api/v1/account/quota")).status).toBe(401);
    const elsewhere = send("GET", key, undefined, { Origin: "https://elsewhere.example" });
    expect((await isolate.fetch("/api/v1/account/quota", elsewhere)).status).toBe(403);
    await isolate.fetch(`/api/v1/account/api-keys/${keyId}`, send("DELETE", token));
    expect(await quota(key)).toMatchObject({ status: 401, body: { code: "API_KEY_REVOKED" } });
  });
});

describe("a credential of the other kind is identified", () => {
  test.each(["/api/v1/account/me", "/api/v1/account/subscription"])("an API key at %s", async (path) => {
    const { key } = await network.caller();
    const response = await isolate.fetch(path, send("GET", key));
    expect({ status: response.status, body: await response.json() }).toStrictEqual({
      status: 401,
      body: {
        error: "This call requires a session token, but you sent an API key.",
        code: "UNAUTHENTICATED",
      },
    });
  });

  test("a session at /api/v1/verify", async () => {
    const { token } = await network.caller();
    expect(await verify(isolate, token)).toMatchObject({
      status: 401,
      body: {
        error: "This call requires an API key (ch_test_ or ch_live_), but you sent a session token.",
        code: "INVALID_API_KEY",
      },
    });
  });
});

describe("across isolates", () => {
  test("one isolate's usage counts in all that know of the limit, immediately", async () => {
    const { key, userId } = await callerWith(998);
    const [known, unknowing] = [await network.isolate(), await network.isolate()];
    expect((await verify(known, key)).status).toBe(200);
    await pass(10);
    expect((await verify(isolate, key)).status).toBe(200);
    await pass(10);
    // The last that it knows is that one is left.
    expect(await verify(known, key)).toMatchObject({ status: 200, waited: 0 });
    await pass(10);
    for (const each of [known, isolate]) {
      await pass(10_000);
      const before = await network.counted(userId);
      expect((await verify(each, key)).status).toBe(402);
      expect(await network.counted(userId)).toBe(before);
    }
    expect((await verify(unknowing, key)).status).toBe(200);
    await pass(10);
    expect((await verify(unknowing, key)).status).toBe(402);
  });

  test("an exhausted account that calls once every ten or twelve seconds gets nothing", async () => {
    const { key, userId } = await callerWith(1_000);
    await askLedger(isolate, key);
    const before = await network.counted(userId);
    for (let made = 0; made < 40; made++) {
      await pass(made % 2 === 0 ? 10_000 : 12_000);
      expect((await verify(isolate, key)).status).toBe(402);
    }
    expect(await network.counted(userId)).toBe(before);
  });

  test("its owner is emailed once that the quota is used up", async () => {
    const { key, userId } = await callerWith(999);
    await verify(isolate, key);
    await isolate.settled();
    await network.ledgerOf(userId).settled();
    expect(network.emails).toStrictEqual([expect.objectContaining({ user_id: userId, purpose: "quota_100" })]);
  });
});

describe("a call waits for the ledger", () => {
  const timing = ({ headers }: { readonly headers: Headers }) => headers.get("Server-Timing") ?? "";

  test("not if it is for a single number, however long ago the last was: three calls twelve seconds apart", async () => {
    const { key, userId } = await callerWith(10);
    const before = await network.counted(userId);
    const timings = [];
    for (let made = 0; made < 3; made++) {
      const seen = await verify(isolate, key);
      expect(seen).toMatchObject({ status: 200, waited: 0 });
      timings.push(timing(seen));
      // Each is counted by one part, which has its sample too.
      await isolate.settled();
      expect(isolate.calls.splice(0).filter((call) => call === "ledger")).toHaveLength(1);
      expect(await network.counted(userId)).toBe(before + made + 1);
      expect(network.ledgerOf(userId).ledger.activity({}).calls).toHaveLength(made + 1);
      await pass(12_000);
    }
    expect(timings).toStrictEqual(['key;desc="d1"', "", ""]);
  });

  test("nor when little is left", async () => {
    const { key } = await callerWith(980);
    for (let made = 0; made < 20; made++) {
      expect(await verify(isolate, key)).toMatchObject({ status: 200, waited: 0 });
      await pass(10);
    }
    expect(await verify(isolate, key)).toMatchObject({ status: 402, waited: 0 });
  });

  test("from the sixth single number on, while the ledger has not replied", async () => {
    const { key } = await callerWith(10);
    for (let made = 0; made < 7; made++) expect(timing(await verify(isolate, key)).includes("ledger")).toBe(made === 5);
  });

  test("if it is a batch", async () => {
    const { key } = await callerWith(10);
    expect(timing(await verifyBatch(isolate, key, Array(50).fill(VALID)))).toContain("ledger");
  });

  test("if the limit was used up more than ten seconds ago", async () => {
    const { key } = await callerWith(1_000);
    await askLedger(isolate, key);
    await pass(10_000);
    network.faults.ledger = "hangs";
    const seen = await verify(isolate, key);
    expect(seen.waited).toBeGreaterThanOrEqual(500);
    expect(timing(seen)).toContain("ledger");
  });

  test("and without a quota never", async () => {
    const { key } = await network.caller("live", { plan: "pro" });
    network.faults.ledger = "hangs";
    const seen = await verify(isolate, key);
    expect(timing(seen)).not.toContain("ledger");
    expect(seen).toMatchObject({ status: 200, waited: 0 });
  });
});

describe("a client that continues after the end", () => {
  test("is refused without a call to the ledger, for ten seconds at a time", async () => {
    const { key } = await callerWith(1_000);
    expect((await askLedger(isolate, key)).status).toBe(402);
    await isolate.settled();
    isolate.calls.length = 0;
    for (let made = 0; made < 30; made++) {
      expect(await verifyBatch(isolate, key, [VALID, VALID])).toMatchObject({ status: 402, waited: 0 });
    }
    expect(isolate.calls).not.toContain("ledger");
    await pass(10_000);
    isolate.calls.length = 0;
    expect((await verify(isolate, key)).status).toBe(402);
    expect(isolate.calls.filter((call) => call === "ledger")).toHaveLength(1);
  });
});

describe("a key with a cap, in a plan without a quota", () => {
  async function cappedCaller(monthlyCap: number): Promise<Caller> {
    const caller = await network.caller("live", { plan: "pro" });
    await network.worker.db.update(apiKeys).set({ monthlyCap }).where(eq(apiKeys.id, caller.keyId));
    return caller;
  }

  test("is refused at it, in every isolate, and the account's other keys are not", async () => {
    const { key, userId } = await cappedCaller(10);
    const others = [await network.isolate(), await network.isolate()];
    for (const each of [isolate, ...others]) expect((await verify(each, key)).status).toBe(200);
    await pass(10);
    expect((await verifyBatch(others[0]!, key, Array(7).fill(VALID))).status).toBe(200);
    for (const each of [isolate, ...others]) {
      await askLedger(each, key);
      expect(await verify(each, key)).toMatchObject({ status: 402, code: "KEY_CAP_REACHED" });
    }
    const other = await network.anotherKey(userId, "live");
    expect(await verify(isolate, other.apiKey)).toMatchObject({ status: 200, waited: 0 });
    await isolate.settled();
    expect(await network.counted(userId)).toBe(11);
  });

  test("has its streams end at it exactly", async () => {
    const { key, userId } = await cappedCaller(250);
    const body = `${JSON.stringify({ number: VALID })}\n`.repeat(300);
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/x-ndjson" };
    const response = await isolate.fetch("/api/v1/verify/stream", { method: "POST", headers, body });
    const found = (await until(response.text())).trimEnd().split("\n");
    expect(found).toHaveLength(251);
    expect(JSON.parse(found.at(-1)!)).toMatchObject({ code: "KEY_CAP_REACHED", line: 251, ended: true });
    await isolate.settled();
    expect(await network.counted(userId)).toBe(250);
  });
});

describe.each(["down", "hangs", "silent"] as const)("without a ledger (%s)", (fault) => {
  test("an isolate lets 25 numbers through, then returns 503 with Retry-After, and all of them are counted", async () => {
    const { key, userId } = await callerWith(1);
    network.faults.ledger = fault;
    const seen = [];
    for (let made = 0; made < 28; made++) seen.push(await verify(isolate, key));
    expect(seen.filter(({ status }) => status === 200)).toHaveLength(25);
    expect(seen.at(-1)).toMatchObject({ status: 503, code: "TEMPORARILY_UNAVAILABLE", retryAfter: "5" });
    expect((await verifyBatch(isolate, key, Array(26).fill(VALID))).status).toBe(503);
    network.repair();
    await isolate.settled();
    await network.consume();
    const before = await network.counted(userId);
    expect((await verify(isolate, key)).status).toBe(200);
    // Calls rejected with 503 may have been charged if the ledger did its work.
    const charged = before - (await callerTotal());
    expect(charged).toBeGreaterThanOrEqual(25);
    expect(charged).toBeLessThanOrEqual(fault === "silent" ? 54 : 25);
  });

  /** What `use` has counted besides the quota. */
  async function callerTotal(): Promise<number> {
    return 1 + 5_000 + 5_000 + 5_000;
  }
});

describe("the lookups of test keys", () => {
  const HUNDRED = Array.from({ length: 100 }, () => "+5511987654322");

  /** Verifies hundreds of numbers outside the sandbox, with room in the limits per minute afterward. */
  async function useHundreds(key: string, count: number): Promise<void> {
    for (let made = 0; made < count; made++) {
      expect((await verifyBatch(isolate, key, HUNDRED)).status).toBe(200);
      // Five batches use up most of the per-minute limit.
      if (made === 4) await pass(120_000);
    }
    await pass(120_000);
  }

  test("outside the sandbox's own numbers are limited to 1,000 per day", async () => {
    const { key } = await network.caller("test");
    await useHundreds(key, 10);
    const rejected = await verify(isolate, key, "+5511987654322");
    const rule = "Test keys can verify 1,000 numbers per day outside the sandbox.";
    const error = `${rule} None are left until midnight UTC.`;
    const left = 43_200 - 240;
    expect(rejected).toMatchObject({ status: 429, code: "RATE_LIMITED", retryAfter: String(left), body: { error } });
    expect(rejected.headers.get("RateLimit-Policy")).toMatch(/, "daily";q=1000;w=86400$/);
    // The limits per minute count it, and the response shows which limit it hit.
    expect(rejected.headers.get("RateLimit")).toBe(`"requests";r=59;t=60, "numbers";r=599;t=60, "daily";r=0;t=${left}`);
    expect((await verify(isolate, key, VALID)).status).toBe(200);
    expect((await verify(isolate, key, "+12025550106")).status).toBe(400);
    expect((await verify(isolate, key, VALID)).headers.get("RateLimit")).not.toContain("daily");
    skip(12 * 3_600_000);
    expect((await verify(isolate, key, "+5511987654322")).status).toBe(200);
  });

  test("that don't all fit are rejected as a whole, with what is left", async () => {
    const { key } = await network.caller("test");
    await useHundreds(key, 9);
    expect((await verifyBatch(isolate, key, HUNDRED.slice(0, 98))).status).toBe(200);
    const rejected = await verifyBatch(isolate, key, HUNDRED.slice(0, 5));
    expect(rejected.body["error"]).toMatch(/ This batch needs 5, but you have 2 left until midnight UTC\.$/);
    expect(rejected.headers.get("RateLimit")).toMatch(/, "daily";r=2;t=\d{5}$/);
    expect((await verifyBatch(isolate, key, HUNDRED.slice(0, 2))).status).toBe(200);
  });
});

describe("a new subscription", () => {
  test("activated through the API applies to the next request, and within 30 s where the key is cached", async () => {
    const { key, token } = await network.caller("live", { subscription: "none" });
    const known = await network.isolate();
    expect((await verify(known, key)).status).toBe(403);
    expect(await verify(isolate, key)).toMatchObject({ status: 403, code: "SUBSCRIPTION_INACTIVE" });
    // Later than a change that follows another soon, which the scheduled job publishes.
    skip(5_000);
    const activated = await isolate.fetch("/api/v1/account/subscriptions/trial", post(token, {}));
    expect(activated.status).toBe(201);
    expect(await verify(isolate, key)).toMatchObject({ status: 200, source: "memory" });
    const unknowing = await network.isolate();
    expect(await verify(unknowing, key)).toMatchObject({ status: 200, source: "kv" });
    await pass(30_000);
    expect((await verify(known, key)).status).toBe(200);
  });

  test("granted by an operator applies within 30 s", async () => {
    const { key, email } = await callerWith(1_000);
    expect((await askLedger(isolate, key)).status).toBe(402);
    await isolate.settled();
    const io = ioOf({ env: network.behind() });
    const { id } = await accountToAdminister(io.db, email);
    await until(grantSubscription(io, id, { plan: "pro", until: null }));
    await pass(30_000);
    expect((await verify(isolate, key)).status).toBe(200);
  });
});

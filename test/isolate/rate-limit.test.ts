import { beforeEach, describe, expect, test } from "vitest";
import { UNKNOWN_KEYS_PER_MINUTE } from "../../contract/limits.ts";
import { shardKeys } from "../../worker/limits/rate/exchange.ts";
import { post, send } from "../requests.ts";
import { generateKey } from "../../worker/keys/key-format.ts";
import { keyedHash } from "../../worker/platform/hash.ts";
import { TEST_SECRETS } from "../worker.ts";
import { askLedger, VALID, verify, verifyBatch } from "./calls.ts";
import type { Seen } from "./calls.ts";
import { pass } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { NetworkIsolate } from "./network.ts";

const network = startNetwork();

let isolate: NetworkIsolate;

beforeEach(async () => {
  isolate = await network.isolate();
});

/** How many requests succeed before the first rejected one, and that one. */
async function exhaust(key: string, asked = isolate): Promise<{ readonly admitted: number; readonly rejected: Seen }> {
  for (let admitted = 0; ; admitted++) {
    const answer = await verify(asked, key);
    if (answer.status !== 200) return { admitted, rejected: answer };
  }
}

function standing({ headers }: Seen): readonly [policy: string | null, limit: string | null] {
  return [headers.get("RateLimit-Policy"), headers.get("RateLimit")];
}

describe("limits by plan and mode", () => {
  test("a trial account gets 60 per minute for its live keys together, and 60 for its test keys", async () => {
    const { key, userId } = await network.caller();
    const { apiKey: otherKey } = await network.anotherKey(userId, "live");
    const { apiKey: testKey } = await network.anotherKey(userId, "test");
    expect(await exhaust(key)).toMatchObject({ admitted: 60, rejected: { status: 429, code: "RATE_LIMITED" } });
    expect((await verify(isolate, otherKey)).status).toBe(429);
    expect(await exhaust(testKey)).toMatchObject({ admitted: 60, rejected: { status: 429 } });
  });

  test("a pro account gets 600 for its live keys, and 60 for its test keys", async () => {
    const { key, userId } = await network.caller("live", { plan: "pro" });
    const { apiKey: testKey } = await network.anotherKey(userId, "test");
    expect((await exhaust(key)).admitted).toBe(600);
    expect((await exhaust(testKey)).admitted).toBe(60);
  });

  test("accounts do not share a limit", async () => {
    const [one, other] = [await network.caller(), await network.caller()];
    await exhaust(one.key);
    expect((await verify(isolate, other.key)).status).toBe(200);
  });
});

describe("what a caller learns", () => {
  test("the policy and what is left, from the first response on; a batch counts as one request", async () => {
    const { key } = await network.caller();
    const policy = '"requests";q=60;w=60, "numbers";q=1000;w=60';
    const left = (requests: number, numbers: number, seconds: number) => [
      policy,
      `"requests";r=${requests};t=${seconds}, "numbers";r=${numbers};t=${seconds}`,
    ];
    expect(standing(await verify(isolate, key))).toStrictEqual(left(59, 999, 60));
    await pass(10_000);
    expect(standing(await verify(isolate, key))).toStrictEqual(left(58, 998, 50));
    expect(standing(await verifyBatch(isolate, key, [VALID, VALID, VALID]))).toStrictEqual(left(57, 995, 50));
    expect(standing(await verifyBatch(isolate, key, []))).toStrictEqual(left(56, 995, 50));
  });

  test("when to retry; after that it continues", async () => {
    const { key } = await network.caller();
    await verify(isolate, key);
    await pass(20_000);
    const { rejected } = await exhaust(key);
    expect(rejected.retryAfter).toBe("40");
    expect(rejected.headers.get("RateLimit")).toBe('"requests";r=0;t=40, "numbers";r=940;t=40');
    await pass(39_000);
    expect(await verify(isolate, key)).toMatchObject({ status: 429, retryAfter: "1" });
    await pass(1_000);
    expect((await exhaust(key)).admitted).toBe(1);
    await pass(20_000);
    expect((await exhaust(key)).admitted).toBe(59);
  });
});

describe("numbers", () => {
  const BATCH = Array<string>(100).fill(VALID);

  test("a test key gets 600 per minute, a trial 1,000, and pro as many as its requests can contain", async () => {
    const { key, userId } = await network.caller("live", { plan: "pro" });
    const { apiKey: testKey } = await network.anotherKey(userId, "test");
    const [policy] = standing(await verifyBatch(isolate, key, BATCH));
    expect(policy).toBe('"requests";q=600;w=60, "numbers";q=60000;w=60');
    for (let made = 0; made < 6; made++) expect((await verifyBatch(isolate, testKey, BATCH)).status).toBe(200);
    expect((await verifyBatch(isolate, testKey, BATCH)).status).toBe(429);
  });

  test("a rejected batch is rejected whole, says so, and none of its numbers count", async () => {
    const { key } = await network.caller("test");
    expect((await verify(isolate, key)).status).toBe(200);
    for (let made = 0; made < 6; made++) expect((await verifyBatch(isolate, key, BATCH)).status).toBe(200);
    const rejected = await verifyBatch(isolate, key, BATCH);
    expect(rejected).toMatchObject({
      status: 429,
      code: "RATE_LIMITED",
      retryAfter: "60",
      body: { error: "The limit is 600 numbers per minute. Try again in 60 seconds." },
    });
    expect(rejected.headers.get("RateLimit")).toBe('"requests";r=52;t=60, "numbers";r=0;t=60');
    // A call without numbers isn't rejected.
    const quota = await isolate.fetch("/api/v1/account/quota", { headers: { Authorization: `Bearer ${key}` } });
    expect(quota.status).toBe(200);
    expect(quota.headers.has("Retry-After")).toBe(false);
    await pass(60_000);
    const { headers } = await verify(isolate, key);
    expect(headers.get("RateLimit")).toBe('"requests";r=59;t=60, "numbers";r=599;t=60');
  });

  test("a malformed batch is a request without numbers", async () => {
    const { key } = await network.caller("test");
    await verifyBatch(isolate, key, Array<string>(101).fill(VALID));
    expect((await verify(isolate, key)).headers.get("RateLimit")).toBe('"requests";r=58;t=60, "numbers";r=599;t=60');
  });
});

describe("invalid input", () => {
  test.each<[string, object, Record<string, string>?]>([
    ["an empty number", { number: " " }],
    ["an unknown country", { number: "020 7946 0018", country: "ZZ" }],
    ["a malformed Idempotency-Key", { number: VALID }, { "Idempotency-Key": "two words" }],
  ])("%s is a request, and counts toward nothing else", async (_, body, headers = {}) => {
    const { key, userId } = await network.caller();
    const answer = await isolate.fetch("/api/v1/verify", post(key, body, headers));
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toStrictEqual([400, "VALIDATION_FAILED"]);
    expect(answer.headers.get("RateLimit")).toBe('"requests";r=59;t=60, "numbers";r=1000;t=60');
    expect((await verify(isolate, key)).headers.get("RateLimit")).toBe('"requests";r=58;t=60, "numbers";r=999;t=60');
    await isolate.settled();
    expect(await network.counted(userId)).toBe(1);
  });

  test("is reported before the limits that its numbers would exceed", async () => {
    const { key } = await network.caller("test");
    for (let made = 0; made < 6; made++) await verifyBatch(isolate, key, Array<string>(100).fill(VALID));
    expect((await verify(isolate, key)).code).toBe("RATE_LIMITED");
    for (const body of [{}, { number: VALID, country: "ZZ" }]) {
      const answer = await isolate.fetch("/api/v1/verify", post(key, body));
      expect(answer.status).toBe(400);
    }
    const spent = await network.caller();
    await network.use(spent.userId, 1_000);
    expect((await askLedger(isolate, spent.key)).code).toBe("QUOTA_EXCEEDED");
    expect((await verify(isolate, spent.key)).code).toBe("QUOTA_EXCEEDED");
    expect((await verify(isolate, spent.key, "")).code).toBe("VALIDATION_FAILED");
  });
});

describe("isolates of one account", () => {
  test("learn of each other over KV", async () => {
    const { key, userId } = await network.caller();
    const other = await network.isolate();
    await exhaust(key);
    for (let made = 0; made < 20; made++) await verify(other, key);
    // Each exchanges after 20 requests and 20 s: the second learns of the first, which wrote before.
    await pass(20_000);
    await verify(isolate, key);
    await isolate.settled();
    await verify(other, key);
    await other.settled();
    const { admitted } = await exhaust(key, other);
    expect(admitted).toBeLessThan(20);
    const { keys } = await network.worker.env.EDGE.list({ prefix: "rl:" });
    expect(keys.length).toBeGreaterThan(0);
    for (const { name } of keys) {
      expect(`${name} ${await network.worker.env.EDGE.get(name)}`).not.toMatch(
        new RegExp(`${key}|${userId}|${VALID.slice(1)}`),
      );
    }
  });

  test("continue on their own when KV is down", async () => {
    const { key } = await network.caller();
    await verify(isolate, key);
    network.faults.kv = "down";
    expect((await exhaust(key)).admitted).toBe(59);
  });
});

describe("the platform's limiter", () => {
  test("rejects no address when it fails", async () => {
    network.faults.backstop = () => {
      throw new Error("Rate limit failed: internal error");
    };
    const { token } = await network.caller();
    expect((await isolate.fetch("/api/v1/account/me", send("GET", token))).status).toBe(200);
    expect(isolate.calls).toContain("backstop");
  });

  test("rejects what an account sends beyond its location's room, in all its isolates, and gets no more than an id", async () => {
    const { key, userId } = await network.caller();
    const { apiKey: testKey } = await network.anotherKey(userId, "test");
    const asked: string[] = [];
    network.faults.backstop = (subject) => {
      asked.push(subject);
      return subject === `${userId}:live`;
    };
    for (const each of [isolate, await network.isolate()]) {
      // The first isn't counted, and the second's response doesn't wait.
      for (const _ of [1, 2]) expect(await verify(each, key)).toMatchObject({ status: 200, waited: 0 });
      await pass(10);
      const rejected = await verify(each, key);
      expect(rejected).toMatchObject({
        status: 429,
        code: "RATE_LIMITED",
        retryAfter: "15",
        body: { error: "The limit is 60 requests per minute. Try again in 15 seconds." },
      });
      expect(rejected.headers.get("RateLimit")).toMatch(/^"requests";r=0;t=15, /);
    }
    for (const _ of [1, 2, 3]) expect((await verify(isolate, testKey)).status).toBe(200);
    expect(new Set(asked)).toStrictEqual(new Set([`${userId}:live`, `${userId}:test`]));
    await pass(15_000);
    network.repair();
    expect((await verify(isolate, key)).status).toBe(200);
  });

  test("rejects no account when it fails", async () => {
    network.faults.backstop = () => {
      throw new Error("Rate limit failed: internal error");
    };
    const { key } = await network.caller();
    expect((await exhaust(key)).admitted).toBe(60);
    expect(isolate.calls).toContain("account backstop");
  });

  test.each(["/api/v1/openapi.json", "/api/v1/health", "/api/v1/status"])("limits %s by address", async (path) => {
    const subject = keyedHash(TEST_SECRETS.attempts.current, "backstop-documents", "192.0.2.7");
    const asked: string[] = [];
    network.faults.backstop = (key) => {
      asked.push(key);
      return key === subject;
    };
    const get = (address: string) => isolate.fetch(path, { headers: { "CF-Connecting-IP": address } });
    const rejected = await get("192.0.2.7");
    expect([rejected.status, rejected.headers.get("Retry-After")]).toStrictEqual([429, "60"]);
    expect(rejected.headers.get("Cache-Control")).toBe("no-store");
    expect(isolate.calls).toStrictEqual(["backstop"]);
    expect((await get("192.0.2.8")).status).toBe(200);
    // Cloudflare sees the addresses anyway, but stores none for us.
    expect(asked).toHaveLength(2);
    for (const key of asked) expect(key).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe("keys that don't exist", () => {
  const HERE = { "CF-Connecting-IP": "192.0.2.7" };
  const made = () => verify(isolate, generateKey("live"), VALID, HERE);

  test("are looked up 120 times a minute for an address, whose known keys still work", async () => {
    const { key, userId } = await network.caller("live", { plan: "pro" });
    expect((await verify(isolate, key, VALID, HERE)).status).toBe(200);
    // However many keys an address has, those that exist don't count.
    for (let created = 0; created < 5; created++) {
      const { apiKey } = await network.anotherKey(userId, "live");
      expect((await verify(isolate, apiKey, VALID, HERE)).status).toBe(200);
    }
    for (let guess = 0; guess < UNKNOWN_KEYS_PER_MINUTE; guess++) expect((await made()).code).toBe("INVALID_API_KEY");
    await isolate.settled();
    isolate.calls.length = 0;
    const rejected = await made();
    expect(rejected).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    expect(Number(rejected.retryAfter)).toBeGreaterThan(0);
    for (let guess = 0; guess < 880; guess++) expect((await made()).status).toBe(429);
    expect(isolate.calls).toStrictEqual([]);
    expect((await verify(isolate, key, VALID, HERE)).status).toBe(200);
    const elsewhere = { "CF-Connecting-IP": "192.0.2.8" };
    expect((await verify(isolate, generateKey("live"), VALID, elsewhere)).status).toBe(401);
    await pass(60_000);
    expect((await made()).status).toBe(401);
  });

  test("count for each address once while this isolate remembers them", async () => {
    const unknown = generateKey("test");
    for (let sent = 0; sent <= UNKNOWN_KEYS_PER_MINUTE; sent++) {
      expect((await verify(isolate, unknown, VALID, HERE)).status).toBe(401);
    }
    expect((await made()).status).toBe(401);
  });

  test("leave no address in KV", async () => {
    for (let guess = 0; guess < 100; guess++) await made();
    await pass(20_000);
    await made();
    await isolate.settled();
    const { keys } = await network.worker.env.EDGE.list({ prefix: "rl:" });
    const stored = await Promise.all(
      keys.map(async ({ name }) => `${name} ${await network.worker.env.EDGE.get(name)}`),
    );
    expect(stored.some((text) => /"requests":10\d/.test(text))).toBe(true);
    const plain = shardKeys("192.0.2.7").map((name) => name.slice(0, -2));
    for (const text of stored) expect(text).not.toMatch(new RegExp(`192\\.0\\.2|${plain[0]}`));
  });

  test("cost no call at all when they are mistyped", async () => {
    expect(await verify(isolate, generateKey("live").slice(0, -1))).toMatchObject({ status: 401 });
    expect(isolate.calls).toStrictEqual([]);
  });
});

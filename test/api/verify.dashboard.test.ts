import { expect, test } from "vitest";
import { DASHBOARD_KEY_ID } from "../../contract/keys.ts";
import { TEST_LIMITS, TRIAL } from "../../contract/plans.ts";
import { createSignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { addUsage } from "../usage.ts";
import { subscriptionOf } from "../notices.ts";
import { post } from "../requests.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";

const worker = startWorker();
const PATH = "/api/v1/account/verify";
const NUMBERS = ["+5511987654321", "+1202", "020 7946 0018"];

async function verify(token: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await worker.fetch(PATH, post(token, body, headers));
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

async function keyFor(userId: string): Promise<string> {
  return (await insertApiKey({ db: worker.db, now: Date.now(), userId, mode: "live", name: "Stored" })).apiKey;
}

async function countedOf(token: string): Promise<{ total: number; successful: number }> {
  const response = await worker.fetch("/api/v1/account/reports/usage?days=1&mode=live", {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { days } = (await response.json()) as { days: { total: number; successful: number }[] };
  return days.at(-1)!;
}

test("a session gets the same as a live key, in order, and it is counted once", async () => {
  const { id, token } = await createSignedIn(worker.db);
  const body = { numbers: NUMBERS, country: "gb" };
  const sent = { "Idempotency-Key": "bulk-1-0-3" };
  const { status, headers, body: ours } = await verify(token, body, sent);
  expect(status).toBe(200);
  expect(headers.get("RateLimit-Policy")).toContain(`q=${TRIAL.requestsPerMinute}`);
  expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  const theirs = await worker.fetch("/api/v1/verify/batch", post(await keyFor(id), body));
  expect(ours).toStrictEqual(await theirs.json());
  expect((await verify(token, body, sent)).status).toBe(200);
  expect((await verify(token, { numbers: ["+5511987654321"] }, sent)).body["code"]).toBe("IDEMPOTENCY_MISMATCH");
  // Two calls of three numbers, two of them valid: the session's retry counts once.
  await expect
    .poll(() => countedOf(token), { timeout: 30_000, interval: 200 })
    .toMatchObject({ total: 6, successful: 4 });
});

test("it uses the account's remaining quota", async () => {
  const { id, token } = await createSignedIn(worker.db);
  const { startedAt } = (await subscriptionOf(worker.db, id))!;
  const day = new Date().toISOString().slice(0, 10);
  const used = [{ country: "BR", mode: "live" as const, day, success: TRIAL.quota - 2, startedAt }];
  await addUsage({ db: worker.db, ledgers: worker.env.LEDGER }, id, used);
  const three = { numbers: ["+5511987654321", "+5511987654322", "+5511987654323"] };
  expect(await verify(token, three)).toMatchObject({ status: 402, body: { error: expect.stringContaining("2 ") } });
  expect((await verify(token, { numbers: three.numbers.slice(1) })).status).toBe(200);
  expect((await verify(token, { numbers: ["+5511987654321"] })).status).toBe(402);
});

test("numbers of the session and of live keys share one limit", async () => {
  const { id, token } = await createSignedIn(worker.db);
  const numbers = Array.from({ length: 100 }, () => "+1202");
  for (let sent = 0; sent < TRIAL.numbersPerMinute; sent += 100) {
    expect((await verify(token, { numbers })).status).toBe(200);
  }
  const rejected = await verify(token, { numbers });
  expect(rejected).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(Number(rejected.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await worker.fetch("/api/v1/verify", post(await keyFor(id), { number: "+1202" }))).status).toBe(429);
});

test("an account without an active subscription is rejected", async () => {
  const rejected = [
    [{ subscription: "none" }, "SUBSCRIPTION_INACTIVE"],
    [{ subscription: "expired" }, "SUBSCRIPTION_INACTIVE"],
    [{ subscription: "ended" }, "SUBSCRIPTION_INACTIVE"],
  ] as const;
  for (const [options, code] of rejected) {
    const { token } = await createSignedIn(worker.db, options);
    expect(await verify(token, { numbers: NUMBERS }), code).toMatchObject({ status: 403, body: { code } });
  }
});

test.each([
  ["no numbers", { numbers: [] }],
  ["too many", { numbers: Array.from({ length: 101 }, () => "1") }],
  ["no list", { numbers: "+1202" }],
  ["a country without a plan", { numbers: ["1"], country: "AQ" }],
])("%s: 400 with the field", async (_, body) => {
  const { token } = await createSignedIn(worker.db);
  expect(await verify(token, body)).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
});

test("an API key is rejected, and no key has the reserved id", async () => {
  const { id } = await createSignedIn(worker.db);
  expect((await verify(await keyFor(id), { numbers: NUMBERS })).status).toBe(401);
  expect(DASHBOARD_KEY_ID).not.toMatch(/^key_/);
});

test("the sandbox counts a session with the account's test keys, and accepts no API key", async () => {
  const { id, token } = await createSignedIn(worker.db);
  const testKey = (await insertApiKey({ db: worker.db, now: Date.now(), userId: id, mode: "test", name: "CI" })).apiKey;
  const send = async (path: string, credential: string) =>
    (await worker.fetch(path, post(credential, { number: "+5511987654321" }))).status;
  expect(await send(`${PATH}/sandbox`, testKey)).toBe(401);
  for (let sent = 0; sent < TEST_LIMITS.requestsPerMinute; sent += 1)
    expect(await send(`${PATH}/sandbox`, token)).toBe(200);
  expect(await send("/api/v1/verify", testKey)).toBe(429);
  expect(await send(`${PATH}/sandbox`, token)).toBe(429);
});

test("the sandbox answers a session without a subscription, as it answers a test key", async () => {
  const { token } = await createSignedIn(worker.db, { subscription: "none" });
  async function inSandbox(number: string) {
    const response = await worker.fetch(`${PATH}/sandbox`, post(token, { number }));
    return { status: response.status, body: await response.json() };
  }
  expect(await inSandbox("+5511987654321")).toMatchObject({ status: 200, body: { status: "DELIVERED_TO_HANDSET" } });
  expect(await inSandbox("+12025550109")).toMatchObject({ status: 400, body: { code: "REJECTED_SUBSCRIBER_ABSENT" } });
  expect((await verify(token, { numbers: NUMBERS })).body["code"]).toBe("SUBSCRIPTION_INACTIVE");
});

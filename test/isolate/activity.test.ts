import { beforeEach, describe, expect, test } from "vitest";
import type { ActivityPage } from "../../contract/activity.ts";
import type { AccountExport } from "../../contract/export.ts";
import { post, send } from "../requests.ts";
import { INVALID, VALID, verify, verifyBatch } from "./calls.ts";
import { pass } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";

const network = startNetwork();

let isolate: NetworkIsolate;
let caller: Caller;

beforeEach(async () => {
  isolate = await network.isolate();
  caller = await network.caller("live", { plan: "pro" });
});

async function activity(query = "", token = caller.token): Promise<ActivityPage> {
  await isolate.settled();
  await network.consume();
  await network.ledgerOf(caller.userId).settled();
  const response = await isolate.fetch(`/api/v1/account/activity${query}`, send("GET", token));
  expect(response.status).toBe(200);
  return (await response.json()) as ActivityPage;
}

describe("the activity of an account", () => {
  test("is empty at first, and no ledger is made for it", async () => {
    expect(await activity()).toStrictEqual({ calls: [], rate_limited: [], next: null });
  });

  test("shows a call with what its response said of it, and nothing of its number", async () => {
    const seen = await verify(isolate, caller.key);
    const { calls } = await activity();
    expect(calls).toStrictEqual([
      {
        at: expect.stringMatching(/^2026-01-02T12:00:0/),
        request_id: seen.headers.get("X-Request-Id"),
        key_id: caller.keyId,
        operation: "verify",
        status: 200,
        code: null,
        country: "BR",
        numbers: 1,
        duration_ms: expect.any(Number),
        data_center: null,
      },
    ]);
  });

  test("shows calls that were refused once their key was known, each with its reason", async () => {
    const refused = [
      () => verify(isolate, caller.key, " "),
      () => isolate.fetch("/api/v1/verify", post(caller.key, "{")),
      () =>
        isolate.fetch("/api/v1/verify", post(caller.key, { number: VALID }, { Origin: "https://elsewhere.example" })),
      () => isolate.fetch("/api/v1/verify", post(caller.key, { number: VALID }, { "Content-Type": "text/plain" })),
    ];
    for (const call of refused) {
      await call();
      await pass(1_000);
    }
    await verify(isolate, caller.key, VALID, { "Idempotency-Key": "a" });
    await pass(10);
    await verify(isolate, caller.key, INVALID, { "Idempotency-Key": "a" });
    const { calls } = await activity();
    expect(calls.map(({ status, code }) => `${status} ${code}`)).toStrictEqual([
      "422 IDEMPOTENCY_MISMATCH",
      "200 null",
      "415 UNSUPPORTED_MEDIA_TYPE",
      "403 BROWSER_ORIGIN_REFUSED",
      "400 INVALID_JSON",
      "400 VALIDATION_FAILED",
    ]);
  });

  test("is a sample: of a burst, one call a second that succeeded and one that did not", async () => {
    for (let at = 0; at < 20; at++) await verify(isolate, caller.key, at % 2 === 0 ? VALID : " ");
    const { calls } = await activity();
    expect(calls.map(({ status }) => status).toSorted()).toStrictEqual([200, 400]);
  });

  test("counts 429s by minute", async () => {
    const sandbox = await network.anotherKey(caller.userId, "test");
    let limited = 0;
    for (let at = 0; at < 70; at++) if ((await verify(isolate, sandbox.apiKey)).status === 429) limited += 1;
    expect(limited).toBeGreaterThan(2);
    expect((await activity()).rate_limited).toStrictEqual([{ minute: "2026-01-02T12:00:00.000Z", count: 1 }]);
    await pass(60_000);
    await verify(isolate, sandbox.apiKey);
    const { calls, rate_limited } = await activity();
    expect(rate_limited).toStrictEqual([{ minute: "2026-01-02T12:00:00.000Z", count: limited }]);
    expect(calls.map(({ status }) => status)).not.toContain(429);
  });

  test("finds a request by its id, and calls by key, status, code and time", async () => {
    const other = await network.anotherKey(caller.userId, "test");
    const first = await verify(isolate, caller.key);
    await pass(2_000);
    await verifyBatch(isolate, other.apiKey, [VALID, VALID]);
    await pass(10);
    await verify(isolate, other.apiKey, "+12025550106");
    const id = first.headers.get("X-Request-Id")!;
    expect((await activity(`?request_id=${id}`)).calls).toHaveLength(1);
    expect((await activity(`?key_id=${other.id}`)).calls).toMatchObject([
      { status: 400, code: "REJECTED_NETWORK" },
      { operation: "verifyBatch", numbers: 2, country: null },
    ]);
    expect((await activity("?status=4xx")).calls).toHaveLength(1);
    expect((await activity("?status=200")).calls).toHaveLength(2);
    expect((await activity("?from=2026-01-02T12:00:02Z")).calls).toHaveLength(2);
    expect((await activity("?to=2026-01-02")).calls).toHaveLength(3);
    expect((await activity("?to=2026-01-01")).calls).toHaveLength(0);
    expect((await activity("?code=QUOTA_EXCEEDED")).calls).toHaveLength(0);
  });

  test.each([
    "status=ok",
    "status=4x",
    "from=yesterday",
    "to=2026-13-01",
    "before=5",
    "key_id=%27",
    "code=a%20b",
    "page=2",
    "request_id=",
  ])("refuses ?%s", async (query) => {
    const response = await isolate.fetch(`/api/v1/account/activity?${query}`, send("GET", caller.token));
    expect(response.status).toBe(400);
    expect((await response.json()) as object).toMatchObject({ fields: { [query.split("=")[0]!]: expect.any(String) } });
  });

  test("is nobody else's, and not an API key's", async () => {
    await verify(isolate, caller.key);
    const stranger = await network.caller();
    expect((await activity("", stranger.token)).calls).toStrictEqual([]);
    const response = await isolate.fetch("/api/v1/account/activity", send("GET", caller.key));
    expect(response.status).toBe(401);
  });

  test("costs no separate message beside a counted call, and none where queue and ledger are away", async () => {
    await verify(isolate, caller.key);
    await isolate.settled();
    expect(isolate.calls.filter((call) => call === "queue.send")).toHaveLength(1);
    Object.assign(network.faults, { queue: "refuses", ledger: "down" });
    expect((await verify(isolate, caller.key, " ")).status).toBe(400);
    await isolate.settled();
    expect(network.logs.findLast((line) => line.includes('"usage_lost"'))).toContain('"count":0');
  });
});

describe("the export of an account", () => {
  test("has everything that is kept of it, and no hash", async () => {
    await verifyBatch(isolate, caller.key, [VALID, VALID, INVALID]);
    await network.anotherKey(caller.userId, "test");
    await isolate.fetch(`/api/v1/account/api-keys/${caller.keyId}`, send("DELETE", caller.token));
    await activity();
    const response = await isolate.fetch("/api/v1/account/export", send("GET", caller.token));
    expect(response.headers.get("Content-Disposition")).toBe(
      'attachment; filename="checkline-account-2026-01-02.json"',
    );
    const text = await response.text();
    const exported = JSON.parse(text) as AccountExport;
    expect(exported).toMatchObject({
      account: { id: caller.userId, email: caller.email },
      subscription: { plan: "pro" },
      usage: [
        { period: "2026-01-02", key_id: caller.keyId, mode: "live", country_code: "BR", successful: 2, failed: 1 },
      ],
      activity: { calls: [{ status: 200, numbers: 3 }], rate_limited: [] },
    });
    expect(exported.api_keys.map(({ revoked_at: at }) => at === null)).toStrictEqual([true, false]);
    expect(text).not.toMatch(/hash|[\da-f]{64}|scrypt/);
  });

  test("is given ten times an hour", async () => {
    const get = async () => (await isolate.fetch("/api/v1/account/export", send("GET", caller.token))).status;
    for (let at = 0; at < 10; at++) expect(await get()).toBe(200);
    expect(await get()).toBe(429);
  });
});

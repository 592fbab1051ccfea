import * as v from "valibot";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { ActivityPage } from "../../contract/activity.ts";
import { AccountExport } from "../../contract/export.ts";
import { DASHBOARD_KEY_ID } from "../../contract/keys.ts";
import { emailTokens, passkeys } from "../../schema.ts";
import type { Count } from "../../worker/ledger/part.ts";
import type { CountedRow } from "../../worker/ledger/usage.ts";
import { newId } from "../../worker/platform/random.ts";
import { countOf, NOON, partOf } from "../usage.ts";
import { post, send } from "../requests.ts";
import { askLedger, INVALID, VALID, verify, verifyBatch } from "./calls.ts";
import { pass } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";

const network = startNetwork();

const HOUR = 3_600_000;

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
  test("is empty at first, and creates no ledger", async () => {
    expect(await activity()).toStrictEqual({ calls: [], rate_limited: [], next: null });
  });

  test("shows a call with its response's details, and nothing of its number", async () => {
    const seen = await verify(isolate, caller.key);
    const { calls } = await activity();
    expect(calls).toStrictEqual([
      {
        at: expect.stringMatching(/^2026-01-02T12:00:0/),
        request_id: seen.headers.get("X-Request-Id"),
        key_id: caller.keyId,
        mode: "live",
        operation: "verify",
        status: 200,
        code: null,
        country: "BR",
        numbers: 1,
        fields: ["number"],
        duration_ms: expect.any(Number),
        data_center: null,
      },
    ]);
  });

  test("names the fields of a body, rejected or not, and none that the operation doesn't have", async () => {
    const body = { number: VALID, accept_types: "any", [VALID]: 1, note: VALID };
    await isolate.fetch("/api/v1/verify", post(caller.key, body));
    await pass(1_000);
    await verifyBatch(isolate, caller.key, [VALID, INVALID]);
    const { calls } = await activity();
    expect(calls.map(({ status, numbers, fields }) => ({ status, numbers, fields }))).toStrictEqual([
      { status: 200, numbers: 2, fields: ["numbers"] },
      { status: 400, numbers: 0, fields: ["number", "accept_types"] },
    ]);
  });

  test("tells the dashboard's own calls apart, and their modes", async () => {
    for (const [path, body] of [
      ["/verify", { numbers: [VALID] }],
      ["/verify/live", { number: VALID }],
      ["/verify/sandbox", { number: VALID }],
    ] as const) {
      expect((await isolate.fetch(`/api/v1/account${path}`, post(caller.token, body))).status).toBe(200);
      await pass(1_000);
    }
    const { calls } = await activity();
    expect(calls.map(({ operation, mode, key_id: key }) => [operation, mode, key])).toStrictEqual([
      ["verifyInSandbox", "test", DASHBOARD_KEY_ID],
      ["verifyLive", "live", DASHBOARD_KEY_ID],
      ["verifyFromDashboard", "live", DASHBOARD_KEY_ID],
    ]);
  });

  test("shows failed calls with a known key, each with its reason", async () => {
    const rejected = [
      () => verify(isolate, caller.key, " "),
      () => isolate.fetch("/api/v1/verify", post(caller.key, "{")),
      () =>
        isolate.fetch("/api/v1/verify", post(caller.key, { number: VALID }, { Origin: "https://elsewhere.example" })),
      () => isolate.fetch("/api/v1/verify", post(caller.key, { number: VALID }, { "Content-Type": "text/plain" })),
    ];
    for (const call of rejected) {
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

  test("is a sample: of a burst, one success and one failure per second", async () => {
    for (let at = 0; at < 20; at++) await verify(isolate, caller.key, at % 2 === 0 ? VALID : " ");
    const { calls } = await activity();
    expect(calls.map(({ status }) => status).toSorted()).toStrictEqual([200, 400]);
  });

  test("shows a tool's error as a failure, though MCP's status is 200", async () => {
    const trial = await network.caller();
    await network.use(trial.userId, 1_000);
    await askLedger(isolate, trial.key);
    await pass(1_000);
    const params = { name: "verify_number", arguments: { number: VALID } };
    for (const message of [{ method: "ping" }, { method: "tools/call", params }]) {
      await isolate.fetch("/mcp", post(trial.key, { jsonrpc: "2.0", id: 1, ...message }));
    }
    await isolate.settled();
    const { calls } = network.ledgerOf(trial.userId).ledger.activity({});
    expect(calls.map(({ status, code }) => `${status} ${code}`).toSorted()).toStrictEqual([
      "200 QUOTA_EXCEEDED",
      "200 null",
      "402 QUOTA_EXCEEDED",
    ]);
  });

  test("counts 429s by minute", async () => {
    const sandbox = await network.anotherKey(caller.userId, "test");
    let limited = 0;
    for (let at = 0; at < 70; at++) if ((await verify(isolate, sandbox.apiKey)).status === 429) limited += 1;
    expect(limited).toBeGreaterThan(2);
    expect((await activity()).rate_limited).toStrictEqual([{ minute: "2026-01-02T12:00:00.000Z", count: limited }]);
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
  ])("rejects ?%s", async (query) => {
    const response = await isolate.fetch(`/api/v1/account/activity?${query}`, send("GET", caller.token));
    expect(response.status).toBe(400);
    expect((await response.json()) as object).toMatchObject({ fields: { [query.split("=")[0]!]: expect.any(String) } });
  });

  test("is not accessible to other accounts or API keys", async () => {
    await verify(isolate, caller.key);
    const stranger = await network.caller();
    expect((await activity("", stranger.token)).calls).toStrictEqual([]);
    const response = await isolate.fetch("/api/v1/account/activity", send("GET", caller.key));
    expect(response.status).toBe(401);
  });

  test("costs no separate call for a counted one, and loses no count while queue and ledger are down", async () => {
    await verify(isolate, caller.key);
    await isolate.settled();
    expect(isolate.calls.filter((call) => call === "ledger")).toHaveLength(1);
    Object.assign(network.faults, { queue: "rejects", ledger: "down" });
    expect((await verify(isolate, caller.key, " ")).status).toBe(400);
    await isolate.settled();
    expect(network.logs.filter((line) => line.includes('"usage_lost"'))).toStrictEqual([]);
  });
});

describe("the export of an account", () => {
  async function exportOf({ token }: Caller): Promise<AccountExport> {
    const response = await isolate.fetch("/api/v1/account/export", send("GET", token));
    return (await response.json()) as AccountExport;
  }

  test("contains everything stored about it, and no hash", async () => {
    await verifyBatch(isolate, caller.key, [VALID, VALID, INVALID]);
    await network.anotherKey(caller.userId, "test");
    await isolate.fetch(`/api/v1/account/api-keys/${caller.keyId}`, send("DELETE", caller.token));
    await activity();
    const { userId } = caller;
    const passkey = { credentialId: "Y3JlZA", publicKey: "cHVibGlj", counter: 7, transports: ["internal"] };
    await network.worker.db
      .insert(passkeys)
      .values({ id: newId("psk"), userId, name: "Laptop", createdAt: 1, ...passkey });
    const undo = { purpose: "undo_email_change", email: "before@example.com", since: 0 } as const;
    // When a row ends would tell whether its link was really sent.
    for (const createdAt of [NOON - HOUR, NOON - 169 * HOUR]) {
      const id = newId("tok");
      await network.worker.db
        .insert(emailTokens)
        .values({ id, hash: id.padEnd(64, "a"), userId, createdAt, expiresAt: NOON + HOUR, ...undo });
    }
    const response = await isolate.fetch("/api/v1/account/export", send("GET", caller.token));
    expect(response.headers.get("Content-Disposition")).toBe(
      'attachment; filename="checkline-account-2026-01-02.json"',
    );
    const text = await response.text();
    const exported = JSON.parse(text) as AccountExport;
    expect(exported).toMatchObject({
      account: {
        id: caller.userId,
        email: caller.email,
        verified_at: expect.stringMatching(/^20.*Z$/),
        suspended_at: null,
      },
      email_links: [
        {
          purpose: "undo_email_change",
          email: "before@example.com",
          created_at: new Date(NOON - HOUR).toISOString(),
          used_at: null,
        },
      ],
      second_factor: {
        passkeys: [
          { name: "Laptop", credential_id: "Y3JlZA", public_key: "cHVibGlj", counter: 7, transports: ["internal"] },
        ],
      },
      subscription: { plan: "pro" },
      usage: [
        { period: "2026-01-02", key_id: caller.keyId, mode: "live", country_code: "BR", successful: 2, failed: 1 },
      ],
      activity: { calls: [{ status: 200, numbers: 3 }], rate_limited: [] },
    });
    expect(exported.api_keys.map(({ revoked_at: at }) => at === null)).toStrictEqual([true, false]);
    expect(exported.api_keys.map(({ last_used_at: at }) => at === null)).toStrictEqual([true, false]);
    expect(v.parse(v.object({ ...AccountExport.entries }), exported)).toStrictEqual(exported);
    expect(text).not.toMatch(/hash|[\da-f]{64}|scrypt/);
  });

  test("says which key was rolled, when, and what it was rolled from", async () => {
    const path = `/api/v1/account/api-keys/${caller.keyId}/roll`;
    await isolate.fetch(path, post(caller.token, { grace_hours: 24 }));
    const exported = await exportOf(caller);
    expect(exported.api_keys).toMatchObject([
      { rolled_at: null, root_id: caller.keyId },
      { id: caller.keyId, rolled_at: expect.stringMatching(/^2026-01-02T12:/), root_id: null },
    ]);
  });

  test("of a large account has each row once, in order, and is read from the ledger as it is sent", async () => {
    const days = Array.from({ length: 40 }, (_, at) =>
      new Date(Date.UTC(2025, 10, 20 + at)).toISOString().slice(0, 10),
    );
    const counts = days.flatMap((day) =>
      Array.from({ length: 300 }, (_, at): Count => {
        const letters = String.fromCodePoint(65 + (at % 25)) + String.fromCodePoint(65 + Math.floor(at / 25));
        return countOf(1, 2, { startedAt: 0, day, country: letters });
      }),
    );
    const more: Count[] = [
      countOf(10, 0, { startedAt: 7, day: days[0]!, country: "AA" }),
      countOf(1, 0, { startedAt: 0, key: "key_0", mode: "test", day: "2023-05-31" }),
    ];
    const { ledger } = network.ledgerOf(caller.userId);
    for (const part of [counts.slice(0, 7_000), counts.slice(7_000), more]) {
      ledger.record(partOf(caller.userId, part));
    }
    await network.ledgerOf(caller.userId).settled();
    const pages = vi.spyOn(ledger, "rowsAfter");
    const { body } = await isolate.fetch("/api/v1/account/export", send("GET", caller.token));
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value!;
    expect(pages.mock.calls.length).toBeLessThan(4);
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) text += chunk.value;
    expect(pages.mock.calls).toHaveLength(4);
    const { usage } = JSON.parse(text) as AccountExport;
    const places = usage.map((row) => [row.period, row.key_id, row.mode, row.country_code].join(" "));
    expect(places).toStrictEqual([...new Set(places)].toSorted());
    expect(usage).toHaveLength(12_001);
    expect(usage[0]).toMatchObject({ period: "2023-05-31", key_id: "key_0", successful: 1 });
    expect(usage[1]).toMatchObject({ period: days[0], country_code: "AA", successful: 11, failed: 2 });
    expect(usage.reduce((sum, { successful, failed }) => sum + successful + failed, 0)).toBe(36_011);
  });

  test("is cut off when the ledger stops responding, and is then not a valid document", async () => {
    const { ledger } = network.ledgerOf(caller.userId);
    await verify(isolate, caller.key);
    await activity();
    const row = { period: "2026-01-02", key_id: "key_1", mode: "live", country_code: "BR", successful: 1, failed: 0 };
    vi.spyOn(ledger, "rowsAfter")
      .mockReturnValueOnce([row as CountedRow])
      .mockImplementation(() => {
        throw new Error("The ledger is gone");
      });
    const response = await isolate.fetch("/api/v1/account/export", send("GET", caller.token));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("is temporarily unavailable");
  });

  test("is allowed ten times per hour", async () => {
    const get = async () => (await isolate.fetch("/api/v1/account/export", send("GET", caller.token))).status;
    for (let at = 0; at < 10; at++) expect(await get()).toBe(200);
    expect(await get()).toBe(429);
  });
});

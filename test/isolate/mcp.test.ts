import { beforeEach, describe, expect, test } from "vitest";
import { MAX_BATCH_BODY_BYTES } from "../../contract/limits.ts";
import { post, send } from "../requests.ts";
import { askLedger, INVALID, VALID, verify } from "./calls.ts";
import { pass } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { NetworkIsolate } from "./network.ts";

const network = startNetwork();
let isolate: NetworkIsolate;
beforeEach(async () => {
  isolate = await network.isolate();
});

async function exchange(key: string | null, message: unknown, headers: Record<string, string> = {}) {
  const response = await isolate.fetch("/mcp", post(key, message, headers));
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

const request = (method: unknown, params?: unknown, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });

/** A tool's result. */
async function callTool(key: string, name: string, args: unknown) {
  const { status, body } = await exchange(key, request("tools/call", { name, arguments: args }));
  expect(status).toBe(200);
  const { content, isError = false, structuredContent } = body.result;
  return { isError, text: content[0].text as string, structuredContent };
}

async function countedOf(userId: string): Promise<number> {
  await isolate.settled();
  await network.consume();
  return network.counted(userId);
}

describe("the protocol", () => {
  let key: string;
  beforeEach(async () => {
    ({ key } = await network.caller("live", { plan: "pro" }));
  });

  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-11-25"],
  ])("initialize with %s agrees on %s", async (protocolVersion, agreed) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const { body } = await exchange(key, request("initialize", params, "a"));
    expect(body).toMatchObject({ jsonrpc: "2.0", id: "a", result: { protocolVersion: agreed } });
    expect(body.result.capabilities).toStrictEqual({ tools: {} });
  });

  test("lists each tool with the fields of the API's own calls", async () => {
    const { tools } = (await exchange(key, request("tools/list"))).body.result;
    expect(tools.map(({ name }: { name: string }) => name)).toStrictEqual([
      "verify_number",
      "verify_batch",
      "explain_reason",
    ]);
    const [{ inputSchema }, { annotations, description }] = tools;
    expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(description).toContain("Uses one verification per valid number");
    expect(inputSchema).toMatchObject({ type: "object", required: ["number"], additionalProperties: false });
    expect(Object.keys(inputSchema.properties)).toStrictEqual([
      "number",
      "country",
      "expect_country",
      "accept_types",
      "accept_line_types",
      "reject_unallocated",
    ]);
  });

  test.each([
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }],
  ])("%s gets 202 and nothing else", async (_, message) => {
    expect(await exchange(key, message)).toMatchObject({ status: 202, body: null });
  });

  test.each([
    ["no object", "5", 400, -32_600, null],
    ["a batch", [request("ping"), request("ping", {}, 2)], 400, -32_600, null],
    ["another version", { id: 1, method: "ping" }, 400, -32_600, 1],
    ["an id that is null", { jsonrpc: "2.0", id: null, method: "ping" }, 400, -32_600, null],
    ["an id too large for a number", '{"jsonrpc":"2.0","id":1e999,"method":"ping"}', 400, -32_600, null],
    ["a method that is no text", request(5), 400, -32_600, null],
    ["an unknown method", request("resources/list"), 200, -32_601, 1],
    ["a method without a handshake", request("server/discover"), 200, -32_601, 1],
    ["a method that every object has", request("toString"), 200, -32_601, 1],
    ["parameters that are no object", request("tools/call", [1]), 400, -32_600, 1],
    [
      "arguments that are no object",
      request("tools/call", { name: "verify_number", arguments: null }),
      200,
      -32_602,
      1,
    ],
    ["an unknown tool", request("tools/call", { name: "toString" }), 200, -32_602, 1],
  ])("%s is a protocol error", async (_, message, expected, code, id) => {
    const { status, body } = await exchange(key, message);
    expect(status).toBe(expected);
    expect(body).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
  });

  test("non-JSON is a 400 with the protocol's own error", async () => {
    const { status, body } = await exchange(key, "{");
    expect([status, body.error.code, body.id]).toStrictEqual([400, -32_700, null]);
  });

  test("other requests are rejected like the API's", async () => {
    expect((await exchange(null, request("ping"))).status).toBe(401);
    expect((await exchange("ch_live_nonsense", request("ping"))).status).toBe(401);
    expect((await exchange(key, request("ping"), { Origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await exchange(key, request("ping"), { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await exchange(key, request("ping", { x: "x".repeat(MAX_BATCH_BODY_BYTES) }))).status).toBe(413);
    for (const method of ["GET", "DELETE"]) {
      const rejected = await isolate.fetch("/mcp", send(method, key));
      expect([rejected.status, rejected.headers.get("Allow")]).toStrictEqual([405, "POST"]);
    }
  });
});

describe("revision 2026-07-28", () => {
  const VERSION = "io.modelcontextprotocol/protocolVersion";
  const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
  const META = { [VERSION]: "2026-07-28", [CAPABILITIES]: {} };
  const NAME = "Mcp-Name";

  let key: string;
  beforeEach(async () => {
    ({ key } = await network.caller("live", { plan: "pro" }));
  });

  /** A request as this revision requires it, with changed metadata and headers; null leaves a header out. */
  async function stateless(method: string, params: object = {}, headers: Record<string, string | null> = {}) {
    const { name } = params as { name?: string };
    const all = {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": method,
      ...(name !== undefined && { [NAME]: name }),
      ...headers,
    };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
    return exchange(key, request(method, { _meta: META, ...params }), Object.fromEntries(sent));
  }

  test("describes the server without a handshake", async () => {
    const { status, body } = await stateless("server/discover");
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      instructions: expect.stringContaining("Phone number verification"),
      ttlMs: 300_000,
      cacheScope: "public",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "checkline" } },
    });
  });

  test("lists and calls the same tools, and says that results are complete", async () => {
    const before = (await exchange(key, request("tools/list"))).body.result;
    const { tools, resultType, ttlMs } = (await stateless("tools/list")).body.result;
    expect({ tools, resultType, ttlMs }).toStrictEqual({ tools: before.tools, resultType: "complete", ttlMs: 300_000 });
    const { result } = (await stateless("tools/call", { name: "verify_number", arguments: { number: VALID } })).body;
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { valid: true } });
    const wrong = (await stateless("tools/call", { name: "verify_number", arguments: {} })).body.result;
    expect(wrong).toMatchObject({ resultType: "complete", isError: true });
  });

  test("an encoded name is read before it is compared", async () => {
    const call = { name: "explain_reason", arguments: { code: "TOO_SHORT" } };
    const encoded = `=?base64?${btoa(call.name)}?=`;
    expect((await stateless("tools/call", call, { [NAME]: encoded })).status).toBe(200);
    expect((await stateless("tools/call", call, { [NAME]: "=?base64?!?=" })).body.error.code).toBe(-32_020);
  });

  test("an unsupported version in the metadata gets the supported one", async () => {
    const params = { _meta: { ...META, [VERSION]: "1900-01-01" } };
    for (const headers of [{}, { "MCP-Protocol-Version": "1900-01-01" }]) {
      const { status, body } = await exchange(key, request("tools/list", params), headers);
      const data = { supported: ["2026-07-28"], requested: "1900-01-01" };
      expect([status, body.error.code, body.error.data]).toStrictEqual([400, -32_022, data]);
    }
  });

  test.each([
    ["a request", request("ping")],
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
  ])("an unsupported version in the header of %s is rejected", async (_, message) => {
    const { status, body } = await exchange(key, message, { "MCP-Protocol-Version": "2025-03-26" });
    expect([status, body.error.code, body.error.message]).toStrictEqual([
      400,
      -32_000,
      expect.stringContaining("2025-11-25"),
    ]);
  });

  test.each([
    ["no metadata", { _meta: undefined }, {}, -32_602],
    ["metadata that is no object", { _meta: [] }, {}, -32_600],
    ["no capabilities", { _meta: { [VERSION]: "2026-07-28" } }, {}, -32_602],
    ["a version that is no text", { _meta: { ...META, [VERSION]: 5 } }, {}, -32_602],
    ["no version header", {}, { "MCP-Protocol-Version": null }, -32_020],
    ["another version in the header", {}, { "MCP-Protocol-Version": "2025-11-25" }, -32_020],
    ["an earlier version in the body", { _meta: { ...META, [VERSION]: "2025-11-25" } }, {}, -32_020],
    ["no method header", {}, { "Mcp-Method": null }, -32_020],
    ["another method in the header", {}, { "Mcp-Method": "tools/list" }, -32_020],
    ["no name header", {}, { [NAME]: null }, -32_020],
    ["another name in the header", {}, { [NAME]: "verify_batch" }, -32_020],
  ])("%s is rejected before the tool runs", async (_, params, headers, code) => {
    const call = { name: "verify_number", arguments: { number: VALID }, ...params };
    const { status, body } = await stateless("tools/call", call, headers);
    expect([status, body.id, body.error.code]).toStrictEqual([400, 1, code]);
    expect(body.result).toBeUndefined();
  });

  test("no subscription is opened", async () => {
    const { status, body } = await stateless("subscriptions/listen", { notifications: { toolsListChanged: true } });
    expect([status, body.error.message]).toStrictEqual([200, "Subscription limit reached"]);
  });

  test.each(["initialize", "ping", "resources/list", "toString"])("%s isn't one of its methods", async (method) => {
    const { status, body } = await stateless(method);
    expect([status, body.error.code]).toStrictEqual([404, -32_601]);
  });

  test("an unknown tool is an error of the request", async () => {
    const { status, body } = await stateless("tools/call", { name: "toString" });
    expect([status, body.error.code]).toStrictEqual([200, -32_602]);
  });
});

describe("tools", () => {
  test("verify like the API, and count the same", async () => {
    const { key, userId } = await network.caller("live", { plan: "pro" });
    const one = await callTool(key, "verify_number", { number: VALID, accept_types: ["fixed_line"] });
    expect(one.structuredContent).toMatchObject({ valid: true, accepted: false, rejected_because: "OTHER_TYPE" });
    expect(JSON.parse(one.text)).toStrictEqual(one.structuredContent);
    const several = await callTool(key, "verify_batch", { numbers: [INVALID, VALID] });
    const { carrier_source, reachability, ...whole } = (await verify(isolate, key)).body;
    expect([carrier_source, reachability]).toStrictEqual(["original_allocation", "not_checked"]);
    const told = Object.entries(whole).filter(([, value]) => value !== null && String(value) !== "");
    expect(several.structuredContent.results[1]).toStrictEqual(Object.fromEntries(told));
    expect(several.structuredContent.results[0]).toMatchObject({ valid: false });
    await callTool(key, "explain_reason", { code: "TOO_SHORT" });
    expect(await countedOf(userId)).toBe(4);
  });

  test("return the sandbox's results for a test key", async () => {
    const { key } = await network.caller("test");
    const failed = await callTool(key, "verify_number", { number: "+12025550106" });
    expect(failed).toMatchObject({ isError: false, structuredContent: { code: "REJECTED_NETWORK" } });
    const prefixed = /^Sandbox scenario, tells nothing about the number: \S/;
    expect(failed.structuredContent.error).toMatch(prefixed);
    const { results } = (await callTool(key, "verify_batch", { numbers: [VALID, "+12025550106"] })).structuredContent;
    expect(results[0]).toMatchObject({ valid: true });
    expect(results[0]).not.toHaveProperty("status");
    expect(results[1].error).toMatch(prefixed);
  });

  test("explain reasons and error codes", async () => {
    const { key } = await network.caller();
    const { structuredContent } = await callTool(key, "explain_reason", { code: "quota_exceeded" });
    expect(structuredContent.code).toBe("QUOTA_EXCEEDED");
    expect(structuredContent.explanation).toMatch(/^You've used all verifications in your plan\./);
  });

  test.each([
    ["verify_number", {}, /^VALIDATION_FAILED: .*number: Required/],
    ["verify_number", { number: " " }, /^VALIDATION_FAILED: .*number: Must not be empty/],
    ["verify_number", { number: VALID, country: "AQ" }, /^VALIDATION_FAILED: .*No numbering plan is known for AQ/],
    ["verify_batch", { numbers: Array<string>(101).fill(VALID) }, /^VALIDATION_FAILED: .*at most 100 numbers/],
    ["explain_reason", { code: "NO_SUCH_CODE" }, /^VALIDATION_FAILED/],
  ])("report the problem with %s's input: %j", async (name, args, text) => {
    const { key, userId } = await network.caller();
    expect(await callTool(key, name, args)).toMatchObject({ isError: true, text: expect.stringMatching(text) });
    expect(await countedOf(userId)).toBe(0);
  });

  test("report a used-up quota", async () => {
    const { key, userId } = await network.caller();
    await network.use(userId, 1_000);
    await askLedger(isolate, key);
    const { isError, text } = await callTool(key, "verify_number", { number: VALID });
    expect(isError).toBe(true);
    expect(text).toBe("QUOTA_EXCEEDED: You've used all 1,000 verifications in your plan.");
  });

  test("share the request limit with the API's calls: every message counts", async () => {
    const { key } = await network.caller("test");
    for (let made = 0; made < 58; made++) await verify(isolate, key);
    expect((await callTool(key, "verify_number", { number: VALID })).isError).toBe(false);
    expect((await exchange(key, request("ping"))).status).toBe(200);
    const { status, body, headers } = await exchange(key, request("tools/list"));
    expect([status, body.code]).toStrictEqual([429, "RATE_LIMITED"]);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    await pass(60_000);
    expect((await callTool(key, "verify_number", { number: VALID })).isError).toBe(false);
  });

  test("report the number limit, which rejects nothing else", async () => {
    const { key } = await network.caller("test");
    const numbers = Array<string>(100).fill(VALID);
    for (let made = 0; made < 6; made++) await callTool(key, "verify_batch", { numbers });
    const rejected = await callTool(key, "verify_number", { number: VALID });
    expect(rejected).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^RATE_LIMITED: The limit is 600 numbers/),
    });
    expect((await callTool(key, "explain_reason", { code: "RATE_LIMITED" })).isError).toBe(false);
  });

  test("report when to retry without a ledger", async () => {
    const { key } = await network.caller();
    network.faults.ledger = "down";
    const { isError, text } = await callTool(key, "verify_batch", { numbers: Array<string>(26).fill(VALID) });
    expect([isError, text]).toStrictEqual([
      true,
      "TEMPORARILY_UNAVAILABLE: The service is temporarily unavailable. Try again in 5 seconds.",
    ]);
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import { REGISTER_RELEASES } from "../../contract/data.ts";
import { DATA_VERSION } from "../../worker/verification/data-version.ts";
import { post, send } from "../requests.ts";
import { INVALID, VALID, verifyBatch } from "./calls.ts";
import { skip } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { NetworkIsolate } from "./network.ts";

const network = startNetwork();
let isolate: NetworkIsolate;
beforeEach(async () => {
  isolate = await network.isolate();
});

const MCP_CALL = { jsonrpc: "2.0", id: 1, method: "tools/call" };
const verifyTool = { ...MCP_CALL, params: { name: "verify_number", arguments: { number: VALID } } };
const explainTool = { ...MCP_CALL, params: { name: "explain_reason", arguments: { code: "TOO_SHORT" } } };
const OWN_PAGE = { "Sec-Fetch-Site": "same-origin" };
const STREAM = { "Content-Type": "application/x-ndjson" };

async function versionOf(path: string, init: RequestInit): Promise<string | null> {
  const response = await isolate.fetch(path, init);
  await response.text();
  return response.headers.get("Data-Version");
}

describe("Data-Version", () => {
  test("is in every response with a result", async () => {
    const { key, token } = await network.caller("live", { plan: "pro" });
    const versions = {
      single: await versionOf("/api/v1/verify", post(key, { number: VALID })),
      invalid: await versionOf("/verify", post(key, { number: INVALID })),
      batch: await versionOf("/api/v1/verify/batch", post(key, { numbers: [VALID] })),
      stream: await versionOf("/api/v1/verify/stream", post(key, `{"number":"${VALID}"}\n`, STREAM)),
      mcp: await versionOf("/mcp", post(key, verifyTool)),
      demo: await versionOf("/api/v1/demo/lookup", post(null, { number: VALID }, OWN_PAGE)),
      dashboard: await versionOf("/api/v1/account/verify", post(token, { numbers: [VALID] })),
    };
    expect(new Set(Object.values(versions)), JSON.stringify(versions)).toStrictEqual(new Set([DATA_VERSION]));
  });

  test("is in the sandbox's responses, failures included", async () => {
    const { key } = await network.caller("test");
    for (const number of [VALID, "+12025550106"]) {
      expect(await versionOf("/api/v1/verify", post(key, { number }))).toBe(DATA_VERSION);
    }
  });

  test("isn't in a response without a result", async () => {
    const { key } = await network.caller();
    expect(await versionOf("/api/v1/verify", post(key, { number: 5 }))).toBeNull();
    expect(await versionOf("/api/v1/verify", post("ch_live_nonsense", { number: VALID }))).toBeNull();
    expect(await versionOf("/mcp", post(key, explainTool))).toBeNull();
    expect(await versionOf("/api/v1/account/quota", send("GET", key))).toBeNull();
  });

  test("is explained in health", async () => {
    const health = await isolate.fetch("/api/v1/health");
    expect(await health.json()).toMatchObject({ data_version: DATA_VERSION });
  });

  test("of two isolates at both ends of a day, if the same, comes with the same results", async () => {
    const { key } = await network.caller("live", { plan: "pro" });
    const numbers = [VALID, INVALID, "+12025550123", "+442079460018", "+493090182099", "112", "+5491123456789", "+999"];
    const first = await verifyBatch(isolate, key, numbers);
    await skip(11 * 3_600_000);
    const second = await verifyBatch(await network.isolate(), key, numbers);
    expect(first.headers.get("Data-Version")).toBe(second.headers.get("Data-Version"));
    expect(first.body["results"]).toHaveLength(numbers.length);
    expect(second.body).toStrictEqual(first.body);
  });
});

test("a register calls a range unassigned until the end of its last day, in UTC", async () => {
  const end = Date.parse(`${REGISTER_RELEASES.US!.unassigned_until}T23:59:59Z`);
  skip(end - Date.now());
  const { key } = await network.caller("live", { plan: "pro" });
  const body = { number: "+14487728519", reject_unallocated: true };
  const verify = async () => (await isolate.fetch("/api/v1/verify", post(key, body))).json();
  expect(await verify()).toMatchObject({
    valid: true,
    accepted: false,
    rejected_because: "NOT_ALLOCATED",
    allocation: { status: "unassigned" },
  });
  skip(1_000);
  expect(await verify()).toMatchObject({
    valid: true,
    accepted: true,
    rejected_because: null,
    allocation: { status: "unknown" },
    deliverability: { flags: [] },
  });
});

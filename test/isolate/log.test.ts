import { describe, expect, test } from "vitest";
import { SANDBOX_FAILURES } from "../../contract/sandbox.ts";
import { INVALID, VALID, verify, verifyBatch } from "./calls.ts";
import { skip } from "./clock.ts";
import { startNetwork } from "./network.ts";

const network = startNetwork();

type Line = Readonly<Record<string, unknown>>;

/** Request lines since the last check. */
function requestLines(): Line[] {
  const lines = network.logs.map((line) => JSON.parse(line) as Line).filter(({ event }) => event === "request");
  network.logs.length = 0;
  return lines;
}

describe("a request's log line", () => {
  test("has these fields and no others", async () => {
    const { key, keyId } = await network.caller();
    const isolate = await network.isolate();
    const { headers } = await verify(isolate, key);
    expect(requestLines()).toStrictEqual([
      {
        level: "info",
        event: "request",
        request_id: headers.get("X-Request-Id"),
        method: "POST",
        route: "/api/v1/verify",
        status: 200,
        outcome: "valid",
        duration_ms: expect.any(Number),
        key_source: "d1",
        key_id: keyId,
        mode: "live",
        numbers: 1,
        successful: 1,
      },
    ]);
  });

  test("reports the numbers' outcome: valid or not, a sandbox scenario, a batch", async () => {
    const live = await network.caller();
    const sandbox = await network.caller("test");
    const isolate = await network.isolate();
    await verify(isolate, live.key, INVALID);
    await verify(isolate, sandbox.key, VALID);
    const [{ name, number }] = SANDBOX_FAILURES;
    await verify(isolate, sandbox.key, number);
    await verifyBatch(isolate, live.key, [VALID, INVALID, VALID]);
    const lines = requestLines().map(({ mode, outcome, numbers, successful }) => [mode, outcome, numbers, successful]);
    expect(lines).toStrictEqual([
      ["live", "invalid", 1, 0],
      ["test", "valid", 1, 1],
      ["test", name, 1, 0],
      ["live", "answered", 3, 2],
    ]);
  });

  test("reports where the key was found", async () => {
    const caller = await network.caller();
    const { key } = caller;
    const isolate = await network.isolate();
    await verify(isolate, key);
    await isolate.settled();
    await verify(isolate, key);
    await network.publish(caller);
    const other = await network.isolate();
    await verify(other, key);
    network.faults.d1 = network.faults.kv = "down";
    skip(60_000);
    await verify(other, key);
    await verify(await network.isolate(), key);
    await verify(other, "garbage");
    await other.fetch("/api/v1/health");
    const lines = requestLines().map(({ key_source: source, outcome }) => [source, outcome]);
    expect(lines).toStrictEqual([
      ["d1", "valid"],
      ["isolate", "valid"],
      ["kv", "valid"],
      ["stale", "valid"],
      ["none", "TEMPORARILY_UNAVAILABLE"],
      ["none", "INVALID_API_KEY"],
      ["none", "ok"],
    ]);
  });

  test("contains patterns, never actual paths", async () => {
    const { token } = await network.caller();
    const isolate = await network.isolate();
    const headers = { Authorization: `Bearer ${token}` };
    await isolate.fetch("/api/v1/account/api-keys/key_secret?x=secret", { method: "DELETE", headers });
    await isolate.fetch("/api/v1/secret/+5511987654321?x=secret");
    await isolate.fetch("/api/v1/account/api-keys/key_secret", { method: "PUT" });
    const lines = requestLines();
    expect(lines.map(({ route, outcome }) => [route, outcome])).toStrictEqual([
      ["/api/v1/account/api-keys/:id", "NOT_FOUND"],
      [null, "NOT_FOUND"],
      ["/api/v1/account/api-keys/:id", "METHOD_NOT_ALLOWED"],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|5511/);
  });
});

import { beforeEach, describe, expect, test, vi } from "vitest";
import { openApiDocument } from "../../contract/openapi.ts";
import { generateKey } from "../../worker/keys/key-format.ts";
import { post } from "../requests.ts";
import { VALID, verify, verifyBatch } from "./calls.ts";
import { startNetwork } from "./network.ts";
import type { NetworkIsolate } from "./network.ts";
import { pass } from "./clock.ts";

const network = startNetwork();

let isolate: NetworkIsolate;
let key: string;

/** The calls since the last check. */
function callsMade(): string[] {
  return isolate.calls.splice(0).toSorted();
}

beforeEach(async () => {
  isolate = await network.isolate();
  const caller = await network.caller("live", { plan: "pro" });
  await network.publish(caller);
  ({ key } = caller);
  await verify(isolate, key);
  await isolate.settled();
  callsMade();
});

describe("with a warm key and bindings that never return", () => {
  beforeEach(() => {
    isolate.cutOff();
  });

  test("a live verification gets an immediate response", async () => {
    expect(await verify(isolate, key)).toMatchObject({ status: 200, source: "memory", waited: 0 });
  });

  test("a batch gets an immediate response", async () => {
    const answer = await verifyBatch(isolate, key, [VALID, VALID, "+1"]);
    expect(answer).toMatchObject({ status: 200, source: "memory", waited: 0 });
    expect(answer.body["results"]).toHaveLength(3);
  });

  test("a retry with an Idempotency-Key gets an immediate response", async () => {
    for (const _ of [1, 2]) {
      const answer = await verify(isolate, key, VALID, { "Idempotency-Key": "order-1" });
      expect(answer).toMatchObject({ status: 200, source: "memory", waited: 0 });
    }
  });

  test("responses continue when its key is due for another lookup", async () => {
    await pass(27_000);
    expect(await verify(isolate, key)).toMatchObject({ status: 200, source: "memory", waited: 0 });
  });
});

describe("in the background of a warm key's response", () => {
  test("a quiet client's request sends its count, and does not use D1 or KV", async () => {
    await verify(isolate, key);
    expect(callsMade()).toStrictEqual([]);
    await isolate.settled();
    expect(callsMade()).toStrictEqual(["ledger"]);
  });

  test("a batch does the same, with all its counts in one call", async () => {
    await verifyBatch(isolate, key, [VALID, VALID, VALID]);
    await isolate.settled();
    expect(callsMade()).toStrictEqual(["ledger"]);
  });

  test("requests of the same two seconds share one call", async () => {
    await verify(isolate, key);
    await verify(isolate, key);
    await isolate.settled();
    expect(callsMade()).toStrictEqual(["ledger"]);
  });

  test("after ten seconds the key is looked up again in KV, once for all requests", async () => {
    await pass(10_000);
    await verify(isolate, key);
    await verify(isolate, key);
    await isolate.settled();
    // Record and tombstone.
    expect(callsMade()).toStrictEqual(["kv.get", "kv.get", "ledger"]);
  });

  test("a busy client's counts are exchanged over KV", async () => {
    await pass(20_000);
    for (let made = 0; made < 20; made++) await verify(isolate, key);
    await isolate.settled();
    const calls = callsMade();
    expect(calls).toContain("kv.get");
    expect(calls).toContain("kv.put");
    expect(calls).not.toContain("d1");
  });
});

test("the headers of a response are a plain object until it is made", async () => {
  const made = vi.spyOn(globalThis, "Headers");
  for (const number of [VALID, ""]) {
    const { headers } = await verify(isolate, key, number);
    expect(headers.get("RateLimit")).toMatch(/^"requests";r=\d+;t=\d+, "numbers";r=\d+;t=\d+$/);
  }
  expect(made).not.toHaveBeenCalled();
});

test("a rejected request waits for no call, and only causes an exchange 20 s after the last", async () => {
  while ((await verify(isolate, key)).status === 200);
  await isolate.settled();
  callsMade();
  for (let made = 0; made < 20; made++) {
    const answer = await verify(isolate, key);
    expect(answer).toMatchObject({ status: 429, code: "RATE_LIMITED", source: "memory", waited: 0 });
  }
  await isolate.settled();
  expect(callsMade()).toStrictEqual([]);
  await pass(20_000);
  await verify(isolate, key);
  await isolate.settled();
  expect(callsMade()).toContain("kv.put");
});

interface Document {
  readonly paths: Record<
    string,
    { readonly post: { readonly responses: Record<number, { readonly headers: object }> } }
  >;
}

describe("Server-Timing reports where the key was found", () => {
  function timing(answer: { readonly headers: Headers }): string | null {
    return answer.headers.get("Server-Timing");
  }

  test("d1 for a key that only the database has, nothing from memory, kv in another isolate", async () => {
    const caller = await network.caller("live", { plan: "pro" });
    const { key: cold } = caller;
    expect(timing(await verify(isolate, cold))).toBe('key;desc="d1"');
    expect(timing(await verify(isolate, cold))).toBeNull();
    await network.publish(caller);
    const other = await network.isolate();
    expect(timing(await verify(other, cold))).toBe('key;desc="kv"');
    expect(timing(await verify(other, cold))).toBeNull();
  });

  test("where the OpenAPI document declares it", async () => {
    const { paths } = openApiDocument() as never as Document;
    const declared = (path: string, status: number) => "Server-Timing" in paths[path]!.post.responses[status]!.headers;
    const { token } = await network.caller("live");
    const calls = [
      [200, "/api/v1/verify", key, {}],
      [400, "/api/v1/verify", key, { "Idempotency-Key": "" }],
      [401, "/api/v1/verify", generateKey("live"), {}],
      [403, "/api/v1/verify", key, { Origin: "https://elsewhere.example" }],
      [200, "/api/v1/account/verify", token, {}],
      [401, "/api/v1/auth/confirm-password", "none", {}],
    ] as const;
    for (const [status, path, credential, headers] of calls) {
      const body = path.startsWith("/api/v1/account") ? { numbers: [VALID, VALID] } : { number: VALID };
      const fresh = await network.isolate();
      const answer = await fresh.fetch(path, post(credential, body, headers));
      expect([status, path, declared(path, status)]).toStrictEqual([answer.status, path, timing(answer) !== null]);
    }
  });
});

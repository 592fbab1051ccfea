import { beforeEach, describe, expect, test } from "vitest";
import { INVALID, VALID, verify, verifyBatch } from "./calls.ts";
import { pass } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";

const network = startNetwork();

const ORDER = { "Idempotency-Key": "order-1" };

let isolate: NetworkIsolate;
let caller: Caller;

beforeEach(async () => {
  isolate = await network.isolate();
  caller = await network.caller("live", { plan: "pro" });
});

async function counted(userId = caller.userId): Promise<number> {
  await network.consume();
  return network.counted(userId);
}

describe("a call repeated with its Idempotency-Key", () => {
  test("gets a result again and is counted once", async () => {
    const first = await verify(isolate, caller.key, VALID, ORDER);
    const second = await verify(isolate, caller.key, VALID, ORDER);
    expect(second.status).toBe(200);
    expect(second.body).toStrictEqual(first.body);
    await isolate.settled();
    expect(await counted()).toBe(1);
  });

  test("to another isolate, does too", async () => {
    const other = await network.isolate();
    await verify(isolate, caller.key, VALID, ORDER);
    expect((await verify(other, caller.key, VALID, ORDER)).status).toBe(200);
    await isolate.settled();
    await other.settled();
    expect(await counted()).toBe(1);
  });

  test("after the first was delivered twice, does too", async () => {
    network.faults.ledger = "down";
    await verify(isolate, caller.key, VALID, ORDER);
    await isolate.settled();
    network.repair();
    await network.consume(2);
    await verify(isolate, caller.key, VALID, ORDER);
    await isolate.settled();
    expect(await counted()).toBe(1);
  });

  test("in a batch, each number once", async () => {
    const numbers = [VALID, VALID, INVALID];
    const other = await network.isolate();
    for (const each of [isolate, isolate, other]) {
      expect((await verifyBatch(each, caller.key, numbers, ORDER)).status).toBe(200);
      await each.settled();
    }
    expect(await counted()).toBe(3);
  });

  test("when the ledger counts it without confirming, does too", async () => {
    network.faults.ledger = "silent";
    await verify(isolate, caller.key, VALID, ORDER);
    await isolate.settled();
    network.repair();
    await verify(isolate, caller.key, VALID, ORDER);
    await isolate.settled();
    expect(await counted()).toBe(1);
  });

  test("needs no lookup in D1 or KV", async () => {
    await verify(isolate, caller.key);
    await isolate.settled();
    isolate.calls.length = 0;
    await verify(isolate, caller.key, VALID, ORDER);
    await verify(isolate, caller.key, VALID, ORDER);
    await isolate.settled();
    expect(isolate.calls.toSorted()).toStrictEqual(["ledger"]);
  });

  test("uses no quota again, and gets a result even with the quota used up", async () => {
    caller = await network.caller();
    await network.use(caller.userId, 998);
    for (let sent = 0; sent < 4; sent++) {
      expect((await verify(isolate, caller.key, VALID, ORDER)).status).toBe(200);
    }
    expect((await verify(isolate, caller.key)).status).toBe(200);
    await pass(10);
    expect((await verify(isolate, caller.key, VALID, ORDER)).status).toBe(200);
    expect((await verify(isolate, caller.key, VALID, { "Idempotency-Key": "order-2" })).status).toBe(402);
    // A rejected call was not counted, so repeating it is not a retry of a response.
    expect((await verify(isolate, caller.key, VALID, { "Idempotency-Key": "order-2" })).status).toBe(402);
  });
});

describe("another call", () => {
  test("is counted: the same key from another account, and other keys", async () => {
    const stranger = await network.caller();
    await verify(isolate, caller.key, VALID, ORDER);
    expect((await verify(isolate, stranger.key, VALID, ORDER)).status).toBe(200);
    await verify(isolate, caller.key, VALID, { "Idempotency-Key": "order-2" });
    await verify(isolate, caller.key);
    await verify(isolate, caller.key);
    await isolate.settled();
    expect(await counted()).toBe(4);
    expect(await network.counted(stranger.userId)).toBe(1);
  });

  test("with the same key and another body is rejected with 422 by the same isolate, and not counted", async () => {
    await verify(isolate, caller.key, VALID, ORDER);
    expect(await verify(isolate, caller.key, "+442079460018", ORDER)).toMatchObject({
      status: 422,
      code: "IDEMPOTENCY_MISMATCH",
    });
    expect(await verifyBatch(isolate, caller.key, [VALID], ORDER)).toMatchObject({ status: 422 });
    expect((await verify(isolate, caller.key, VALID, ORDER)).status).toBe(200);
    await isolate.settled();
    expect(await counted()).toBe(1);
  });

  test("with the same key and another body in another isolate gets a result, and is counted separately", async () => {
    const other = await network.isolate();
    await verify(isolate, caller.key, VALID, ORDER);
    expect((await verify(other, caller.key, "+442079460018", ORDER)).status).toBe(200);
    await isolate.settled();
    await other.settled();
    expect(await counted()).toBe(2);
  });
});

test.each([
  ["empty", ""],
  ["with a space", "order 1"],
  ["with a letter beyond ASCII", "bestellung-\u00e4"],
  ["of 256 characters", "x".repeat(256)],
])("an Idempotency-Key that is %s is rejected with 400, which mentions the header", async (_, key) => {
  const answer = await verify(isolate, caller.key, VALID, { "Idempotency-Key": key });
  expect(answer).toMatchObject({ status: 400, code: "VALIDATION_FAILED" });
  expect(answer.body["fields"]).toStrictEqual({
    "Idempotency-Key": "Must be 1 to 255 printable ASCII characters without spaces",
  });
  await isolate.settled();
  expect(network.queued()).toBe(0);
});

test("one of 255 characters is accepted", async () => {
  expect((await verify(isolate, caller.key, VALID, { "Idempotency-Key": "x".repeat(255) })).status).toBe(200);
});

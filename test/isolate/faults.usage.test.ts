import { beforeEach, describe, expect, test } from "vitest";
import { generateKey } from "../../worker/keys/key-format.ts";
import { VALID, verify } from "./calls.ts";
import { pass } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";

const network = startNetwork();

let isolate: NetworkIsolate;
let caller: Caller;
/** Responses so far, one of them in the isolate before the fault. */
let answered: number;

async function answer(): Promise<void> {
  expect(await verify(isolate, caller.key)).toMatchObject({ status: 200 });
  answered += 1;
}

async function countedAfterRecovery(): Promise<number> {
  network.repair();
  await network.consume();
  return network.counted(caller.userId);
}

beforeEach(async () => {
  isolate = await network.isolate();
  caller = await network.caller("live", { plan: "pro" });
  answered = 0;
  await answer();
  await isolate.settled();
});

describe("D1 and ledgers down while the queue rejects", () => {
  beforeEach(() => {
    Object.assign(network.faults, { d1: "down", ledger: "down", queue: "rejects" });
  });

  test("callers see no more of it than of D1 alone", async () => {
    await network.publish(caller);
    const other = await network.isolate();
    expect(await verify(isolate, caller.key)).toMatchObject({ status: 200, source: "memory", waited: 0 });
    expect(await verify(other, caller.key)).toMatchObject({ status: 200, source: "kv", waited: 0 });
    const unknown = await verify(isolate, generateKey("live"));
    expect(unknown).toMatchObject({ status: 503, code: "TEMPORARILY_UNAVAILABLE", retryAfter: "5" });
    await pass(60_000);
    expect(await verify(isolate, caller.key)).toMatchObject({ status: 200, source: "kv", waited: 0 });
    await isolate.settled();
    await other.settled();
    // All three were in flight at some time during the fault.
    expect(await countedAfterRecovery()).toBe(answered);
  });

  test("for a second: every response is counted", async () => {
    await answer();
    await answer();
    await pass(1_000);
    network.repair();
    await isolate.settled();
    expect(await countedAfterRecovery()).toBe(answered);
  });

  test("for longer: what is in flight is lost and its count logged, and what comes later is counted", async () => {
    await answer();
    await answer();
    await isolate.settled();
    const lost = network.logs.filter((line) => line.includes('"usage_lost"'));
    expect(lost).toHaveLength(1);
    expect(lost[0]).toContain('"count":2');
    network.repair();
    await answer();
    await isolate.settled();
    expect(await countedAfterRecovery()).toBe(answered - 2);
  });
});

describe("an isolate killed during a group commit", () => {
  test("before its message is sent: the counts that waited for it are lost, and no others", async () => {
    await answer();
    await answer();
    await pass(1_000);
    isolate.cutOff();
    await pass(60_000);
    expect(await countedAfterRecovery()).toBe(answered - 2);
  });

  test("when the queue has the message but has not confirmed it: nothing is lost", async () => {
    network.faults.queue = "silent";
    await answer();
    await answer();
    await pass(2_100);
    isolate.cutOff();
    await pass(60_000);
    expect(await countedAfterRecovery()).toBe(answered);
  });

  test("after a hundred calls with keys, which are not batched: nothing is lost", async () => {
    for (let made = 0; made < 100; made++) {
      const call = { "Idempotency-Key": `order-${made}` };
      expect(await verify(isolate, caller.key, VALID, call)).toMatchObject({ status: 200 });
    }
    await pass(10);
    isolate.cutOff();
    await pass(60_000);
    expect(await countedAfterRecovery()).toBe(answered + 100);
  });

  test("while nothing accepts the counts: exactly those are lost", async () => {
    Object.assign(network.faults, { d1: "down", ledger: "down", queue: "rejects" });
    await answer();
    await answer();
    await pass(2_100);
    isolate.cutOff();
    await pass(60_000);
    expect(await countedAfterRecovery()).toBe(answered - 2);
  });
});

describe("what is sent or delivered twice is counted once", () => {
  test("a queue that accepts a message without confirming it gets it again", async () => {
    network.faults.queue = "silent";
    await answer();
    await isolate.settled();
    expect(network.queued()).toBeGreaterThan(2);
    expect(await countedAfterRecovery()).toBe(answered);
  });

  test("a message comes three times", async () => {
    await answer();
    await isolate.settled();
    await network.consume(3);
    expect(await network.counted(caller.userId)).toBe(answered);
  });

  test("the ledger gets counts directly, and the queue had them after all", async () => {
    network.faults.queue = "silent";
    await answer();
    await pass(7_000);
    network.faults.queue = "rejects";
    await isolate.settled();
    expect(await countedAfterRecovery()).toBe(answered);
  });
});

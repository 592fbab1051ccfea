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

describe("an isolate killed with calls that it has not sent", () => {
  test("loses them, and no others", async () => {
    await answer();
    await answer();
    await pass(1_000);
    isolate.cutOff();
    await pass(60_000);
    expect(await countedAfterRecovery()).toBe(answered - 2);
  });

  test("loses nothing when the ledger has them and has not confirmed it", async () => {
    network.faults.ledger = "silent";
    await answer();
    await answer();
    await pass(2_100);
    isolate.cutOff();
    await pass(60_000);
    expect(await countedAfterRecovery()).toBe(answered);
  });

  test("loses nothing of a window that was full", async () => {
    for (let made = 0; made < 125; made++) {
      const call = { "Idempotency-Key": `order-${made}` };
      expect(await verify(isolate, caller.key, VALID, call)).toMatchObject({ status: 200 });
    }
    await pass(10);
    isolate.cutOff();
    await pass(60_000);
    expect(await countedAfterRecovery()).toBe(answered + 125);
  });
});

describe("what is sent or delivered twice is counted once", () => {
  test("a ledger counts a part without confirming it, and the queue has it too", async () => {
    network.faults.ledger = "silent";
    await answer();
    await isolate.settled();
    expect(network.queued()).toBe(1);
    expect(await network.counted(caller.userId)).toBe(answered);
    expect(await countedAfterRecovery()).toBe(answered);
  });

  test("a message comes three times", async () => {
    network.faults.ledger = "down";
    await answer();
    await isolate.settled();
    network.repair();
    await network.consume(3);
    expect(await network.counted(caller.userId)).toBe(answered);
  });
});

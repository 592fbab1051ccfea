import { beforeEach, describe, expect, test } from "vitest";
import { INVALID, VALID, verify, verifyBatch } from "./calls.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";
import { AFTER, BEFORE, DURING } from "./rotation.ts";

const network = startNetwork();

let caller: Caller;
let before: NetworkIsolate;
let during: NetworkIsolate;
let after: NetworkIsolate;

beforeEach(async () => {
  before = await network.isolate({ settings: BEFORE });
  during = await network.isolate({ settings: DURING });
  after = await network.isolate({ settings: AFTER });
  caller = await network.caller();
});

describe("a retry with its Idempotency-Key", () => {
  const NUMBERS = [VALID, INVALID];

  async function call(isolate: NetworkIsolate, key: string): Promise<void> {
    expect((await verifyBatch(isolate, caller.key, NUMBERS, { "Idempotency-Key": key })).status).toBe(200);
    await isolate.settled();
  }

  // Never before and after side by side: the rotation takes a week.
  const ORDERS = [
    ["before", "during"],
    ["during", "before"],
    ["during", "after"],
    ["after", "during"],
    ["before", "during", "after"],
    ["during", "before", "during", "after", "during"],
  ] as const;

  test.each(ORDERS.map((order) => [order.join(", "), order] as const))("is counted once: %s", async (_, order) => {
    const isolates = { before, during, after };
    for (const when of order) {
      await call(isolates[when], "one-by-one");
      await network.consume(2);
    }
    expect(await network.counted(caller.userId)).toBe(NUMBERS.length);
    for (const when of order) await call(isolates[when], "together");
    await network.consume(2);
    expect(await network.counted(caller.userId)).toBe(2 * NUMBERS.length);
  });

  test("needs the retiring secret: without it the old response is another call's", async () => {
    await call(before, "k");
    await call(after, "k");
    await network.consume();
    expect(await network.counted(caller.userId)).toBe(2 * NUMBERS.length);
  });

  test("affects neither other calls nor calls without one", async () => {
    for (const key of ["one", "two"]) await call(during, key);
    await verify(during, caller.key);
    await during.settled();
    await network.consume();
    expect(await network.counted(caller.userId)).toBe(2 * NUMBERS.length + 1);
  });
});

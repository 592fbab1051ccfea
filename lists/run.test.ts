import { describe, expect, test } from "vitest";
import { answered, numbers, rig, settle, sizes } from "./test/run-rig.ts";
import type { Respond } from "./test/run-rig.ts";

describe("chunks", () => {
  test("are of a hundred, in order, each with its own Idempotency-Key", async () => {
    const list = numbers(250);
    const { run, calls, recorded } = rig(list, (call) => answered(call));
    run.start();
    await settle(run, "done");
    expect(sizes(calls)).toStrictEqual([100, 100, 50]);
    expect(calls.flatMap((call) => call.numbers)).toStrictEqual(list);
    expect(new Set(calls.map((call) => call.idempotencyKey)).size).toBe(3);
    for (const { conditions } of calls) expect(conditions).toStrictEqual({ accept_types: ["mobile"] });
    expect(run.snapshot().checked).toBe(250);
    expect(recorded.map(({ number }) => number)).toStrictEqual(list);
  });

  test("stay below the body size limit", async () => {
    const list = Array.from({ length: 100 }, (_, at) => `${at}${"٣".repeat(240)}${"\u{1F4DE}".repeat(4)}`);
    const big = list.map((text) => text.replaceAll("٣", "\u0001"));
    const { run, calls } = rig(big, (call) => answered(call));
    run.start();
    await settle(run, "done");
    expect(calls.length).toBeGreaterThan(1);
    for (const call of calls) {
      expect(new TextEncoder().encode(JSON.stringify({ numbers: call.numbers, country: "US" })).length).toBeLessThan(
        65_536,
      );
    }
    expect(calls.flatMap((call) => call.numbers)).toStrictEqual(big);
  });
});

test("an interrupted check continues where it was, and repeats its last call with the same key", async () => {
  const list = numbers(250);
  const before = rig(list, (call, at) => (at === 0 ? answered(call) : { kind: "unreachable" }));
  before.run.start();
  await settle(before.run, "paused");
  const { run, calls, recorded } = rig(list, (call) => answered(call), { checked: 100 });
  expect(run.snapshot()).toStrictEqual({ phase: { name: "paused", reason: "reload" }, checked: 100 });
  run.start();
  await settle(run, "done");
  expect(calls[0]).toStrictEqual(before.calls[1]);
  expect(recorded.map(({ number }) => number)).toStrictEqual(list.slice(100));
});

test("a complete one is done, and does not restart", async () => {
  const { run, calls } = rig(numbers(3), (call) => answered(call), { checked: 3 });
  expect(run.snapshot().phase.name).toBe("done");
  run.start();
  await Promise.resolve();
  expect(calls).toHaveLength(0);
});

describe("the rate limit", () => {
  test("a 429 is waited out as requested, and the same call repeated", async () => {
    const { run, calls, waits, phases } = rig(numbers(100), (call, at) =>
      at < 2 ? { kind: "rate-limited", seconds: 17 } : answered(call),
    );
    run.start();
    await settle(run, "done");
    expect(waits).toStrictEqual([17_000, 17_000]);
    expect(new Set(calls.map((call) => call.idempotencyKey)).size).toBe(1);
    expect(phases).toContainEqual({ name: "waiting", reason: "rate-limit", until: 1_017_000 });
  });

  test("is not hit: with no request left it waits first, and not after the last", async () => {
    const { run, waits } = rig(numbers(300), (call, at) => answered(call, at === 0 ? 1 : 0));
    run.start();
    await settle(run, "done");
    expect(waits).toStrictEqual([7_000]);
  });
});

describe("a failing connection", () => {
  test("is retried with the same key, and the retry count resets after a response", async () => {
    const { run, calls, waits } = rig(numbers(200), (call, at) =>
      at === 3 || at === 6 ? answered(call) : { kind: "unreachable" },
    );
    run.start();
    await settle(run, "done");
    expect(waits).toStrictEqual([1000, 2000, 4000, 1000, 2000]);
    expect(new Set(calls.map((call) => call.idempotencyKey)).size).toBe(2);
  });

  test("permanently pauses the check, which continues where it was", async () => {
    let online = false;
    const { run, calls } = rig(numbers(150), (call, at) =>
      online || at === 0 ? answered(call) : { kind: "unreachable" },
    );
    run.start();
    expect(await settle(run, "paused")).toMatchObject({ reason: "connection" });
    expect(run.snapshot().checked).toBe(100);
    expect(calls).toHaveLength(6);
    online = true;
    run.start();
    await settle(run, "done");
    expect(calls[6]?.idempotencyKey).toBe(calls[5]?.idempotencyKey);
    expect(run.snapshot().checked).toBe(150);
  });

  test("a service that can't respond gets the time it asks for", async () => {
    const { run, waits, phases } = rig(numbers(1), (call, at) =>
      at === 0 ? { kind: "unavailable", message: "Busy.", seconds: 5 } : answered(call),
    );
    run.start();
    await settle(run, "done");
    expect(waits).toStrictEqual([5000]);
    expect(phases).toContainEqual(expect.objectContaining({ reason: "service" }));
  });
});

describe("a quota that runs out", () => {
  /** A subscription with this much left; every number is valid. */
  function quota(left: number): Respond {
    return (call) => {
      if (call.numbers.length > left) return { kind: "quota", message: `${left} left` };
      left -= call.numbers.length;
      return answered(call);
    };
  }

  test.each([0, 1, 37, 99, 163])("with %d left uses all of it, then stops with the server's message", async (left) => {
    const list = numbers(250);
    const { run, calls, recorded } = rig(list, quota(left));
    run.start();
    expect(await settle(run, "stopped")).toStrictEqual({ name: "stopped", reason: "quota", message: "0 left" });
    expect(run.snapshot().checked).toBe(left);
    expect(recorded.map(({ number }) => number)).toStrictEqual(list.slice(0, left));
    expect(calls.length).toBeLessThan(20);
    expect(new Set(calls.map((call) => call.idempotencyKey)).size).toBe(calls.length);
  });

  test("has room again after more was granted, in full calls", async () => {
    let granted = false;
    const { run, calls } = rig(numbers(201), (call) =>
      granted ? answered(call) : { kind: "quota", message: "none left" },
    );
    run.start();
    await settle(run, "stopped");
    const before = calls.length;
    granted = true;
    run.start();
    await settle(run, "done");
    expect(sizes(calls.slice(before))).toStrictEqual([100, 100, 1]);
  });
});

test("a rejection stops immediately, and the same call can be repeated", async () => {
  let isRejected = true;
  const { run, calls } = rig(numbers(150), (call) =>
    isRejected ? { kind: "rejected", message: "The session has expired." } : answered(call),
  );
  run.start();
  expect(await settle(run, "stopped")).toMatchObject({ reason: "rejected", message: "The session has expired." });
  expect(calls).toHaveLength(1);
  isRejected = false;
  run.start();
  await settle(run, "done");
  expect(run.snapshot().checked).toBe(150);
  expect(calls[1]).toStrictEqual(calls[0]);
});

test("results that can't be stored pause the check with the reason", async () => {
  const { run } = rig(numbers(3), () => {
    throw new Error("The list is gone.");
  });
  run.start();
  expect(await settle(run, "paused")).toMatchObject({ message: "The list is gone." });
});

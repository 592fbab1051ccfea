import { describe, expect, test } from "vitest";
import type { VerificationResult } from "../../../../contract/verification.ts";
import type { BatchItem } from "./call-batch.ts";
import { answered, numbers, rig, settle, sizes } from "./run-rig.ts";
import type { Respond } from "./run-rig.ts";

describe("chunks", () => {
  test("are of a hundred, in order, each under an Idempotency-Key of its own", async () => {
    const list = numbers(250);
    const { run, calls } = rig(list, (call) => answered(call));
    run.start();
    await settle(run, "done");
    expect(sizes(calls)).toStrictEqual([100, 100, 50]);
    expect(calls.flatMap((call) => call.numbers)).toStrictEqual(list);
    expect(new Set(calls.map((call) => call.idempotencyKey)).size).toBe(3);
    const { verdicts, answered: count } = run.snapshot();
    expect(count).toBe(250);
    expect(verdicts.map((verdict) => verdict?.kind === "valid" && verdict.result.number)).toStrictEqual(list);
  });

  test("stay below the size of a body", async () => {
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

  test("leave out what is longer than the API reads", async () => {
    const { run, calls } = rig(["+1202", "1".repeat(251), "+1303"], (call) => answered(call));
    run.start();
    await settle(run, "done");
    expect(calls.map((call) => call.numbers)).toStrictEqual([["+1202", "+1303"]]);
    expect(run.snapshot().verdicts.map((verdict) => verdict?.kind)).toStrictEqual(["valid", "failed", "valid"]);
  });
});

test("verdicts are valid, invalid, or failed with the sandbox's words", async () => {
  const items: BatchItem[] = [
    { valid: true } as VerificationResult,
    { valid: false } as VerificationResult,
    { number: "+1202", error: "verification failed", code: "REJECTED_FORMAT" },
  ];
  const { run } = rig(numbers(3), () => ({ kind: "answered", results: items, limit: null }));
  run.start();
  await settle(run, "done");
  expect(run.snapshot().verdicts).toMatchObject([
    { kind: "valid" },
    { kind: "invalid" },
    { kind: "failed", code: "REJECTED_FORMAT", message: "verification failed" },
  ]);
});

describe("the rate limit", () => {
  test("a 429 is waited for as long as it says, and the same call made again", async () => {
    const { run, calls, waits, phases } = rig(numbers(100), (call, at) =>
      at < 2 ? { kind: "rate-limited", seconds: 17 } : answered(call),
    );
    run.start();
    await settle(run, "done");
    expect(waits).toStrictEqual([17_000, 17_000]);
    expect(new Set(calls.map((call) => call.idempotencyKey)).size).toBe(1);
    expect(phases).toContainEqual({ name: "waiting", reason: "rate-limit", until: 1_017_000 });
  });

  test("is not run into: with no request left it waits first, and not after the last", async () => {
    const { run, waits } = rig(numbers(300), (call, at) => answered(call, at === 0 ? 1 : 0));
    run.start();
    await settle(run, "done");
    expect(waits).toStrictEqual([7_000]);
  });
});

describe("a connection that fails", () => {
  test("is tried again under the same key, and the count begins anew after an answer", async () => {
    const { run, calls, waits } = rig(numbers(200), (call, at) =>
      at === 3 || at === 6 ? answered(call) : { kind: "unreachable" },
    );
    run.start();
    await settle(run, "done");
    expect(waits).toStrictEqual([1000, 2000, 4000, 1000, 2000]);
    expect(new Set(calls.map((call) => call.idempotencyKey)).size).toBe(2);
  });

  test("for good pauses the check, which goes on where it was", async () => {
    let online = false;
    const { run, calls } = rig(numbers(150), (call, at) =>
      online || at === 0 ? answered(call) : { kind: "unreachable" },
    );
    run.start();
    expect(await settle(run, "paused")).toMatchObject({ reason: "connection" });
    expect(run.snapshot().answered).toBe(100);
    expect(calls).toHaveLength(6);
    online = true;
    run.start();
    await settle(run, "done");
    expect(calls[6]?.idempotencyKey).toBe(calls[5]?.idempotencyKey);
    expect(run.snapshot().answered).toBe(150);
  });

  test("a service that cannot answer is given the time it asks for", async () => {
    const { run, waits, phases } = rig(numbers(1), (call, at) =>
      at === 0 ? { kind: "unavailable", message: "Busy.", seconds: 5 } : answered(call),
    );
    run.start();
    await settle(run, "done");
    expect(waits).toStrictEqual([5000]);
    expect(phases).toContainEqual(expect.objectContaining({ reason: "service" }));
  });
});

describe("a quota that ends", () => {
  /** A subscription with so much left; every number is valid. */
  function quota(left: number): Respond {
    return (call) => {
      if (call.numbers.length > left) return { kind: "quota", message: `${left} left` };
      left -= call.numbers.length;
      return answered(call);
    };
  }

  test.each([0, 1, 37, 99, 163])("with %d left gives all of it, then stops with the server's words", async (left) => {
    const list = numbers(250);
    const { run, calls } = rig(list, quota(left));
    run.start();
    expect(await settle(run, "stopped")).toStrictEqual({ name: "stopped", reason: "quota", message: "0 left" });
    const { verdicts, answered: count } = run.snapshot();
    expect(count).toBe(left);
    expect(verdicts.slice(0, left).every((verdict) => verdict?.kind === "valid")).toBe(true);
    expect(verdicts.slice(left).every((verdict) => verdict === null)).toBe(true);
    expect(calls.length).toBeLessThan(20);
    expect(new Set(calls.map((call) => call.idempotencyKey)).size).toBe(calls.length);
  });

  test("goes on with another key, in full calls", async () => {
    const { run, calls } = rig(numbers(201), (call) =>
      call.key === "ch_live_2" ? answered(call) : { kind: "quota", message: "none left" },
    );
    run.start();
    await settle(run, "stopped");
    const before = calls.length;
    run.start("ch_live_2");
    await settle(run, "done");
    expect(sizes(calls.slice(before))).toStrictEqual([100, 100, 1]);
  });
});

test("a refused key stops at once, and another goes on", async () => {
  const { run, calls } = rig(numbers(150), (call) =>
    call.key === "ch_test_2" ? answered(call) : { kind: "refused", message: "The API key is not valid." },
  );
  run.start();
  expect(await settle(run, "stopped")).toMatchObject({ reason: "refused", message: "The API key is not valid." });
  expect(calls).toHaveLength(1);
  run.start("ch_test_2");
  await settle(run, "done");
  expect(run.snapshot().answered).toBe(150);
});

import { describe, expect, test } from "vitest";
import { answered, numbers, rig, settle, sizes } from "./test/run-rig.ts";

describe("pause", () => {
  test("waits for the pending call, keeps its response, and starts no other", async () => {
    const { run, calls, phases } = rig(numbers(300), async (call, at) => {
      if (at === 0) run.pause();
      return answered(call);
    });
    run.start();
    await settle(run, "paused");
    expect(calls).toHaveLength(1);
    expect(run.snapshot().checked).toBe(100);
    expect(phases.map((phase) => phase.name)).toStrictEqual(["running", "pausing", "paused"]);
    run.start();
    await settle(run, "done");
    expect(sizes(calls)).toStrictEqual([100, 100, 100]);
  });

  test("ends a wait immediately", async () => {
    const { run, calls } = rig(numbers(10), () => ({ kind: "rate-limited", seconds: 60 }), { held: true });
    run.start();
    await settle(run, "waiting");
    run.pause();
    await settle(run, "paused");
    expect(calls).toHaveLength(1);
  });

  test("does not hide a rejection", async () => {
    const { run } = rig(numbers(10), () => {
      run.pause();
      return { kind: "rejected", message: "no" };
    });
    run.start();
    await settle(run, "stopped");
  });
});

describe("cancel", () => {
  test("aborts the pending call and keeps the results so far", async () => {
    const { run, calls } = rig(numbers(300), (call, at) => {
      if (at === 1) run.cancel();
      return answered(call);
    });
    run.start();
    await settle(run, "canceled");
    expect(run.snapshot().checked).toBe(100);
    run.start();
    run.pause();
    expect(run.snapshot().phase.name).toBe("canceled");
    expect(calls).toHaveLength(2);
  });

  test.each(["waiting", "paused"] as const)("while %s", async (name) => {
    const { run } = rig(numbers(300), () => ({ kind: "rate-limited", seconds: 60 }), { held: true });
    run.start();
    await settle(run, "waiting");
    if (name === "paused") {
      run.pause();
      await settle(run, "paused");
    }
    run.cancel();
    await settle(run, "canceled");
  });
});

test("pressed twice, it starts once", async () => {
  const { run, calls } = rig(numbers(10), (call) => answered(call));
  run.start();
  run.start();
  await settle(run, "done");
  expect(calls).toHaveLength(1);
});

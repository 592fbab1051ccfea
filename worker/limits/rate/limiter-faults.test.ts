import { describe, expect, test } from "vitest";
import { captureLog } from "../../../test/captured-log.ts";
import { QUIET, setUpLimiter as setUp } from "../../../test/rate-limiter.ts";

const log = captureLog("warn");

describe("when KV fails", () => {
  test("the next write makes up for a failed one", async () => {
    const { times, time, faults, written } = setUp();
    faults.write = "429";
    times(QUIET + 1);
    await time.pass(3_000);
    expect(written()).toBeUndefined();
    faults.write = "none";
    await time.pass(12_000);
    expect(written()).toBe(11);
  });

  test("a failed read prevents no write", async () => {
    const { times, time, faults, written } = setUp();
    faults.read = "throw";
    times(QUIET + 1);
    await time.pass(3_000);
    expect(written()).toBe(11);
  });

  test("failures are logged once per minute with their count, and nothing rejects", async () => {
    const { times, time, faults, work, calls } = setUp();
    faults.read = "throw";
    faults.write = "429";
    for (let second = 0; second < 150; second++) {
      times(2);
      await time.pass(1_000);
    }
    expect(log.events()).toStrictEqual(Array(3).fill("rate_limit_kv_failed"));
    expect(log.parsed()[0]).toMatchObject({ count: 1, message: "KV is gone" });
    const counted = log.parsed().reduce((sum, { count }) => sum + Number(count), 0);
    expect(counted).toBeGreaterThan(15);
    expect(counted).toBeLessThanOrEqual(calls.length);
    await time.pass(60_000);
    await expect(Promise.all(work)).resolves.toBeDefined();
    expect(log.lines.join()).not.toContain("usr_1");
  });

  test("a killed exchange, asleep or hanging, is replaced, and never runs beside its replacement", async () => {
    for (const how of ["asleep", "hanging"] as const) {
      const { times, time, faults, kill, calls, written, gets } = setUp();
      if (how === "asleep") kill(true);
      else faults.read = "hang";
      times(QUIET + 1);
      await time.pass(3_000);
      kill(false);
      faults.read = "none";
      times(1);
      await time.pass(3_000);
      expect(calls).toHaveLength(how === "asleep" ? 0 : 1);
      expect(written()).toBeUndefined();
      await time.pass(10_000);
      times(1);
      await time.pass(1_000);
      expect(written()).toBe(13);
      expect(gets()).toHaveLength(how === "asleep" ? 1 : 2);
    }
  });

  test("an exchange whose read returns after it was replaced writes nothing", async () => {
    const { times, time, faults, puts, gets } = setUp();
    faults.read = "slow";
    times(QUIET + 1);
    await time.pass(13_000);
    faults.read = "none";
    times(1);
    await time.pass(500);
    expect(puts()).toHaveLength(1);
    // One more to report when the late result arrives, which the next exchange will do.
    times(1);
    await time.pass(4_400);
    expect(gets()).toHaveLength(2);
    expect(puts()).toHaveLength(1);
  });
});

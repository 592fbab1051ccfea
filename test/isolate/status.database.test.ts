import { describe, expect, test } from "vitest";
import { sleep } from "../../worker/platform/time-limit.ts";
import { part, startChecks, statesOf } from "./checks.ts";
import { until } from "./clock.ts";
import { startNetwork } from "./network.ts";

const network = startNetwork();
const { queue, check, nextRun, ask } = startChecks(network);

describe("with D1 down", () => {
  test.each([
    ["down", "Network connection lost"],
    ["hangs", "No response within 5000 ms"],
  ] as const)("(%s) the response has what KV has, and the history catches up later", async (fault, message) => {
    await check();
    nextRun();
    const failedAt = Date.now();
    network.faults.d1 = fault;
    await expect(check()).rejects.toThrow(message);
    const asked = Date.now();
    const during = await ask();
    expect(Date.now() - asked).toBeLessThan(fault === "hangs" ? 2_100 : 100);
    expect(statesOf(during)).toStrictEqual({
      verification: "working",
      database: "failing",
      key_store: "working",
      queue: "unknown",
    });
    expect(during).toMatchObject({ state: "failing", incidents: null, schedule: { state: "unknown" } });
    expect(during.components.map(({ days }) => days)).toStrictEqual([null, null, null, null]);

    network.repair();
    nextRun();
    await check();
    const after = await ask();
    expect(after.state).toBe("working");
    const at = new Date(failedAt).toISOString();
    expect(after.incidents).toStrictEqual([
      { component: "database", started_at: at, last_failed_at: at, failed_checks: 1, ongoing: false },
    ]);
    expect(part(after, "database").days!.at(-1)).toMatchObject({ checks: 3, successful: 2 });
    // Its arrival couldn't be recorded, so that run has not measured it.
    expect(part(after, "queue").days!.at(-1)).toMatchObject({ checks: 2, successful: 2 });
  });

  test("(accepts no writes) it is failing, the queue is not blamed, and the history has the outage", async () => {
    await check();
    network.faults.d1 = "takes no writes";
    const failedAt: string[] = [];
    for (let runs = 1; runs <= 4; runs++) {
      nextRun();
      failedAt.push(new Date().toISOString());
      await expect(check()).rejects.toThrow("database or disk is full");
      const during = await ask();
      // The queue was measured before; 15 minutes later that is outdated.
      const expected = runs < 3 ? "working" : "unknown";
      expect(statesOf(during)).toStrictEqual({
        verification: "working",
        database: "failing",
        key_store: "working",
        queue: expected,
      });
      expect(during.incidents).toStrictEqual([
        {
          component: "database",
          started_at: failedAt[0],
          last_failed_at: failedAt.at(-1),
          failed_checks: runs,
          ongoing: true,
        },
      ]);
      expect(during.schedule.state).toBe("unknown");
      expect(part(during, "database").days!.at(-1)).toMatchObject({ checks: 1 + runs, successful: 1 });
    }

    network.repair();
    nextRun();
    await check();
    const after = await ask();
    expect(after.state).toBe("working");
    expect(after.incidents).toMatchObject([{ component: "database", failed_checks: 4, ongoing: false }]);
    expect(part(after, "database").days!.at(-1)).toMatchObject({ checks: 6, successful: 2 });
    expect(part(after, "queue").days!.at(-1)).toMatchObject({ checks: 2, successful: 2 });
  });

  test.each(["none", "hangs"] as const)(
    "(stops accepting writes before the message is back, and KV then %s) the error is D1's, and nothing else is blamed",
    async (kv) => {
      const running = check();
      await until(sleep(1_500));
      network.faults.d1 = "takes no writes";
      await until(sleep(20_000));
      network.faults.kv = kv;
      await expect(running).rejects.toThrow("database or disk is full");
      network.faults.kv = "none";
      const during = await ask();
      expect(statesOf(during)).toMatchObject({ database: kv === "none" ? "failing" : "working", queue: "unknown" });
      network.repair();
      nextRun();
      await check();
      const after = await ask();
      expect(after.incidents!.map(({ component }) => component)).not.toContain("queue");
      expect(part(after, "queue").days!.at(-1)).toMatchObject({ checks: 1, successful: 1 });
    },
  );

  test("(briefly accepts no writes) an arrival is recorded slightly later, with the correct time", async () => {
    const running = check();
    await until(sleep(1_500));
    network.faults.d1 = "takes no writes";
    await until(sleep(2_000));
    network.repair();
    await running;
    const { latency_ms } = part(await ask(), "queue");
    expect(latency_ms).toBeGreaterThanOrEqual(2_000);
    expect(latency_ms).toBeLessThan(2_500);
  });

  test.each([
    [2_000, "working"],
    [27_000, "working"],
    [31_000, "failing"],
  ] as const)("(slow) the queue is timed from the send: a message that takes %d ms is %s", async (took, state) => {
    network.faults.d1 = "slow";
    queue.deliversAfter = took;
    await check();
    network.repair();
    const status = await ask();
    expect(statesOf(status)).toStrictEqual({
      verification: "working",
      database: "working",
      key_store: "working",
      queue: state,
    });
    const { measured_at, latency_ms, days } = part(status, "queue");
    expect(measured_at).toBe(part(status, "database").measured_at);
    expect(days!.at(-1)).toMatchObject({ checks: 1, successful: Number(state === "working") });
    if (state === "failing") return expect(latency_ms).toBeNull();
    expect(latency_ms).toBeGreaterThanOrEqual(took);
    expect(latency_ms).toBeLessThan(took + 100);
  });

  test("(accepts no writes) and KV neither, the outage shows only in the log", async () => {
    await check();
    Object.assign(network.faults, { d1: "takes no writes", kv: "429 for writes" });
    nextRun();
    await expect(check()).rejects.toThrow("database or disk is full");
    expect(network.logs.join()).toMatch(/"event":"status_check_failed","component":"database"[^}]*disk is full/);
    expect(statesOf(await ask())).toStrictEqual({
      verification: "working",
      database: "working",
      key_store: "working",
      queue: "working",
    });
  });

  test("and KV too, nothing is made up", async () => {
    await check();
    network.faults.d1 = network.faults.kv = "down";
    nextRun();
    await expect(check()).rejects.toThrow();
    const during = await ask();
    expect(statesOf(during)).toStrictEqual({
      verification: "unknown",
      database: "failing",
      key_store: "unknown",
      queue: "unknown",
    });
    network.repair();
    nextRun();
    await check();
    const after = await ask();
    expect(after.incidents).toStrictEqual([]);
    expect(part(after, "database").days!.at(-1)).toMatchObject({ checks: 2, successful: 2 });
  });
});

import { describe, expect, test } from "vitest";
import { STATUS_DAYS } from "../../contract/checks.ts";
import type { Status } from "../../contract/status.ts";
import { statusChecks, statusDays, usageMonths } from "../../schema.ts";
import { sleep } from "../../worker/platform/time-limit.ts";
import { consumeBatch } from "../../worker/queue.ts";
import { createIsolate } from "../../worker/io.ts";
import { timeOwnVerifications } from "../../worker/own-verifications.ts";
import { runSchedule } from "../../worker/schedule.ts";
import { runChecks } from "../../worker/status/run-checks.ts";
import { storeChecks } from "../../worker/status/checks.ts";
import { DAY_MS, HOUR_MS, utcDay } from "../../worker/platform/time.ts";
import { countOf, NOON, partOf } from "../usage.ts";
import { batchOf, part, startChecks, statesOf } from "./checks.ts";
import { skip, until } from "./clock.ts";
import type { Bindings } from "../../worker/env.ts";
import { openIsolate } from "./isolate.ts";
import { startNetwork } from "./network.ts";

const network = startNetwork();
const { queue, check, ask } = startChecks(network);

describe("with nothing measured", () => {
  test("only that is reported", async () => {
    const status = await ask();
    expect(statesOf(status)).toStrictEqual({
      verification: "unknown",
      database: "unknown",
      key_store: "unknown",
      queue: "unknown",
    });
    expect(status).toMatchObject({
      state: "unknown",
      incidents: [],
      schedule: { state: "unknown", last_run_at: null },
    });
    for (const { measured_at, latency_ms, p95_ms, days } of status.components) {
      expect([measured_at, latency_ms, p95_ms]).toStrictEqual([null, null, null]);
      expect(days).toHaveLength(STATUS_DAYS);
      expect(days!.every(({ checks, successful }) => checks === 0 && successful === 0)).toBe(true);
    }
  });
});

describe("with everything working", () => {
  test("each part has its time, its latency and its day", async () => {
    await check();
    const status = await ask();
    expect(statesOf(status)).toStrictEqual({
      verification: "working",
      database: "working",
      key_store: "working",
      queue: "working",
    });
    const at = new Date(NOON).toISOString();
    expect(status).toMatchObject({ state: "working", incidents: [], schedule: { state: "on_time", last_run_at: at } });
    for (const { measured_at, days } of status.components) {
      expect(measured_at).toBe(at);
      expect(days!.at(-1)).toStrictEqual({ date: utcDay(NOON), checks: 1, successful: 1 });
      expect(days!.slice(0, -1).every(({ checks }) => checks === 0)).toBe(true);
    }
    expect(part(status, "queue").latency_ms).toBeGreaterThanOrEqual(2_000);
    expect(part(status, "queue").latency_ms).toBeLessThan(2_500);
  });

  test("verification has the median and the 95th percentile of calls that are counted like a trial's", async () => {
    // The store of keys is given half a second; the key then comes from elsewhere.
    network.faults.kv = "hangs";
    await check();
    const { state, latency_ms: median, p95_ms: p95 } = part(await ask(), "verification");
    expect(state).toBe("working");
    for (const time of [median, p95]) expect(time).toBeGreaterThanOrEqual(500);
    for (const time of [median, p95]) expect(time).toBeLessThan(600);
    const calls = network.logs.map((text) => JSON.parse(text)).filter(({ route }) => route === "/api/v1/verify");
    expect(calls.map(({ outcome }) => outcome)).toStrictEqual(Array.from({ length: 20 }, () => "valid"));
    expect(network.ledgerOf(`own_verifications_${NOON / HOUR_MS}`).ledger.quotaUsed(NOON)).toBe(20);
  });

  test("a wait for the ledger would be part of it", async () => {
    network.faults.ledger = "hangs";
    await check();
    const { state, p95_ms: p95 } = part(await ask(), "verification");
    expect([state, p95! < 100]).toStrictEqual(["working", true]);
  });

  test("the trial of its calls is new every hour, is nobody's, and is erased", async () => {
    const ledgerOf = (hour: number) => network.ledgerOf(`own_verifications_${NOON / HOUR_MS + hour}`);
    for (let run = 0; run <= 12; run++) {
      await until(timeOwnVerifications(createIsolate(network.behind())));
      skip(NOON + (run + 1) * 300_000 - Date.now());
    }
    const used = [0, 1].map((hour) => ledgerOf(hour).ledger.quotaUsed(NOON + hour * HOUR_MS));
    expect(used).toStrictEqual([240, 20]);
    expect(network.emails).toStrictEqual([]);
    skip(ledgerOf(0).alarm! - Date.now());
    await until(ledgerOf(0).ledger.alarm());
    expect(ledgerOf(0).ledger.usage({ first: "", last: "~" }).days).toStrictEqual([]);
    expect(await network.worker.db.select().from(usageMonths)).toStrictEqual([]);
  });

  test("the percentiles are those of the calls' times", async () => {
    const verify = async () => Array.from({ length: 20 }, (_, at) => 20 - at);
    const { EDGE: edge, USAGE: usage } = network.behind();
    await until(runChecks({ db: network.worker.db, edge, usage, verify }, NOON));
    expect(part(await ask(), "verification")).toMatchObject({ state: "working", latency_ms: 10, p95_ms: 19 });
  });

  test("verification is failing if a call fails, and nothing else is", async () => {
    const verify = () => Promise.reject(new Error("A verification returned 503"));
    const { EDGE: edge, USAGE: usage } = network.behind();
    await until(runChecks({ db: network.worker.db, edge, usage, verify }, NOON));
    const status = await ask();
    expect(part(status, "verification")).toMatchObject({ state: "failing", latency_ms: null, p95_ms: null });
    expect(statesOf(status)).toMatchObject({ verification: "failing", database: "working", key_store: "working" });
    expect(status.incidents!.map(({ component }) => component)).toContain("verification");
  });

  test("a response is cached for five seconds", async () => {
    const isolate = await network.isolate();
    const times: string[] = [];
    for (const wait of [0, 4_000, 2_000]) {
      skip(wait);
      const response = await isolate.fetch("/api/v1/status");
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=5");
      times.push(((await response.json()) as Status).answered_at);
    }
    expect(times[1]).toBe(times[0]);
    expect(times[2]).not.toBe(times[0]);
  });

  test("a measurement older than 15 minutes is ignored, and the cron is late", async () => {
    await check();
    skip(NOON + 16 * 60_000 - Date.now());
    const status = await ask();
    expect(statesOf(status)).toStrictEqual({
      verification: "unknown",
      database: "unknown",
      key_store: "unknown",
      queue: "unknown",
    });
    expect(status.schedule.state).toBe("late");
    expect(part(status, "database").measured_at).toBe(new Date(NOON).toISOString());
  });
});

test.each(["down", "429 for writes", "hangs"] as const)(
  "with KV down (%s) the key store is failing, and nothing else",
  async (fault) => {
    network.faults.kv = fault;
    await check();
    const asked = Date.now();
    const status = await ask();
    expect(Date.now() - asked).toBeLessThan(fault === "hangs" ? 1_100 : 100);
    expect(statesOf(status)).toStrictEqual({
      verification: "working",
      database: "working",
      key_store: "failing",
      queue: "working",
    });
    expect(part(status, "key_store")).toMatchObject({ latency_ms: null });
    expect(status.incidents).toMatchObject([{ component: "key_store", failed_checks: 1, ongoing: true }]);
  },
);

describe("with the queue down", () => {
  test.each(["rejects", "hangs", "silent"] as const)("(%s) it is failing, and nothing else", async (fault) => {
    network.faults.queue = fault;
    queue.deliversAfter = null;
    await check();
    const status = await ask();
    expect(statesOf(status)).toStrictEqual({
      verification: "working",
      database: "working",
      key_store: "working",
      queue: "failing",
    });
  });

  test.each([
    ["never", null],
    ["after 31 s", 31_000],
  ])("a message that comes back %s has failed", async (_, after) => {
    queue.deliversAfter = after;
    await check();
    const status = await ask();
    expect(part(status, "queue")).toMatchObject({ state: "failing", latency_ms: null });
    await until(sleep(5_000));
    expect(part(await ask(), "queue").days!.at(-1)).toMatchObject({ checks: 1, successful: 0 });
  });

  test("one that late has failed even if no run waited for it", async () => {
    await until(
      consumeBatch(
        batchOf({ probe: { at: Date.now() - 31_000, sent_at: Date.now() - 31_000 } }),
        createIsolate(network.behind()),
      ),
    );
    expect(part(await ask(), "queue")).toMatchObject({ state: "failing", latency_ms: null });
  });

  test("a probe in a usage batch blocks nothing", async () => {
    const { userId, keyId } = await network.caller();
    const sent_at = Date.now();
    const at = sent_at - 4_000;
    const usage = { part: partOf(userId, [countOf(1, 0, { key: keyId })]) };
    await until(consumeBatch(batchOf({ probe: { at, sent_at } }, usage), createIsolate(network.behind())));
    expect(await network.counted(userId)).toBe(1);
    const measured_at = new Date(at).toISOString();
    expect(part(await ask(), "queue")).toMatchObject({ state: "working", measured_at });
    const line = network.logs.map((text) => JSON.parse(text)).find(({ event }) => event === "queue_batch");
    expect(line).toMatchObject({
      queue: "checkline-usage",
      messages: 2,
      attempts: 1,
      outcome: { numbers: 1, probes: 1 },
    });
  });
});

describe("incidents", () => {
  async function store(successes: readonly (readonly [minutes: number, successful: boolean])[]): Promise<void> {
    const checks = successes.map(([minutes, successful]) => {
      return {
        component: "queue" as const,
        at: NOON + minutes * 60_000,
        successful,
        latencyMs: successful ? 2_000 : null,
      };
    });
    await storeChecks(network.worker.db, checks);
  }

  test("consecutive failures are one incident; a success or a missing check ends it", async () => {
    await store([
      [-60, false],
      [-55, false],
      [-50, true],
      [-45, false],
      [-20, false],
      [-15, false],
      [-10, false],
    ]);
    const { incidents } = await ask();
    const told = incidents!.map(({ started_at, failed_checks, ongoing }) => [
      (Date.parse(started_at) - NOON) / 60_000,
      failed_checks,
      ongoing,
    ]);
    expect(told).toStrictEqual([
      [-20, 3, true],
      [-45, 1, false],
      [-60, 2, false],
    ]);
  });

  test("ninety days are shown and kept, and no more", async () => {
    const oldest = -(STATUS_DAYS - 1) * 1440;
    const gone = oldest - 3 * 1440;
    await store([
      [gone, false],
      [oldest, false],
      [0, true],
    ]);
    const days = part(await ask(), "queue").days!;
    expect(days[0]).toMatchObject({ checks: 1, successful: 0 });
    await until(runSchedule("17 * * * *", createIsolate(network.behind(), { now: () => NOON })));
    const kept = await network.worker.db.select().from(statusChecks);
    expect(kept.map(({ at }) => (at - NOON) / DAY_MS).toSorted((a, b) => a - b)).toStrictEqual([1 - STATUS_DAYS, 0]);
    expect(await network.worker.db.select().from(statusDays)).toHaveLength(2);
  });

  test.each([true, false])("a check stored twice counts once, with its first result: %s", async (first) => {
    await store([[0, first]]);
    await store([[0, !first]]);
    expect(part(await ask(), "queue").days!.at(-1)).toMatchObject({ checks: 1, successful: Number(first) });
  });

  test("a database check whose write finished too late has failed", async () => {
    const written = { component: "database", at: NOON, successful: true, latencyMs: 3 } as const;
    await storeChecks(network.worker.db, [written]);
    await storeChecks(network.worker.db, [{ ...written, successful: false, latencyMs: null }]);
    expect(part(await ask(), "database")).toMatchObject({ state: "failing", latency_ms: null });
  });
});

describe("the last run of a day", () => {
  test("counts toward it even when its message is back after midnight", async () => {
    const { db } = network.worker;
    const at = NOON - DAY_MS / 2 - 5 * 60_000;
    await storeChecks(db, [{ component: "database", at, successful: true, latencyMs: 1 }]);
    const isolate = createIsolate(network.behind());
    for (let deliveries = 0; deliveries < 2; deliveries++) {
      await until(consumeBatch(batchOf({ probe: { at, sent_at: at } }), isolate));
    }
    const days = await db.select().from(statusDays);
    expect(days.toSorted((a, b) => a.component.localeCompare(b.component))).toStrictEqual([
      { component: "database", day: utcDay(at), checks: 1, successful: 1 },
      { component: "queue", day: utcDay(at), checks: 1, successful: 0 },
    ]);
  });
});

describe("for monitors", () => {
  async function strict(env: Partial<Bindings> = {}, method = "GET") {
    const isolate = openIsolate({ ...network.behind(), ...env });
    const response = await isolate.fetch("/api/v1/status?strict", { method });
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    return { status: response.status, text: await response.text() };
  }
  const deployed = (minutesAgo: number) => ({
    VERSION: { ...network.worker.env.VERSION, timestamp: new Date(Date.now() - minutesAgo * 60_000).toISOString() },
  });

  test("what works is a 200, also for HEAD", async () => {
    await check();
    expect(await strict()).toMatchObject({ status: 200, text: expect.stringContaining('"working"') });
    expect(await strict({}, "HEAD")).toStrictEqual({ status: 200, text: "" });
  });

  test("what was never measured is warming up for 15 minutes after a deployment, and then unknown", async () => {
    expect(await strict(deployed(14))).toMatchObject({ status: 200, text: expect.stringContaining('"warming_up"') });
    const late = await strict(deployed(15));
    expect(late).toMatchObject({
      status: 503,
      text: expect.stringContaining("verification: unknown; database: unknown"),
    });
    expect(JSON.parse(late.text)).toMatchObject({ code: "NOT_WORKING" });
    expect(await strict(deployed(15), "HEAD")).toStrictEqual({ status: 503, text: "" });
  });

  test("what fails is a 503, however young the version", async () => {
    network.faults.kv = "down";
    await check();
    expect(await strict(deployed(0))).toMatchObject({
      status: 503,
      text: expect.stringContaining("Not working: key_store: failing."),
    });
  });

  test("a late cron is a 503", async () => {
    await check();
    skip(NOON + 16 * 60_000 - Date.now());
    expect((await strict(deployed(0))).text).toContain("scheduled jobs: late");
  });

  test("another value of strict is a 400", async () => {
    const isolate = openIsolate(network.behind());
    expect((await isolate.fetch("/api/v1/status?strict=no")).status).toBe(400);
  });
});

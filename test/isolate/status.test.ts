import { describe, expect, test } from "vitest";
import { STATUS_DAYS } from "../../contract/checks.ts";
import type { Status } from "../../contract/status.ts";
import { statusRuns, usageMonths } from "../../schema.ts";
import { createIsolate } from "../../worker/io.ts";
import { openDatabase } from "../../worker/platform/db.ts";
import { timeOwnVerifications } from "../../worker/own-verifications.ts";
import { runJob, serveWith } from "../schedule.ts";
import { runChecks } from "../../worker/status/run-checks.ts";
import { storeChecks } from "../../worker/status/checks.ts";
import { DAY_MS, HOUR_MS, utcDay } from "../../worker/platform/time.ts";
import { NOON } from "../usage.ts";
import { part, startChecks, statesOf } from "./checks.ts";
import { skip, until } from "./clock.ts";
import type { Bindings } from "../../worker/env.ts";
import { openIsolate } from "./isolate.ts";
import { startNetwork } from "./network.ts";

const network = startNetwork();
const { check, nextRun, ask } = startChecks(network);

describe("with nothing measured", () => {
  test("only that is reported", async () => {
    const status = await ask();
    expect(statesOf(status)).toStrictEqual({
      verification: "unknown",
      database: "unknown",
      key_store: "unknown",
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
    });
    const at = new Date(NOON).toISOString();
    expect(status).toMatchObject({ state: "working", incidents: [], schedule: { state: "on_time", last_run_at: at } });
    for (const { measured_at, days } of status.components) {
      expect(measured_at).toBe(at);
      expect(days!.at(-1)).toStrictEqual({ date: utcDay(NOON), checks: 1, successful: 1 });
      expect(days!.slice(0, -1).every(({ checks }) => checks === 0)).toBe(true);
    }
  });

  test("verification has the median and the 95th percentile of calls that are counted like a trial's", async () => {
    await check();
    const { state, latency_ms: median, p95_ms: p95 } = part(await ask(), "verification");
    expect(state).toBe("working");
    for (const time of [median, p95]) expect(time).toBeLessThan(100);
    const calls = network.logs.map((text) => JSON.parse(text)).filter(({ route }) => route === "/api/v1/verify");
    expect(calls.map(({ outcome }) => outcome)).toStrictEqual(Array.from({ length: 20 }, () => "valid"));
    expect(network.ledgerOf(`own_verifications_${NOON / HOUR_MS}`).ledger.quotaUsed(NOON)).toBe(20);
  });

  test("a wait for the ledger is part of it", async () => {
    network.faults.ledger = "hangs";
    await check();
    const { state, p95_ms: p95 } = part(await ask(), "verification");
    expect([state, p95! > 100]).toStrictEqual(["working", true]);
  });

  test("the trial of its calls is new every hour, is nobody's, and is erased", async () => {
    const ledgerOf = (hour: number) => network.ledgerOf(`own_verifications_${NOON / HOUR_MS + hour}`);
    for (let run = 0; run <= 12; run++) {
      const isolate = createIsolate(network.behind());
      await until(timeOwnVerifications(isolate, serveWith(isolate)));
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
    const { DB, EDGE: edge } = network.behind();
    await until(runChecks({ db: openDatabase(DB), edge, verify }, NOON));
    expect(part(await ask(), "verification")).toMatchObject({ state: "working", latency_ms: 10, p95_ms: 19 });
  });

  test("verification is failing if a call fails, and nothing else is", async () => {
    const verify = () => Promise.reject(new Error("A verification returned 503"));
    const { DB, EDGE: edge } = network.behind();
    await until(runChecks({ db: openDatabase(DB), edge, verify }, NOON));
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
    });
    expect(part(status, "key_store")).toMatchObject({ latency_ms: null });
    expect(status.incidents).toMatchObject([{ component: "key_store", failed_checks: 1, ongoing: true }]);
  },
);

test.each(["down", "hangs"] as const)(
  "with D1 down (%s) the response says so, the outage isn't measured, and the checks go on",
  async (fault) => {
    await check();
    nextRun();
    network.faults.d1 = fault;
    await expect(check()).rejects.toThrow(/Network connection lost|No response within 5000 ms/);
    const asked = Date.now();
    const during = await ask();
    expect(Date.now() - asked).toBeLessThan(fault === "hangs" ? 2_100 : 100);
    expect(statesOf(during)).toStrictEqual({ verification: "unknown", database: "failing", key_store: "unknown" });
    expect(during).toMatchObject({ state: "failing", incidents: null, schedule: { state: "unknown" } });
    expect(during.components.map(({ days }) => days)).toStrictEqual([null, null, null]);
    network.repair();
    nextRun();
    await check();
    const after = await ask();
    expect(after).toMatchObject({ state: "working", incidents: [] });
    expect(part(after, "database").days!.at(-1)).toMatchObject({ checks: 2, successful: 2 });
  },
);

test("a D1 that takes no writes is not measured: unknown after 15 minutes, and the cron is late", async () => {
  await check();
  network.faults.d1 = "takes no writes";
  for (let run = 0; run < 4; run++) {
    nextRun();
    await expect(check()).rejects.toThrow("database or disk is full");
  }
  expect(await ask()).toMatchObject({ state: "unknown", schedule: { state: "late" } });
});

describe("incidents", () => {
  async function store(successes: readonly (readonly [minutes: number, successful: boolean])[]): Promise<void> {
    for (const [minutes, successful] of successes) {
      const made = { component: "database" as const, at: NOON + minutes * 60_000, successful };
      await storeChecks(network.worker.db, [{ ...made, latencyMs: successful ? 2_000 : null }]);
    }
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
    const days = part(await ask(), "database").days!;
    expect(days[0]).toMatchObject({ checks: 1, successful: 0 });
    await until(runJob("17 * * * *", createIsolate(network.behind(), { now: () => NOON })));
    const kept = await network.worker.db.select().from(statusRuns);
    const ages = kept.map(({ startedAt }) => (startedAt - NOON) / DAY_MS);
    expect(ages.toSorted((a, b) => a - b)).toStrictEqual([1 - STATUS_DAYS, 0]);
  });

  test.each([true, false])("a check stored twice counts once, with its first result: %s", async (first) => {
    await store([[0, first]]);
    await store([[0, first]]);
    expect(part(await ask(), "database").days!.at(-1)).toMatchObject({ checks: 1, successful: Number(first) });
  });

  test("an outage over midnight is one incident, on two days", async () => {
    const midnight = -(NOON % DAY_MS) / 60_000;
    await store([
      [midnight - 10, false],
      [midnight - 5, false],
      [midnight, false],
      [midnight + 5, true],
    ]);
    const status = await ask();
    expect(status.incidents).toMatchObject([{ failed_checks: 3, ongoing: false }]);
    expect(part(status, "database").days!.slice(-2)).toMatchObject([
      { checks: 2, successful: 0 },
      { checks: 2, successful: 1 },
    ]);
  });

  test("a day without failures is one row", async () => {
    await store(Array.from({ length: 200 }, (_, at) => [at * 5 - 1000, true] as const));
    expect(await network.worker.db.$count(statusRuns)).toBe(2);
    const days = part(await ask(), "database").days!.slice(-2);
    expect(days.reduce((total, { checks }) => total + checks, 0)).toBe(200);
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

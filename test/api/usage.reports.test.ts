import { describe, expect, test } from "vitest";
import type { KeyMode } from "../../contract/limits.ts";
import { usageDaily } from "../../schema.ts";
import { DAY_MS, utcDay } from "../../worker/platform/time.ts";
import { liveSuccessesSince, usageByDay, usageCsv, usageSummary } from "../../worker/usage/reports.ts";
import { createAccount } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { NOON } from "../usage-events.ts";

const worker = startWorker();

interface Used {
  readonly day?: string;
  readonly country?: string;
  readonly mode?: KeyMode;
  readonly success?: number;
  readonly failure?: number;
}

/** A new account that has been used so much. Days are 2026-01-02 unless told otherwise. Returns its id. */
async function accountWith(...used: readonly Used[]): Promise<string> {
  const userId = await createAccount(worker.db);
  for (const { day = "2026-01-02", country: countryCode = "BR", mode = "live", success, failure } of used) {
    const row = { userId, mode, day, countryCode };
    if (success !== undefined)
      await worker.db.insert(usageDaily).values({ ...row, outcome: "success", count: success });
    if (failure !== undefined)
      await worker.db.insert(usageDaily).values({ ...row, outcome: "failure", count: failure });
  }
  return userId;
}

function daysAgo(days: number): string {
  return utcDay(NOON - days * DAY_MS);
}

describe("the summary", () => {
  test("of an account without usage is empty", async () => {
    const userId = await accountWith();
    expect(await usageSummary(worker.db, { userId, now: NOON })).toStrictEqual({
      total_verifications: 0,
      successful_verifications: 0,
      top_countries: [],
      month_over_month: null,
    });
  });

  test("counts everything ever, in both modes or in one, and nothing of other accounts", async () => {
    const userId = await accountWith(
      { success: 10, failure: 2 },
      { mode: "test", success: 3, failure: 1 },
      { day: "2024-02-29", success: 100 },
      { day: "2024-02-29", country: "ZZ", failure: 50 },
    );
    await accountWith({ success: 999 });
    const both = await usageSummary(worker.db, { userId, now: NOON });
    expect(both).toMatchObject({ total_verifications: 166, successful_verifications: 113 });
    expect(both.top_countries).toStrictEqual([{ country_code: "BR", count: 116 }]);
    const live = await usageSummary(worker.db, { userId, mode: "live", now: NOON });
    expect(live).toMatchObject({ total_verifications: 162, successful_verifications: 110 });
    const sandbox = await usageSummary(worker.db, { userId, mode: "test", now: NOON });
    expect(sandbox).toMatchObject({ total_verifications: 4, successful_verifications: 3 });
  });

  test("names five countries by count, then code, and never the unknown one", async () => {
    const userId = await accountWith(
      { country: "ZZ", failure: 1_000 },
      { country: "US", success: 7 },
      { country: "GB", success: 3, failure: 4 },
      { country: "DE", success: 7, mode: "test" },
      { country: "FR", success: 1 },
      { country: "BR", success: 20 },
      { country: "IN", success: 1 },
      { country: "CA", failure: 1 },
    );
    const { top_countries: top } = await usageSummary(worker.db, { userId, now: NOON });
    expect(top.map(({ country_code: code, count }) => `${code} ${count}`)).toStrictEqual([
      "BR 20",
      "DE 7",
      "GB 7",
      "US 7",
      "CA 1",
    ]);
  });

  test("compares 30 days, today included, with the 30 before, over the new year", async () => {
    const userId = await accountWith(
      { day: daysAgo(0), success: 10 },
      { day: daysAgo(29), failure: 20, country: "ZZ" },
      { day: daysAgo(30), success: 15 },
      { day: daysAgo(59), success: 5, country: "US" },
      { day: daysAgo(60), success: 1_000 },
      { day: daysAgo(-1), success: 1_000 },
      { day: daysAgo(45), success: 70, mode: "test" },
    );
    expect(await usageSummary(worker.db, { userId, mode: "live", now: NOON })).toMatchObject({ month_over_month: 50 });
    expect(await usageSummary(worker.db, { userId, now: NOON })).toMatchObject({ month_over_month: -66.7 });
    expect(await usageSummary(worker.db, { userId, mode: "test", now: NOON })).toMatchObject({
      month_over_month: -100,
    });
    const nextDay = { userId, mode: "live", now: NOON + DAY_MS } as const;
    expect(await usageSummary(worker.db, nextDay)).toMatchObject({ month_over_month: 2_785.7 });
  });
});

describe("usage by day", () => {
  test("fills gaps, ascends over the new year and ends today", async () => {
    const userId = await accountWith(
      { day: "2025-12-29", success: 99 },
      { day: "2025-12-30", success: 4, failure: 1 },
      { day: "2025-12-30", country: "US", success: 2 },
      { day: "2026-01-01", failure: 3 },
      { day: "2026-01-02", success: 1, mode: "test" },
      { day: "2026-01-03", success: 99 },
    );
    const both = await usageByDay(worker.db, { userId, days: 4, now: NOON });
    expect(both).toStrictEqual({
      days: [
        { date: "2025-12-30", total: 7, successful: 6 },
        { date: "2025-12-31", total: 0, successful: 0 },
        { date: "2026-01-01", total: 3, successful: 0 },
        { date: "2026-01-02", total: 1, successful: 1 },
      ],
      countries: [
        { country_code: "BR", total: 9, successful: 5 },
        { country_code: "US", total: 2, successful: 2 },
      ],
    });
    const live = await usageByDay(worker.db, { userId, mode: "live", days: 1, now: NOON });
    expect(live).toStrictEqual({ days: [{ date: "2026-01-02", total: 0, successful: 0 }], countries: [] });
  });

  test("counts unknown countries too, so that days and countries add up alike", async () => {
    const userId = await accountWith({ country: "ZZ", failure: 5 }, { country: "AR", success: 5 }, { success: 6 });
    const { days, countries } = await usageByDay(worker.db, { userId, days: 366, now: NOON });
    expect(days).toHaveLength(366);
    expect(days.at(-1)).toStrictEqual({ date: "2026-01-02", total: 16, successful: 11 });
    expect(countries.map((country) => country.country_code)).toStrictEqual(["BR", "AR", "ZZ"]);
  });

  test("exports as CSV", async () => {
    const userId = await accountWith({ success: 4, failure: 1 });
    const report = await usageByDay(worker.db, { userId, days: 2, now: NOON });
    expect(usageCsv(report)).toBe("date,total,successful,failed\r\n2026-01-01,0,0,0\r\n2026-01-02,5,4,1\r\n");
  });
});

describe("what a quota is charged with", () => {
  test("is the successful live verifications since a day, that day included", async () => {
    const userId = await accountWith(
      { day: "2025-12-30", success: 100 },
      { day: "2025-12-31", success: 4, failure: 9 },
      { day: "2026-01-02", success: 2 },
      { day: "2026-01-02", country: "ZZ", success: 1 },
      { day: "2026-01-02", success: 50, mode: "test" },
    );
    expect(await liveSuccessesSince(worker.db, userId, "2025-12-31")).toBe(7);
    expect(await liveSuccessesSince(worker.db, userId, "2026-01-03")).toBe(0);
  });
});

import { describe, expect, test, vi } from "vitest";
import { createLedgers } from "../../test/ledgers.ts";
import { addUsage, NOON } from "../../test/usage.ts";
import type { Used } from "../../test/usage.ts";
import { DAY_MS, utcDay } from "../platform/time.ts";
import type { LedgerNamespace } from "./namespace.ts";
import { readLedger, usageByDay, usageByKeyCsv, usageCsv, usageSummary } from "./reports.ts";
import type { MeteredAccount, UsageSource } from "./reports.ts";

const ledgers = createLedgers({ now: () => NOON });
/** The name of one key; the row of the other is gone. */
const NAME = '＝Server "A"';
const rows = [{ id: "key_1", name: NAME }];
const db = { select: () => ({ from: () => ({ where: async () => rows }) }) } as unknown as UsageSource["db"];
const source: UsageSource = { ledgers, now: NOON, db };
let accounts = 0;

/** A new account with this usage. Days are 2026-01-02 by default. */
async function accountWith(...used: readonly Used[]): Promise<MeteredAccount> {
  const id = `usr_${++accounts}`;
  if (used.length === 0) return { id, meteredAt: null };
  await addUsage({ ledgers }, id, used, { at: NOON });
  return { id, meteredAt: NOON };
}

function daysAgo(days: number): string {
  return utcDay(NOON - days * DAY_MS);
}

describe("the summary", () => {
  test("of an unused account is empty", async () => {
    const account = await accountWith();
    expect(await usageSummary(source, account, {})).toStrictEqual({
      total_verifications: 0,
      successful_verifications: 0,
      top_countries: [],
      countries: 0,
      keys: [],
      month_over_month: null,
      days: Array.from({ length: 14 }, (_, at) => ({ date: daysAgo(13 - at), total: 0, successful: 0 })),
      calls: { sampled: 0, p95_ms: null, top_error: null, latest: [] },
    });
  });

  test("counts all time, in both modes or in one, and nothing of other accounts", async () => {
    const account = await accountWith(
      { success: 10, failure: 2 },
      { mode: "test", success: 3, failure: 1 },
      { day: "2024-02-29", success: 100 },
      { day: "2024-02-29", country: "ZZ", failure: 50 },
    );
    await accountWith({ success: 999 });
    const both = await usageSummary(source, account, {});
    expect(both).toMatchObject({ total_verifications: 166, successful_verifications: 113 });
    expect(both.top_countries).toStrictEqual([{ country_code: "BR", count: 116 }]);
    const live = await usageSummary(source, account, { mode: "live" });
    expect(live).toMatchObject({ total_verifications: 162, successful_verifications: 110 });
    const sandbox = await usageSummary(source, account, { mode: "test" });
    expect(sandbox).toMatchObject({ total_verifications: 4, successful_verifications: 3 });
  });

  test("lists five countries by count, then code, and never the unknown one", async () => {
    const account = await accountWith(
      { country: "ZZ", failure: 1_000 },
      { country: "US", success: 7 },
      { country: "GB", success: 3, failure: 4 },
      { country: "DE", success: 7, mode: "test" },
      { country: "FR", success: 1 },
      { country: "BR", success: 20 },
      { country: "IN", success: 1 },
      { country: "CA", failure: 1 },
    );
    const { top_countries: top, countries } = await usageSummary(source, account, {});
    expect(countries).toBe(7);
    expect(top.map(({ country_code: code, count }) => `${code} ${count}`)).toStrictEqual([
      "BR 20",
      "DE 7",
      "GB 7",
      "US 7",
      "CA 1",
    ]);
  });

  test("compares 30 days, today included, with the 30 before, across the new year", async () => {
    const account = await accountWith(
      { day: daysAgo(0), success: 10 },
      { day: daysAgo(29), failure: 20, country: "ZZ" },
      { day: daysAgo(30), success: 15 },
      { day: daysAgo(59), success: 5, country: "US" },
      { day: daysAgo(60), success: 1_000 },
      { day: daysAgo(-1), success: 1_000 },
      { day: daysAgo(45), success: 70, mode: "test" },
    );
    expect(await usageSummary(source, account, { mode: "live" })).toMatchObject({ month_over_month: 50 });
    expect(await usageSummary(source, account, {})).toMatchObject({ month_over_month: -66.7 });
    expect(await usageSummary(source, account, { mode: "test" })).toMatchObject({
      month_over_month: -100,
    });
    const nextDay = { ...source, now: NOON + DAY_MS };
    expect(await usageSummary(nextDay, account, { mode: "live" })).toMatchObject({ month_over_month: 2_785.7 });
  });
});

test("the summary has fourteen days, today the last", async () => {
  const account = await accountWith({ day: daysAgo(14), success: 9 }, { day: daysAgo(13), success: 2, failure: 1 });
  const { days } = await usageSummary(source, account, {});
  expect(days).toHaveLength(14);
  expect(days[0]).toStrictEqual({ date: daysAgo(13), total: 3, successful: 2 });
  expect(days.at(-1)!.date).toBe(daysAgo(0));
});

describe("usage by day", () => {
  test("fills gaps, ascends across the new year, and ends today", async () => {
    const account = await accountWith(
      { day: "2025-12-29", success: 99 },
      { day: "2025-12-30", success: 4, failure: 1 },
      { day: "2025-12-30", country: "US", success: 2 },
      { day: "2026-01-01", failure: 3 },
      { day: "2026-01-02", success: 1, mode: "test" },
      { day: "2026-01-03", success: 99 },
    );
    const both = await usageByDay(source, account, { days: 4 });
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
      keys: [
        { key_id: "key_1", name: NAME, mode: "live", total: 10, successful: 6 },
        { key_id: "key_1", name: NAME, mode: "test", total: 1, successful: 1 },
      ],
    });
    const live = await usageByDay(source, account, { mode: "live", days: 1 });
    expect(live).toStrictEqual({ days: [{ date: "2026-01-02", total: 0, successful: 0 }], countries: [], keys: [] });
  });

  test("counts unknown countries too, so days and countries have the same total", async () => {
    const account = await accountWith({ country: "ZZ", failure: 5 }, { country: "AR", success: 5 }, { success: 6 });
    const { days, countries } = await usageByDay(source, account, { days: 366 });
    expect(days).toHaveLength(366);
    expect(days.at(-1)).toStrictEqual({ date: "2026-01-02", total: 16, successful: 11 });
    expect(countries.map((country) => country.country_code)).toStrictEqual(["BR", "AR", "ZZ"]);
  });

  test("exports as CSV", async () => {
    const account = await accountWith({ success: 4, failure: 1 });
    const report = await usageByDay(source, account, { days: 2 });
    expect(usageCsv(report)).toBe("date,total,successful,failed\r\n2026-01-01,0,0,0\r\n2026-01-02,5,4,1\r\n");
  });

  test("is of one key on request, and of each in the CSV by key, where no name is a formula", async () => {
    const account = await accountWith(
      { success: 4, failure: 1 },
      { keyId: "key_2", day: daysAgo(1), success: 7 },
      { keyId: "key_2", success: 1 },
    );
    const { days, countries, keys } = await usageByDay(source, account, { days: 2, key_id: "key_2" });
    expect(days.map(({ total }) => total)).toStrictEqual([7, 1]);
    expect(countries).toStrictEqual([{ country_code: "BR", total: 8, successful: 8 }]);
    expect(keys).toStrictEqual([{ key_id: "key_2", name: null, mode: "live", total: 8, successful: 8 }]);
    expect(await usageByKeyCsv(source, account, { days: 2 })).toBe(
      [
        "date,key_id,key_name,total,successful,failed",
        "2026-01-01,key_2,,7,7,0",
        `2026-01-02,key_1,"'＝Server ""A""",5,4,1`,
        "2026-01-02,key_2,,1,1,0",
        "",
      ].join("\r\n"),
    );
    expect((await usageByDay(source, account, { days: 2, key_id: "key_9" })).keys).toStrictEqual([]);
  });
});

describe("reading", () => {
  test("creates no ledger for an account without one", async () => {
    const { id } = await accountWith();
    await usageByDay(source, { id, meteredAt: null }, { days: 1 });
    expect(ledgers.opened.has(id)).toBe(false);
  });

  test("a ledger that fails is a 503", async () => {
    const away = { getByName: () => ({ keys: () => Promise.reject(new Error("Overloaded")) }) };
    const failing: UsageSource = { ...source, ledgers: away as unknown as LedgerNamespace };
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    await expect(
      readLedger(failing, { id: "usr_x", meteredAt: 1 }, (ledger) => ledger.keys("2026-01", [])),
    ).rejects.toMatchObject({
      code: "TEMPORARILY_UNAVAILABLE",
    });
    warn.mockRestore();
  });
});

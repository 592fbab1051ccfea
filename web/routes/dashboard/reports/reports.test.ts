import { describe, expect, test } from "vitest";
import { axisTicks, formatRate, formatSpan, sumOf, ticksOf, usageFileName } from "../../../lib/figures.ts";
import { PERIODS, readChoice, writeChoice } from "./report-controls.tsx";

function daysUntil(last: string, count: number) {
  const end = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: count }, (_, at) => ({
    date: new Date(end - (count - 1 - at) * 86_400_000).toISOString().slice(0, 10),
    total: at,
    successful: 1,
  }));
}

test("every period has whole weeks, so that the days before are the same days of the week", () => {
  for (const days of PERIODS) {
    const both = daysUntil("2026-11-02", 2 * days).map(({ date }) => new Date(date).getUTCDay());
    expect(both.slice(0, days)).toStrictEqual(both.slice(days));
  }
});

describe("the address", () => {
  test.each([
    ["", 28, "mode"],
    ["days=7", 7, "mode"],
    ["days=91&mode=both", 91, "both"],
    ["days=8&mode=live", 28, "mode"],
    ["days=7.0", 28, "mode"],
  ])("?%s means %d days, %s", (query, days, scope) => {
    expect(readChoice(new URLSearchParams(query))).toStrictEqual({ days, scope });
  });

  test("keeps what was not changed", () => {
    const query = new URLSearchParams("days=7&mode=both&other=1");
    expect(String(writeChoice(query, { days: 91 }))).toBe("days=91&mode=both&other=1");
    expect(String(writeChoice(query, { scope: "live" }))).toBe("days=7&other=1");
    expect(String(writeChoice(new URLSearchParams(), { scope: "both" }))).toBe("mode=both");
  });
});

test.each([
  [0, 0, "–"],
  [10, 10, "100.0%"],
  [10, 0, "0.0%"],
  [3, 2, "66.7%"],
  [100_000, 99_999, "99.9%"],
  [100_000, 1, "0.1%"],
])("of %d, %d successful are %s", (total, successful, rate) => {
  expect(formatRate({ total, successful })).toBe(rate);
});

test("sums and spans of days, in UTC", () => {
  expect(sumOf(daysUntil("2026-11-02", 4))).toStrictEqual({ total: 6, successful: 4 });
  expect(formatSpan(daysUntil("2026-11-02", 30))).toBe("Oct 4 to Nov 2, 2026");
  expect(formatSpan(daysUntil("2026-01-02", 7))).toBe("Dec 27, 2025 to Jan 2, 2026");
  expect(formatSpan([])).toBe("");
});

test.each([
  [7, 800, 7],
  [7, 290, 4],
  [30, 800, 6],
  [30, 290, 3],
  [90, 800, 9],
  [90, 290, 3],
  [90, 10, 2],
])("%d days in %d pixels get %d ticks, including today", (count, width, ticks) => {
  const days = daysUntil("2026-11-02", count);
  const dates = ticksOf(days, width);
  expect(dates).toHaveLength(ticks);
  expect(dates.at(-1)).toBe("2026-11-02");
});

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [10, [0, 2, 4, 6, 8, 10]],
  [101, [0, 20, 40, 60, 80, 100, 120]],
  [550, [0, 100, 200, 300, 400, 500, 600]],
  [1650, [0, 500, 1000, 1500, 2000]],
  [5001, [0, 1000, 2000, 3000, 4000, 5000, 6000]],
  [1_000_000, [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]],
])("the axis for %d has the ticks %j", (highest, ticks) => {
  expect(axisTicks(highest)).toStrictEqual(ticks);
});

test("a file is named after its mode and days", () => {
  const csv = "date,total,successful,failed\r\n2026-10-04,1,1,0\r\n2026-11-02,2,1,1\r\n";
  expect(usageFileName(csv, "live")).toBe("checkline-usage-live-2026-10-04-to-2026-11-02.csv");
  expect(usageFileName(csv, undefined)).toBe("checkline-usage-2026-10-04-to-2026-11-02.csv");
  expect(usageFileName("date\r\n", "test")).toBe("checkline-usage-test.csv");
});

import { expect, test } from "vitest";
import {
  daysLeft,
  formatChange,
  formatRateChange,
  formatMonthOverMonth,
  levelOf,
  ratesOf,
  runsOutAt,
} from "./figures.ts";

test.each([
  [20.1, "+20.1% MoM"],
  [-5, "-5.0% MoM"],
  [0, "0.0% MoM"],
  [1234.56, "+1,234.6% MoM"],
])("%d as a month over month is %s", (percent, text) => {
  expect(formatMonthOverMonth(percent)).toBe(text);
});

test.each([
  [8, 20, "-60.0%"],
  [20, 20, "0.0%"],
  [7, 0, null],
])("%d after %d is a change of %s", (count, earlier, text) => {
  expect(formatChange(count, earlier)).toBe(text);
});

test.each([
  [{ total: 8, successful: 5 }, { total: 20, successful: 20 }, "-37.5 pts"],
  [{ total: 8, successful: 4 }, { total: 2, successful: 1 }, "0.0 pts"],
  [{ total: 8, successful: 4 }, { total: 0, successful: 0 }, null],
])("%j after %j is a change of %s", (now, earlier, text) => {
  expect(formatRateChange(now, earlier)).toBe(text);
});

test.each([
  ["2026-01-15T12:00:00Z", "14 days left"],
  ["2026-01-15T12:00:05Z", "14 days left"],
  ["2026-01-02T11:00:00Z", "1 day left"],
  ["2026-01-01T11:00:00Z", "0 days left"],
])("until %s there are %s", (end, text) => {
  expect(daysLeft(end, Date.parse("2026-01-01T12:00:00Z"))).toBe(text);
});

test.each([
  [0, 0, null],
  [1, 0, ["0.0%", "100.0%"]],
  [3, 2, ["66.7%", "33.3%"]],
  // Rounded separately, they would be 12.3 and 87.8.
  [800, 98, ["12.3%", "87.7%"]],
  [10_000, 10_000, ["100.0%", "0.0%"]],
])("of %d, %d successful", (total, successful, expected) => {
  const rates = ratesOf({ total_verifications: total, successful_verifications: successful });
  expect(rates && [rates.success, rates.failure]).toStrictEqual(expected);
});

test.each([
  [0, "fine"],
  [799, "fine"],
  [800, "low"],
  [949, "low"],
  [950, "critical"],
  [999, "critical"],
  [1_000, "empty"],
])("with %d of 1,000 used a quota is %s", (used, level) => {
  expect(levelOf({ limit: 1_000, used, remaining: 1_000 - used })).toBe(level);
});

test("a quota runs out at the pace of its use so far", () => {
  const start = 1_000;
  const [now, end] = [4, 5].map((days) => start + days * 86_400_000) as [number, number];
  expect(runsOutAt({ limit: 1_000, used: 800, remaining: 200 }, start, now)).toBe(end);
  expect(runsOutAt({ limit: 1_000, used: 800, remaining: 200 }, start, start + 86_399_999)).toBeNull();
  expect(runsOutAt({ limit: 1_000, used: 0, remaining: 1_000 }, start, now)).toBeNull();
  expect(runsOutAt({ limit: null, used: 5, remaining: null }, start, now)).toBeNull();
});

import { expect, test } from "vitest";
import type { Subscription } from "../../contract/subscriptions.ts";
import {
  daysLeft,
  formatChange,
  formatFailureChange,
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
  [8, 20, "Down 60.0%"],
  [20, 20, "No change"],
  [7, 0, null],
])("%d after %d is a change of %s", (count, earlier, text) => {
  expect(formatChange(count, earlier)).toBe(text);
});

test.each([
  [{ total: 8, successful: 5 }, { total: 20, successful: 20 }, "Down 37.5 pts, worse"],
  [{ total: 8, successful: 4 }, { total: 2, successful: 1 }, "No change"],
  [{ total: 8, successful: 4 }, { total: 0, successful: 0 }, null],
])("%j after %j is a change of %s", (now, earlier, text) => {
  expect(formatRateChange(now, earlier)).toBe(text);
});

test.each([
  // Of as many as before, of twice as many, and of half as many.
  [{ total: 100, successful: 85 }, "Up 50.0%, worse"],
  [{ total: 200, successful: 185 }, "Up 50.0%"],
  [{ total: 100, successful: 95 }, "Down 50.0%, better"],
  [{ total: 40, successful: 32 }, "Down 20.0%"],
  [{ total: 100, successful: 90 }, "No change"],
])("after 10 failures of 100, those of %j are said to be %s", (now, text) => {
  expect(formatFailureChange(now, { total: 100, successful: 90 })).toBe(text);
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

const START = Date.parse("2026-01-01T00:00:00Z");
const FOURTH_DAY = Date.parse("2026-01-05T00:00:00Z");
const TRIAL = { started_at: "2026-01-01T00:00:00Z", expires_at: "2026-01-15T00:00:00Z" } as Subscription;

test.each([
  // A quarter is left after four days.
  [{ limit: 1_000, used: 800, remaining: 200 }, FOURTH_DAY, Date.parse("2026-01-06T00:00:00Z")],
  [{ limit: 1_000, used: 1_000, remaining: 0 }, FOURTH_DAY, FOURTH_DAY],
  // At 50 a day, ten days are left of the trial and sixteen of the quota.
  [{ limit: 1_000, used: 200, remaining: 800 }, FOURTH_DAY, Infinity],
  [{ limit: 1_000, used: 800, remaining: 200 }, START + 86_399_999, null],
  [{ limit: 1_000, used: 0, remaining: 1_000 }, FOURTH_DAY, null],
  [{ limit: null, used: 5, remaining: null }, FOURTH_DAY, null],
])("at its pace, the quota %j runs out in time, or not at all", (quota, now, end) => {
  expect(runsOutAt({ ...TRIAL, quota }, now)).toBe(end);
});

import { expect, test } from "vitest";
import { daysShown, dayText, share, totalOf } from "./words.ts";

test.each([
  [57, 100, "57%"],
  [1, 3, "33.33%"],
  [99_999, 100_000, "99.99%"],
  [100_000, 100_000, "100%"],
  [0, 5, "0%"],
])("%d of %d is %s: a failure is never rounded away", (successful, checks, text) => {
  expect(share({ successful, checks })).toBe(text);
});

test("a day without checks is not a failure", () => {
  expect(dayText({ date: "2026-01-02", checks: 0, successful: 0 })).toBe("not measured");
  expect(dayText({ date: "2026-01-02", checks: 288, successful: 287 })).toBe("1 of 288 checks failed");
});

test("days without checks are excluded from the total", () => {
  const days = [
    { date: "2026-01-01", checks: 0, successful: 0 },
    { date: "2026-01-02", checks: 4, successful: 3 },
  ];
  expect(totalOf(days)).toStrictEqual({ since: "2026-01-02", checks: 4, successful: 3 });
  expect(totalOf(days.slice(0, 1))).toBeNull();
});

test.each([
  ["a week before any check", [null, null], 7],
  ["a week in the first days", [88, 89], 7],
  ["since the oldest part's first check", [40, 60], 50],
  ["all when all were measured", [0, 0], 90],
])("the days shown are %s", (_, firsts, shown) => {
  const daysFrom = (first: number | null) =>
    Array.from({ length: 90 }, (__, day) => ({
      date: "",
      checks: first !== null && day >= first ? 1 : 0,
      successful: 0,
    }));
  expect(daysShown([...firsts.map((first) => ({ days: daysFrom(first) })), { days: null }])).toBe(shown);
});

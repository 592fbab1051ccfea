import { expect, test } from "vitest";
import { dayText, share, totalOf } from "./words.ts";

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
  expect(totalOf(days)).toStrictEqual({ measured: 1, checks: 4, successful: 3 });
  expect(totalOf(days.slice(0, 1))).toBeNull();
});

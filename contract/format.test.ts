import { expect, test } from "vitest";
import { formatCount, formatUtcDay, shortDay } from "./format.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1,000"],
  [1_234_567, "1,234,567"],
  [-1_234, "-1,234"],
])("the count %d is %s", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test("a count with its noun", () => {
  expect(formatCount(1, "number")).toBe("1 number");
  expect(formatCount(1_240, "number")).toBe("1,240 numbers");
});

test("days are those in UTC", () => {
  expect(formatUtcDay("2026-11-02")).toBe("Nov 2, 2026");
  expect(formatUtcDay(Date.UTC(2026, 10, 2, 23, 59))).toBe("Nov 2, 2026");
  expect(shortDay("2026-11-02")).toBe("Nov 2");
});

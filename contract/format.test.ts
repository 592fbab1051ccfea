import { afterEach, expect, test, vi } from "vitest";
import { formatCount, formatUtcDay, formatUtcTime, shortDay } from "./format.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1,000"],
  [1_234_567, "1,234,567"],
  [Number.MAX_SAFE_INTEGER, "9,007,199,254,740,991"],
  [-999, "-999"],
  [-123_456, "-123,456"],
])("the count %d is %s", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test("counting loads no Intl", () => {
  const toLocaleString = vi.spyOn(Number.prototype, "toLocaleString");
  expect(formatCount(1_234)).toBe("1,234");
  expect(toLocaleString).not.toHaveBeenCalled();
});

test("a count with its noun", () => {
  expect(formatCount(0, "number")).toBe("0 numbers");
  expect(formatCount(1, "number")).toBe("1 number");
  expect(formatCount(1_240, "number")).toBe("1,240 numbers");
});

test.each(["America/Los_Angeles", "Asia/Tokyo"])("days and times are those in UTC, also in %s", (zone) => {
  vi.stubEnv("TZ", zone);
  expect(formatUtcDay("2026-11-02")).toBe("Nov 2, 2026");
  expect(formatUtcDay(Date.UTC(2026, 10, 2, 23, 59))).toBe("Nov 2, 2026");
  expect(formatUtcTime(Date.UTC(2026, 10, 2, 4, 5))).toBe("Nov 2, 2026, 04:05 UTC");
  expect(shortDay("2026-11-02")).toBe("Nov 2");
});

import { describe, expect, test } from "vitest";
import { lastDays, utcDay } from "../platform/time.ts";
import { monthOverMonth, usageCsv } from "./reports.ts";

describe("month over month", () => {
  test.each([
    [120, 100, 20],
    [1201, 1000, 20.1],
    [50, 100, -50],
    [0, 40, -100],
    [100, 100, 0],
    [2, 3, -33.3],
    [5, 3, 66.7],
    [10_000, 1, 999_900],
    [99_999, 100_000, 0],
  ])("%i after %i is %d per cent", (current, previous, expected) => {
    expect(monthOverMonth(current, previous)).toBe(expected);
  });

  test.each([0, 12])("%i after nothing is no figure", (current) => {
    expect(monthOverMonth(current, 0)).toBeNull();
  });
});

describe("CSV", () => {
  test("has a header, a line a day, and CRLF after each", () => {
    const days = [
      { date: "2025-12-31", total: 12, successful: 10 },
      { date: "2026-01-01", total: 0, successful: 0 },
    ];
    expect(usageCsv({ days })).toBe("date,total,successful,failed\r\n2025-12-31,12,10,2\r\n2026-01-01,0,0,0\r\n");
  });
});

describe("days", () => {
  test("are UTC, at both ends", () => {
    expect(utcDay(Date.UTC(2026, 0, 1))).toBe("2026-01-01");
    expect(utcDay(Date.UTC(2026, 0, 1) - 1)).toBe("2025-12-31");
  });

  test("ascend to today, over leap days and new years", () => {
    expect(lastDays(Date.UTC(2024, 2, 1, 23, 59), 3)).toStrictEqual(["2024-02-28", "2024-02-29", "2024-03-01"]);
    const year = lastDays(Date.UTC(2026, 0, 1), 366);
    expect([year.length, year[0], year[364], year[365]]).toStrictEqual([366, "2025-01-01", "2025-12-31", "2026-01-01"]);
    expect(new Set(year).size).toBe(366);
  });
});

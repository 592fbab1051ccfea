import { expect, test } from "vitest";
import { countryName, formatDate, formatLatency, formatMoment, formatTime, relativeTime } from "./format.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-5 * MINUTE, "just now"],
  [0, "just now"],
  [MINUTE - 1, "just now"],
  [MINUTE, "1 minute ago"],
  [59 * MINUTE, "59 minutes ago"],
  [HOUR, "1 hour ago"],
  [DAY - 1, "23 hours ago"],
  [DAY, "1 day ago"],
  [6 * DAY, "6 days ago"],
  [7 * DAY, "1 week ago"],
  [29 * DAY, "4 weeks ago"],
  [30 * DAY, "1 month ago"],
  [364 * DAY, "12 months ago"],
  [365 * DAY, "1 year ago"],
  [800 * DAY, "2 years ago"],
])("%d ms ago is %s", (past, words) => {
  expect(relativeTime(NOW - past, NOW)).toBe(words);
});

test("times are in the reader's time zone", () => {
  const at = new Date(2026, 0, 5, 4, 7, 59).getTime();
  expect(formatDate(new Date(at).toISOString())).toBe("Jan 5, 2026");
  expect(formatTime(at)).toBe("Jan 5, 2026, 04:07");
  expect(formatMoment(at)).toBe("Jan 5, 04:07");
});

test.each([
  ["BR", "Brazil"],
  ["ZZ", "Unknown"],
  ["AQ", "AQ"],
])("%s is %s", (code, name) => {
  expect(countryName(code)).toBe(name);
});

test("a latency that rounds to nothing isn't shown as none", () => {
  expect([0, 1, 2_002].map(formatLatency)).toStrictEqual(["under 1 ms", "1 ms", "2,002 ms"]);
});

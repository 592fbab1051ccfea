import { expect, test } from "vitest";
import { CRONS } from "../../worker/operations/jobs.ts";
import { isDue } from "./cron.ts";

test.each([
  ["* * * * *", "2026-01-31T12:34:56Z", true],
  ["7 * * * *", "2026-01-31T12:07:00Z", true],
  ["7 * * * *", "2026-01-31T12:08:00Z", false],
  ["17 * * * *", "2026-01-31T03:17:59Z", true],
  ["17 3 * * *", "2026-01-31T03:17:59Z", true],
  ["17 3 * * *", "2026-01-31T04:17:00Z", false],
  ["*/5 * * * *", "2026-01-31T12:35:01Z", true],
  ["*/5 * * * *", "2026-01-31T12:36:00Z", false],
  ["0 0 1 2 *", "2026-02-01T00:00:00Z", true],
  ["0 0 1 2 *", "2026-01-01T00:00:00Z", false],
])("%s at %s: %s", (cron, time, due) => {
  expect(isDue(cron, new Date(time))).toBe(due);
});

test("supports every schedule of the worker, and throws for others", () => {
  for (const cron of Object.keys(CRONS)) expect(() => isDue(cron, new Date())).not.toThrow();
  expect(() => isDue("1-5 * * * *", new Date())).toThrow("does not support");
});

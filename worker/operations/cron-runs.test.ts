import { expect, test } from "vitest";
import { jobState, scheduleOf } from "./cron-runs.ts";
import type { CronRun } from "./cron-runs.ts";
import type { JobName } from "./jobs.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-01-01T00:00:00Z");

/** A job that has run every minute since the start. */
function runOf(job: JobName, now: number): CronRun {
  return { job, firstStartedAt: START, startedAt: now, durationMs: 1, succeededAt: now, failedAt: null };
}

test.each([
  [4, "never", "never", "on_time"],
  [6, "late", "never", "late"],
  [119, "late", "never", "late"],
  [121, "late", "late", "late"],
] as const)(
  "%d minutes after the first run of any, jobs that never ran: %s, %s",
  (minutes, often, hourly, schedule) => {
    const now = START + minutes * MINUTE;
    const runs = [runOf("status_checks", now)];
    expect(jobState("kv_sync", runs, now)).toBe(often);
    expect(jobState("clean_up", runs, now)).toBe(hourly);
    expect(jobState("status_checks", runs, now)).toBe("on_time");
    expect(scheduleOf(runs, now).state).toBe(schedule);
  },
);

test("nothing is late before the first run", () => {
  expect(jobState("clean_up", [], START)).toBe("never");
  expect(scheduleOf([], START)).toStrictEqual({ state: "unknown", last_run_at: null });
});

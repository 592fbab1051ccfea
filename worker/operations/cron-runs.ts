import { cronRuns } from "../../schema.ts";
import type { Status } from "../../contract/status.ts";
import type { Database } from "../platform/db.ts";
import { JOB_LATE_AFTER_MS, JOB_NAMES } from "./jobs.ts";
import type { JobName } from "./jobs.ts";

/** The first and the last run of a job. Times are milliseconds since the Unix epoch. */
export type CronRun = typeof cronRuns.$inferSelect;

export interface Run {
  readonly job: JobName;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly ok: boolean;
}

/** Records that a job has run. @throws whatever D1 throws */
export async function recordRun(db: Database, { job, startedAt, durationMs, ok }: Run): Promise<void> {
  const outcome = ok ? { succeededAt: startedAt } : { failedAt: startedAt };
  const run = { startedAt, durationMs, ...outcome };
  await db
    .insert(cronRuns)
    .values({ job, firstStartedAt: startedAt, ...run })
    .onConflictDoUpdate({ target: cronRuns.job, set: run });
}

export async function readRuns(db: Database): Promise<CronRun[]> {
  return db.select().from(cronRuns);
}

/** A job's state: `never` has not run on this database yet, and is not late either. */
export type JobState = "on_time" | "failed" | "late" | "never";

/**
 * A job that has never run is due from the first run of any.
 * @param runs of all jobs
 * @param now milliseconds since the Unix epoch
 */
export function jobState(job: JobName, runs: readonly CronRun[], now: number): JobState {
  const run = runs.find((other) => other.job === job);
  const since = run?.startedAt ?? Math.min(...runs.map(({ firstStartedAt }) => firstStartedAt));
  if (since < now - JOB_LATE_AFTER_MS[job]) return "late";
  if (run === undefined) return "never";
  return (run.failedAt ?? 0) > (run.succeededAt ?? 0) ? "failed" : "on_time";
}

/** The public part of the jobs' state: whether they run. */
export function scheduleOf(runs: readonly CronRun[], now: number): Status["schedule"] {
  const last = Math.max(...runs.map(({ startedAt }) => startedAt));
  if (!Number.isFinite(last)) return { state: "unknown", last_run_at: null };
  const isLate = JOB_NAMES.some((job) => jobState(job, runs, now) === "late");
  return { state: isLate ? "late" : "on_time", last_run_at: new Date(last).toISOString() };
}

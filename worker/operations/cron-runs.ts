import { cronRuns } from "../../schema.ts";
import type { Status } from "../../contract/status.ts";
import type { Database } from "../db.ts";
import { JOB_LATE_AFTER_MS, JOB_NAMES } from "./jobs.ts";
import type { JobName } from "./jobs.ts";

/** The last run of a job. Times are milliseconds since the Unix epoch. */
export type CronRun = typeof cronRuns.$inferSelect;

export interface Run {
  readonly job: JobName;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly ok: boolean;
}

/** Notes that a job has run. @throws whatever D1 throws */
export async function recordRun(db: Database, { job, startedAt, durationMs, ok }: Run): Promise<void> {
  const outcome = ok ? { succeededAt: startedAt } : { failedAt: startedAt };
  const run = { startedAt, durationMs, ...outcome };
  await db
    .insert(cronRuns)
    .values({ job, ...run })
    .onConflictDoUpdate({ target: cronRuns.job, set: run });
}

export async function readRuns(db: Database): Promise<CronRun[]> {
  return db.select().from(cronRuns);
}

/** How a job is doing: `never` has not run on this database yet. */
export type JobState = "on_time" | "failed" | "late" | "never";

/** @param now milliseconds since the Unix epoch */
export function jobState(job: JobName, run: CronRun | undefined, now: number): JobState {
  if (run === undefined) return "never";
  if (run.startedAt < now - JOB_LATE_AFTER_MS[job]) return "late";
  return (run.failedAt ?? 0) > (run.succeededAt ?? 0) ? "failed" : "on_time";
}

/** What everybody may know of the jobs: whether they run. A job that has never run is not due yet, unless none has. */
export function scheduleOf(runs: readonly CronRun[], now: number): Status["schedule"] {
  const last = Math.max(...runs.map(({ startedAt }) => startedAt));
  if (!Number.isFinite(last)) return { state: "unknown", last_run_at: null };
  const isLate = JOB_NAMES.some((job) => {
    const run = runs.find((other) => other.job === job);
    return jobState(job, run, now) === "late";
  });
  return { state: isLate ? "late" : "on_time", last_run_at: new Date(last).toISOString() };
}

import { count, min } from "drizzle-orm";
import { COMPONENTS } from "../../contract/checks.ts";
import type { ComponentState } from "../../contract/status.ts";
import { apiKeys, deadLetters, erasedKeys } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { isUnsynced } from "../key-cache/find-keys.ts";
import { readRuns } from "./history.ts";
import { stateOf } from "./read-status.ts";
import { isoOrNull, utcDay } from "../platform/time.ts";
import { readCapacities } from "../operations/capacity.ts";
import type { CapacityHealth } from "../operations/capacity.ts";
import { COUNTERS, readCounts } from "../operations/counters.ts";
import type { Counter } from "../operations/counters.ts";
import { jobState, readRuns as readJobRuns } from "../operations/cron-runs.ts";
import type { JobState } from "../operations/cron-runs.ts";
import { JOB_NAMES } from "../operations/jobs.ts";

/** How many days of counts an operator's overview shows, today included. */
const COUNTED_DAYS = 7;

/** Rows waiting for a person or a job. */
interface Waiting {
  readonly count: number;
  readonly oldest_at: string | null;
}

/** An operator's overview. Times are ISO 8601, UTC. */
export interface OperationsHealth {
  readonly checks: readonly {
    readonly component: string;
    readonly state: ComponentState;
    readonly measured_at: string | null;
    readonly latency_ms: number | null;
    readonly p95_ms: number | null;
    /** Today's. */
    readonly checks: number;
    readonly failed: number;
  }[];
  readonly jobs: readonly {
    readonly job: string;
    readonly state: JobState;
    readonly last_run_at: string | null;
    readonly duration_ms: number | null;
    readonly last_failed_at: string | null;
  }[];
  readonly waiting: { readonly dead_letters: Waiting; readonly keys_to_sync: Waiting; readonly erased_keys: Waiting };
  /** As last measured; empty before the first run of the checks. */
  readonly capacities: readonly CapacityHealth[];
  readonly counts: readonly {
    readonly counter: Counter;
    readonly text: string;
    readonly today: number;
    readonly last_7_days: number;
  }[];
}

async function readChecks(db: Database, now: number): Promise<OperationsHealth["checks"]> {
  const runs = await readRuns(db, now);
  return COMPONENTS.map((component) => {
    const own = runs.filter((run) => run.component === component);
    const last = own.at(-1);
    const today = own.filter(({ startedAt }) => utcDay(startedAt) === utcDay(now));
    const sum = (of: typeof own) => of.reduce((total, { checks }) => total + checks, 0);
    return {
      component,
      state: stateOf(last, now, 0),
      measured_at: isoOrNull(last?.lastAt),
      latency_ms: last?.latencyMs ?? null,
      p95_ms: last?.p95Ms ?? null,
      checks: sum(today),
      failed: sum(today.filter(({ successful }) => !successful)),
    };
  });
}

async function readJobs(db: Database, now: number): Promise<OperationsHealth["jobs"]> {
  const runs = await readJobRuns(db);
  return JOB_NAMES.map((job) => {
    const run = runs.find((other) => other.job === job);
    return {
      job,
      state: jobState(job, runs, now),
      last_run_at: isoOrNull(run?.startedAt),
      duration_ms: run?.durationMs ?? null,
      last_failed_at: isoOrNull(run?.failedAt),
    };
  });
}

async function readWaiting(db: Database): Promise<OperationsHealth["waiting"]> {
  const [messages, keys, erased] = await Promise.all([
    db
      .select({ count: count(), oldest: min(deadLetters.receivedAt) })
      .from(deadLetters)
      .get(),
    db
      .select({ count: count(), oldest: min(apiKeys.updatedAt) })
      .from(apiKeys)
      .where(isUnsynced)
      .get(),
    db
      .select({ count: count(), oldest: min(erasedKeys.at) })
      .from(erasedKeys)
      .get(),
  ]);
  const waiting = (row: typeof messages): Waiting => ({ count: row?.count ?? 0, oldest_at: isoOrNull(row?.oldest) });
  return { dead_letters: waiting(messages), keys_to_sync: waiting(keys), erased_keys: waiting(erased) };
}

async function readCounters(db: Database, now: number): Promise<OperationsHealth["counts"]> {
  const rows = await readCounts(db, COUNTED_DAYS, now);
  return (Object.entries(COUNTERS) as [Counter, string][]).map(([counter, text]) => {
    const own = rows.filter((row) => row.counter === counter);
    const today = own.find(({ day }) => day === utcDay(now))?.count ?? 0;
    return { counter, text, today, last_7_days: own.reduce((total, row) => total + row.count, 0) };
  });
}

/**
 * Everything D1 has about how the service is running. Callers' errors and rejections are counted from the log, since no
 * request writes them to the database.
 * @param now milliseconds since the Unix epoch
 * @throws whatever D1 throws
 */
export async function readHealth(db: Database, now: number): Promise<OperationsHealth> {
  const [checks, jobs, waiting, capacities, counts] = await Promise.all([
    readChecks(db, now),
    readJobs(db, now),
    readWaiting(db),
    readCapacities(db),
    readCounters(db, now),
  ]);
  return { checks, jobs, waiting, capacities, counts };
}

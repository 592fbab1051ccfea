import { CHECK_INTERVAL_SECONDS } from "../../contract/checks.ts";
import type { Component } from "../../contract/checks.ts";
import type { Database } from "../platform/db.ts";
import { DAY_MS } from "../platform/time.ts";

/** One measurement of a part. */
export interface Check {
  readonly component: Component;
  /** When it began, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly successful: boolean;
  /** Milliseconds; null when it failed. For verifications, which are many, the median. */
  readonly latencyMs: number | null;
  /** Their 95th percentile. Other parts have none. */
  readonly p95Ms?: number | null | undefined;
}

/** Checks further apart than this have a missing one between them. */
export const SAME_RUN_MS = 1.5 * CHECK_INTERVAL_SECONDS * 1000;

/** Adds each check to its part's last run of the day, if that had the same outcome and none is missing since. */
const INSERT = `
  INSERT INTO status_runs (component, started_at, last_at, successful, checks, latency_ms, p95_ms)
  SELECT e.value ->> 'component',
    coalesce((SELECT max(started_at) FROM status_runs AS run
      WHERE run.component = e.value ->> 'component' AND run.successful = e.value ->> 'successful'
        AND run.started_at >= (e.value ->> 'at') - (e.value ->> 'at') % ${DAY_MS}
        AND run.last_at BETWEEN (e.value ->> 'at') - ${SAME_RUN_MS} AND e.value ->> 'at'), e.value ->> 'at'),
    e.value ->> 'at', e.value ->> 'successful', 1, e.value ->> 'latencyMs', e.value ->> 'p95Ms'
  FROM json_each(?1) AS e
  WHERE true
  ON CONFLICT (component, started_at) DO UPDATE SET checks = checks + 1, last_at = excluded.last_at,
    latency_ms = excluded.latency_ms, p95_ms = excluded.p95_ms
    WHERE excluded.last_at > status_runs.last_at`;

/** Stores checks, one a part; a repeated one counts once. @throws whatever D1 throws */
export async function storeChecks(db: Database, checks: readonly Check[]): Promise<void> {
  await db.$client.prepare(INSERT).bind(JSON.stringify(checks)).run();
}

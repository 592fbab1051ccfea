import type { Component } from "../../contract/checks.ts";
import type { Database } from "../platform/db.ts";
import { DAY_MS, utcDay } from "../platform/time.ts";

/** One measurement of a part. */
export interface Check {
  readonly component: Component;
  /**
   * When it began, in milliseconds since the Unix epoch. Identifies the check together with the component: the same one
   * is stored once.
   */
  readonly at: number;
  readonly successful: boolean;
  /** Milliseconds; null when it failed. For verifications, which are many, the median. */
  readonly latencyMs: number | null;
  /** Their 95th percentile. Other parts have none. */
  readonly p95Ms?: number | null | undefined;
}

/**
 * Rows are never overwritten, with one exception: the database's own row is written as part of its check, so a later
 * failure revokes its success.
 */
const INSERT = `
  INSERT INTO status_checks (component, at, successful, latency_ms, p95_ms)
  SELECT e.value ->> 'component', e.value ->> 'at', e.value ->> 'successful', e.value ->> 'latencyMs', e.value ->> 'p95Ms'
  FROM json_each(?1) AS e
  WHERE true
  ON CONFLICT (component, at) DO UPDATE SET successful = 0, latency_ms = NULL
    WHERE component = 'database' AND excluded.successful = 0`;

/** Recomputed from the checks, so adding up a day is idempotent. */
const ADD_UP = `
  INSERT INTO status_days (component, day, checks, successful)
  SELECT component, ?1, count(*), sum(successful) FROM status_checks
  WHERE component IN ('verification', 'database', 'key_store', 'queue') AND at >= ?2 AND at < ?3
  GROUP BY component
  ON CONFLICT (component, day) DO UPDATE SET checks = excluded.checks, successful = excluded.successful`;

/** Stores one check; its day is added up with the next ones. @throws whatever D1 throws */
export async function storeCheck(db: Database, check: Check): Promise<void> {
  await db.$client
    .prepare(INSERT)
    .bind(JSON.stringify([check]))
    .run();
}

/**
 * Stores checks and adds up their days.
 * @throws whatever D1 throws; then nothing is stored
 */
export async function storeChecks(db: Database, checks: readonly Check[]): Promise<void> {
  const d1 = db.$client;
  const days = [...new Set(checks.map(({ at }) => utcDay(at)))];
  await d1.batch([
    d1.prepare(INSERT).bind(JSON.stringify(checks)),
    ...days.map((day) => {
      const start = Date.parse(day);
      return d1.prepare(ADD_UP).bind(day, start, start + DAY_MS);
    }),
  ]);
}

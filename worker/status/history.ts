import { gte, sql } from "drizzle-orm";
import { CHECK_INTERVAL_SECONDS, COMPONENTS, STATUS_DAYS } from "../../contract/checks.ts";
import type { Component } from "../../contract/checks.ts";
import { statusChecks, statusDays } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { DAY_MS, lastDays, utcDay } from "../platform/time.ts";
import type { Check } from "./checks.ts";

/** Consecutive failed checks of a part. Times are milliseconds since the Unix epoch. */
export interface FailedRun {
  readonly component: Component;
  readonly startedAt: number;
  readonly lastFailedAt: number;
  readonly failedChecks: number;
}

export interface History {
  /** The last check of each part that was ever checked. */
  readonly latest: readonly Check[];
  readonly days: readonly (typeof statusDays.$inferSelect)[];
  readonly incidents: readonly FailedRun[];
}

const MOST_INCIDENTS = 20;

/** Failures further apart than this have a success or a missing check between them. */
export const SAME_RUN_MS = 1.5 * CHECK_INTERVAL_SECONDS * 1000;

const INCIDENTS = `
  SELECT component, min(at) AS startedAt, max(at) AS lastFailedAt, count(*) AS failedChecks
  FROM (
    SELECT component, at, sum(begins) OVER (PARTITION BY component ORDER BY at) AS run
    FROM (
      SELECT component, at, at - lag(at, 1, 0) OVER (PARTITION BY component ORDER BY at) > ?2 AS begins
      FROM status_checks WHERE successful = 0 AND at >= ?1
    )
  )
  GROUP BY component, run
  ORDER BY startedAt DESC, component
  LIMIT ${MOST_INCIDENTS}`;

/** The last check of each part: one primary key seek each. */
async function readLatest(db: Database): Promise<Check[]> {
  const times = sql.join(
    COMPONENTS.map((id) => sql`(${id}, (select max(at) from status_checks where component = ${id}))`),
    sql`, `,
  );
  return db
    .select()
    .from(statusChecks)
    .where(sql`(${statusChecks.component}, ${statusChecks.at}) in (values ${times})`);
}

/**
 * The checks of the last ninety days, for the status page.
 * @throws whatever D1 throws
 */
export async function readHistory(db: Database, now: number): Promise<History> {
  const [first = ""] = lastDays(now, STATUS_DAYS);
  const [latest, days, incidents] = await Promise.all([
    readLatest(db),
    db.select().from(statusDays).where(gte(statusDays.day, first)),
    db.$client.prepare(INCIDENTS).bind(Date.parse(first), SAME_RUN_MS).all<FailedRun>(),
  ]);
  return { latest, days, incidents: incidents.results };
}

/** Deletes checks older than the displayed history. */
export async function purgeChecks(db: Database, now: number): Promise<number> {
  const before = now - (STATUS_DAYS + 1) * DAY_MS;
  const ids = sql.join(
    COMPONENTS.map((id) => sql`${id}`),
    sql`, `,
  );
  const [{ meta }] = await db.batch([
    db.delete(statusChecks).where(sql`${statusChecks.component} in (${ids}) and ${statusChecks.at} < ${before}`),
    db.delete(statusDays).where(sql`${statusDays.day} < ${utcDay(before)}`),
  ]);
  return meta.changes;
}

import { asc, gte, lt } from "drizzle-orm";
import { STATUS_DAYS } from "../../contract/checks.ts";
import type { Component } from "../../contract/checks.ts";
import { statusRuns } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { DAY_MS, lastDays } from "../platform/time.ts";
import { SAME_RUN_MS } from "./checks.ts";

/** Consecutive checks of a part on a day with the same outcome. Times are milliseconds since the Unix epoch. */
export type StatusRun = typeof statusRuns.$inferSelect;

/** Consecutive failed checks of a part, also over midnight. */
export interface FailedRun {
  readonly component: Component;
  readonly startedAt: number;
  lastFailedAt: number;
  failedChecks: number;
}

const MOST_INCIDENTS = 20;

/** The runs of the last ninety days, oldest first: a few a day. @throws whatever D1 throws */
export async function readRuns(db: Database, now: number): Promise<StatusRun[]> {
  const [first = ""] = lastDays(now, STATUS_DAYS);
  return db
    .select()
    .from(statusRuns)
    .where(gte(statusRuns.startedAt, Date.parse(first)))
    .orderBy(asc(statusRuns.startedAt));
}

/** What failed, newest first. @param runs oldest first */
export function incidentsOf(runs: readonly StatusRun[]): FailedRun[] {
  const incidents: FailedRun[] = [];
  for (const { component, startedAt, lastAt, checks } of runs.filter(({ successful }) => !successful)) {
    const before = incidents.findLast((incident) => incident.component === component);
    if (before !== undefined && startedAt - before.lastFailedAt <= SAME_RUN_MS) {
      before.lastFailedAt = lastAt;
      before.failedChecks += checks;
    } else incidents.push({ component, startedAt, lastFailedAt: lastAt, failedChecks: checks });
  }
  return incidents.toReversed().slice(0, MOST_INCIDENTS);
}

/** Deletes runs older than the displayed history. */
export async function purgeRuns(db: Database, now: number): Promise<number> {
  const { meta } = await db.delete(statusRuns).where(lt(statusRuns.startedAt, now - (STATUS_DAYS + 1) * DAY_MS));
  return meta.changes;
}

import {
  CHECK_INTERVAL_SECONDS,
  COMPONENTS,
  CURRENT_SECONDS,
  STATUS_DAYS,
  WARMING_UP_MINUTES,
} from "../../contract/checks.ts";
import type { Component } from "../../contract/checks.ts";
import type { ComponentState, ComponentStatus, Status } from "../../contract/status.ts";
import type { Database } from "../platform/db.ts";
import { sleep, within } from "../platform/time-limit.ts";
import { failureText, logLine } from "../platform/log.ts";
import { capacityOf, readCapacities } from "../operations/capacity.ts";
import { readRuns as readJobRuns, scheduleOf } from "../operations/cron-runs.ts";
import { lastDays, MINUTE_MS, utcDay } from "../platform/time.ts";
import { incidentsOf, readRuns } from "./history.ts";
import type { StatusRun } from "./history.ts";

const D1_TIMEOUT_MS = 2_000;

/** How long this isolate and browsers may reuse a response. */
export const STATUS_MAX_AGE_SECONDS = 5;

/** A part's last run, whose last check is its current state. */
type LastRun = Pick<StatusRun, "lastAt" | "successful" | "latencyMs" | "p95Ms">;

const isoTime = (at: number) => new Date(at).toISOString();

/** A part's current state according to its last check; what was never measured is warming up after a deployment. */
export function stateOf(check: LastRun | undefined, now: number, deployedAt: number): ComponentState {
  if (check === undefined && now < deployedAt + WARMING_UP_MINUTES * MINUTE_MS) return "warming_up";
  if (check === undefined || check.lastAt < now - CURRENT_SECONDS * 1000) return "unknown";
  return check.successful ? "working" : "failing";
}

/** Times in milliseconds since the Unix epoch. */
interface Times {
  readonly now: number;
  readonly deployedAt: number;
}

function componentStatus(id: Component, check: LastRun | undefined, at: Times): Omit<ComponentStatus, "days"> {
  return {
    id,
    state: stateOf(check, at.now, at.deployedAt),
    measured_at: check === undefined ? null : isoTime(check.lastAt),
    latency_ms: check?.latencyMs ?? null,
    p95_ms: check?.p95Ms ?? null,
  };
}

function daysOf(id: Component, runs: readonly StatusRun[], now: number): NonNullable<ComponentStatus["days"]> {
  const own = runs.filter(({ component }) => component === id);
  const byDay = Map.groupBy(own, ({ startedAt }) => utcDay(startedAt));
  const sum = (of: readonly StatusRun[]) => of.reduce((total, { checks }) => total + checks, 0);
  return lastDays(now, STATUS_DAYS).map((date) => {
    const day = byDay.get(date) ?? [];
    return { date, checks: sum(day), successful: sum(day.filter(({ successful }) => successful)) };
  });
}

function statusOf(
  components: ComponentStatus[],
  rest: Pick<Status, "incidents" | "schedule" | "capacity">,
  now: number,
): Status {
  const has = (state: ComponentState) => components.some((component) => component.state === state);
  return {
    state: (["failing", "unknown", "warming_up"] as const).find(has) ?? "working",
    answered_at: isoTime(now),
    check_interval_seconds: CHECK_INTERVAL_SECONDS,
    components,
    ...rest,
  };
}

/** The jobs' state when their runs can't be recorded or read. */
const UNKNOWN_SCHEDULE: Status["schedule"] = { state: "unknown", last_run_at: null };
const UNKNOWN_CAPACITY: Status["capacity"] = { state: "unknown", nearly_full: [] };

async function statusOfDatabase(db: Database, at: Times): Promise<Status> {
  const { now } = at;
  const [runs, jobs, capacities] = await Promise.all([readRuns(db, now), readJobRuns(db), readCapacities(db)]);
  const latest = (id: Component) => runs.findLast(({ component }) => component === id);
  const components = COMPONENTS.map((id) => {
    return { ...componentStatus(id, latest(id), at), days: daysOf(id, runs, now) };
  });
  const incidents = incidentsOf(runs).map(({ component, startedAt, lastFailedAt, failedChecks }) => ({
    component,
    started_at: isoTime(startedAt),
    last_failed_at: isoTime(lastFailedAt),
    failed_checks: failedChecks,
    ongoing: latest(component)?.lastAt === lastFailedAt,
  }));
  return statusOf(
    components,
    { incidents, schedule: scheduleOf(jobs, now), capacity: capacityOf(capacities, now) },
    now,
  );
}

/** The status without D1: that it doesn't respond, and nothing else. */
function statusWithoutDatabase(now: number): Status {
  const failed = { startedAt: now, lastAt: now, successful: false, latencyMs: null, p95Ms: null };
  const components = COMPONENTS.map((id) => {
    const run = id === "database" ? failed : undefined;
    return { ...componentStatus(id, run, { now, deployedAt: 0 }), days: null };
  });
  return statusOf(components, { incidents: null, schedule: UNKNOWN_SCHEDULE, capacity: UNKNOWN_CAPACITY }, now);
}

interface StatusSources extends Times {
  readonly db: Database;
}

/**
 * The service's status, from its checks. If D1 does not respond within two seconds, reports that. Never rejects because a
 * part is down.
 */
export type StatusReader = (io: StatusSources) => Promise<Status>;

/** Reads the status at most once every five seconds. */
export function createStatusReader(): StatusReader {
  let last: { readonly at: number; readonly status: Status } | null = null;
  return async function readStatus({ db, ...at }) {
    const { now } = at;
    if (last !== null && Math.abs(now - last.at) < STATUS_MAX_AGE_SECONDS * 1000) return last.status;
    const status = await within(statusOfDatabase(db, at), D1_TIMEOUT_MS, sleep).catch((error: unknown) => {
      logLine("warn", "status_without_database", { message: failureText(error) });
      return statusWithoutDatabase(now);
    });
    last = { at: now, status };
    return status;
  };
}

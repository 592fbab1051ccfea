import type { KVNamespace } from "@cloudflare/workers-types";
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
import { readRuns, scheduleOf } from "../operations/cron-runs.ts";
import { lastDays, MINUTE_MS } from "../platform/time.ts";
import type { Check } from "./checks.ts";
import { readHistory } from "./history.ts";
import type { History } from "./history.ts";
import { readSnapshot } from "./snapshot.ts";
import { withWaiting } from "./waiting.ts";

const D1_TIMEOUT_MS = 2_000;
const KV_TIMEOUT_MS = 1_000;

/** How long this isolate and browsers may reuse a response. */
export const STATUS_MAX_AGE_SECONDS = 5;

const isoTime = (at: number) => new Date(at).toISOString();

/** A part's current state according to its last check; what was never measured is warming up after a deployment. */
export function stateOf(check: Check | undefined, now: number, deployedAt: number): ComponentState {
  if (check === undefined && now < deployedAt + WARMING_UP_MINUTES * MINUTE_MS) return "warming_up";
  if (check === undefined || check.at < now - CURRENT_SECONDS * 1000) return "unknown";
  return check.successful ? "working" : "failing";
}

/** Times in milliseconds since the Unix epoch. */
interface Times {
  readonly now: number;
  readonly deployedAt: number;
}

function componentStatus(id: Component, check: Check | undefined, at: Times): Omit<ComponentStatus, "days"> {
  return {
    id,
    state: stateOf(check, at.now, at.deployedAt),
    measured_at: check === undefined ? null : isoTime(check.at),
    latency_ms: check?.latencyMs ?? null,
    p95_ms: check?.p95Ms ?? null,
  };
}

function daysOf(id: Component, { days }: History, now: number): NonNullable<ComponentStatus["days"]> {
  const known = new Map(days.filter(({ component }) => component === id).map((day) => [day.day, day]));
  return lastDays(now, STATUS_DAYS).map((date) => {
    const { checks = 0, successful = 0 } = known.get(date) ?? {};
    return { date, checks, successful };
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

function readEdge(kv: KVNamespace, name: "latest" | "unwritten"): Promise<readonly Check[]> {
  return within(readSnapshot(kv, name), KV_TIMEOUT_MS, sleep).catch(() => []);
}

/** What D1 has, plus what waits in KV because D1 accepts no writes. */
async function statusOfDatabase(db: Database, kv: KVNamespace, at: Times): Promise<Status> {
  const { now } = at;
  const [stored, runs, capacities, waiting] = await Promise.all([
    readHistory(db, now),
    readRuns(db),
    readCapacities(db),
    readEdge(kv, "unwritten"),
  ]);
  const history = withWaiting(stored, waiting);
  const components = COMPONENTS.map((id) => {
    const latest = history.latest.find(({ component }) => component === id);
    return { ...componentStatus(id, latest, at), days: daysOf(id, history, now) };
  });
  const incidents = history.incidents.map(({ component, startedAt, lastFailedAt, failedChecks }) => ({
    component,
    started_at: isoTime(startedAt),
    last_failed_at: isoTime(lastFailedAt),
    failed_checks: failedChecks,
    ongoing: history.latest.some((check) => check.component === component && check.at === lastFailedAt),
  }));
  const isNoted = components.every(({ id, state }) => id !== "database" || state !== "failing");
  const schedule = isNoted ? scheduleOf(runs, now) : UNKNOWN_SCHEDULE;
  return statusOf(components, { incidents, schedule, capacity: capacityOf(capacities, now) }, now);
}

/** The status without D1: that it doesn't respond, and what the last run left in KV. */
async function statusOfEdge(kv: KVNamespace, now: number): Promise<Status> {
  const latest = await readEdge(kv, "latest");
  const database: Check = { component: "database", at: now, successful: false, latencyMs: null };
  const components = COMPONENTS.map((id) => {
    const found = id === "database" ? database : latest.find(({ component }) => component === id);
    return { ...componentStatus(id, found, { now, deployedAt: 0 }), days: null };
  });
  return statusOf(components, { incidents: null, schedule: UNKNOWN_SCHEDULE, capacity: UNKNOWN_CAPACITY }, now);
}

interface StatusSources extends Times {
  readonly db: Database;
  readonly edge: KVNamespace;
}

/**
 * The service's status, from its checks, including those waiting in KV. If D1 does not respond within two seconds,
 * reports that and what KV has of the last run. Never rejects because a part is down.
 */
export type StatusReader = (io: StatusSources) => Promise<Status>;

/** Reads the status at most once every five seconds. */
export function createStatusReader(): StatusReader {
  let last: { readonly at: number; readonly status: Status } | null = null;
  return async function readStatus({ db, edge, ...at }) {
    const { now } = at;
    if (last !== null && Math.abs(now - last.at) < STATUS_MAX_AGE_SECONDS * 1000) return last.status;
    const status = await within(statusOfDatabase(db, edge, at), D1_TIMEOUT_MS, sleep).catch((error: unknown) => {
      logLine("warn", "status_without_database", { message: failureText(error) });
      return statusOfEdge(edge, now);
    });
    last = { at: now, status };
    return status;
  };
}

import type { OperationsHealth } from "../../worker/status/health.ts";
import { formatColumns, formatTime } from "./format.ts";

const time = (iso: string | null, otherwise: string) => (iso === null ? otherwise : formatTime(iso));
const STATES = { on_time: "on time", failed: "FAILED", late: "LATE", never: "has not run yet" } as const;

function formatChecks({ checks }: OperationsHealth): string {
  const rows = checks.map(({ component, state, measured_at: at, latency_ms: latency, checks: made, failed }) => [
    component,
    state === "working" ? state : state.toUpperCase(),
    at === null ? "never measured" : `measured ${formatTime(at)}`,
    latency === null ? "" : `${latency} ms`,
    `today ${failed} of ${made} failed`,
  ]);
  return `Checks\n${formatColumns(rows, "  ")}`;
}

function formatJobs({ jobs }: OperationsHealth): string {
  const rows = jobs.map(({ job, state, last_run_at: run, duration_ms: took, last_failed_at: failed }) => [
    job,
    STATES[state],
    run === null ? "" : `last run ${formatTime(run)}, ${took} ms`,
    failed === null ? "" : `last failure ${formatTime(failed)}`,
  ]);
  return `Scheduled jobs\n${formatColumns(rows, "  ")}`;
}

function formatWaiting({ waiting }: OperationsHealth): string {
  const { dead_letters: letters, keys_not_in_kv: keys } = waiting;
  const rows = [
    ["dead letters", String(letters.count), time(letters.oldest_at, "")],
    ["keys not in KV", String(keys.count), time(keys.oldest_at, "")],
  ];
  return `Waiting, and since when\n${formatColumns(rows, "  ")}`;
}

const megabytes = (bytes: number) =>
  `${(bytes / 1e6).toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;

function formatStorage({ storage }: OperationsHealth): string {
  const size = `${megabytes(storage.size_bytes)} of ${megabytes(storage.limit_bytes)}`;
  const rows = [["size", size, storage.nearly_full ? "NEARLY FULL" : ""]];
  return `Database\n${formatColumns(rows, "  ")}`;
}

function formatCounts({ counts }: OperationsHealth): string {
  const rows = [
    ["", "today", "7 days", ""],
    ...counts.map(({ counter, text, today, last_7_days: week }) => [counter, String(today), String(week), text]),
  ];
  return `Counts, by days in UTC\n${formatColumns(rows, "  ")}`;
}

/** How the service is running, for an operator's eyes. What needs looking at is in capitals. */
export function formatHealth(health: OperationsHealth): string {
  const parts = [formatChecks, formatJobs, formatWaiting, formatStorage, formatCounts];
  return parts.map((format) => format(health)).join("\n");
}

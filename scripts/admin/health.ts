import type { OperationsHealth } from "../../worker/status/health.ts";
import type { RegisterEnd } from "../data/registers/ending.ts";
import { formatColumns, formatTime } from "./format.ts";

/** An operator's overview, with when this checkout's registers of numbers end. */
export interface AdminHealth extends OperationsHealth {
  readonly registers: readonly RegisterEnd[];
}

/** A word in capitals: something needs an operator. */
const alarm = (word: string) => word.toUpperCase();

const time = (iso: string | null, otherwise: string) => (iso === null ? otherwise : formatTime(iso));

function formatChecks({ checks }: AdminHealth): string {
  const rows = checks.map(
    ({ component, state, measured_at: at, latency_ms: latency, p95_ms: p95, checks: made, failed }) => [
      component,
      state === "working" ? state : alarm(state),
      at === null ? "never measured; first within 5 minutes of a deployment" : `measured ${formatTime(at)}`,
      latency === null ? "" : `${latency} ms${p95 === null ? "" : `, p95 ${p95} ms`}`,
      `today ${failed} of ${made} failed`,
    ],
  );
  return `Checks\n${formatColumns(rows, "  ")}`;
}

function formatJobs({ jobs }: AdminHealth): string {
  const rows = jobs.map(({ job, state, last_run_at: run, duration_ms: took, last_failed_at: failed }) => [
    job,
    { on_time: () => "on time", never: () => "has not run yet", failed: alarm, late: alarm }[state](state),
    run === null ? "first within an hour of a deployment" : `last run ${formatTime(run)}, ${took} ms`,
    failed === null ? "" : `last failure ${formatTime(failed)}`,
  ]);
  return `Scheduled jobs\n${formatColumns(rows, "  ")}`;
}

function formatWaiting({ waiting }: AdminHealth): string {
  const { dead_letters: messages, keys_to_sync: keys, erased_keys: erased } = waiting;
  const rows = [
    ["dead letters", String(messages.count), time(messages.oldest_at, "")],
    ["keys to sync to KV", String(keys.count), time(keys.oldest_at, "")],
    ["erased keys to reject", String(erased.count), time(erased.oldest_at, "")],
  ];
  return `Waiting, and since when\n${formatColumns(rows, "  ")}`;
}

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

function formatAmount(name: string, amount: number): string {
  if (name.endsWith("_ms")) return `${(amount / 3_600_000).toLocaleString("en-US", oneDecimal)} h`;
  if (!name.endsWith("_bytes")) return amount.toLocaleString("en-US");
  return `${(amount / 1e6).toLocaleString("en-US", oneDecimal)} MB`;
}

function unitOf(name: string): string {
  if (name.endsWith("_ms")) return "oldest";
  return name.endsWith("_bytes") ? "size" : "today";
}

function formatCapacities({ capacities }: AdminHealth): string {
  if (capacities.length === 0) return "Room\n  not measured yet";
  const rows = capacities.map(({ name, used, most, measured_at, nearly_full }) => [
    name.replace(/_(bytes|age_ms|per_day)$/, "").replaceAll("_", " "),
    unitOf(name),
    `${formatAmount(name, used)} of ${formatAmount(name, most)}`,
    `measured ${formatTime(measured_at)}`,
    nearly_full ? alarm("nearly full") : "",
  ]);
  return `Room\n${formatColumns(rows, "  ")}`;
}

function formatCounts({ counts }: AdminHealth): string {
  const rows = [
    ["", "today", "7 days", ""],
    ...counts.map(({ counter, text, today, last_7_days: week }) => [counter, String(today), String(week), text]),
  ];
  return `Counts, by days in UTC\n${formatColumns(rows, "  ")}`;
}

function formatRegisters({ registers }: AdminHealth): string {
  const rows = registers.map(({ country, text, isWarning }) => [country, isWarning ? alarm("ending") : "", text]);
  return `Registers of numbers in this checkout; /api/v1/health has those of a deployment\n${formatColumns(rows, "  ")}`;
}

/** The service's state, for operators: what needs one is in capitals, and then `isFine` is false. */
export function formatHealth(health: AdminHealth): { readonly text: string; readonly isFine: boolean } {
  const { checks, jobs, capacities, registers } = health;
  const isFine =
    checks.every(({ state }) => state === "working") &&
    jobs.every(({ state }) => state === "on_time" || state === "never") &&
    !capacities.some(({ nearly_full }) => nearly_full) &&
    !registers.some(({ isWarning }) => isWarning);
  const parts = [formatChecks, formatJobs, formatWaiting, formatCapacities, formatRegisters, formatCounts];
  return { text: parts.map((format) => format(health)).join("\n"), isFine };
}

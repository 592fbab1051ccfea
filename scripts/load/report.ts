import { ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import { quantile } from "../../bench/results.ts";
import { MEMORY_MINUTES } from "./memory.ts";
import type { MemoryReport } from "./memory.ts";

/** What a caller received. `code` is null for a success. */
export interface Reply {
  readonly status: number;
  readonly code: string | null;
  /** Parsed if it is JSON. */
  readonly body: unknown;
}

/** The limits of a load run. */
export interface LoadLimits {
  readonly minutes: number;
  /** Requests per second. */
  readonly rate: number;
  /** The most concurrent requests. */
  readonly concurrency: number;
}

/** A line logged by the worker or its runtime. */
export interface LogLine {
  /** "error", "warn", "info", … */
  readonly level: string;
  readonly message: string;
}

type Counts = Readonly<Record<string, number>>;

/** A run's findings. */
export interface Findings {
  /** When the run ended, ISO 8601, UTC. */
  readonly at: string;
  readonly limits: LoadLimits;
  readonly seconds: number;
  readonly sent: number;
  /** By kind of traffic; times in milliseconds. */
  readonly kinds: readonly { kind: string; requests: number; p50: number; p95: number; p99: number }[];
  /** Counts of responses by class: "200", "401 INVALID_API_KEY". */
  readonly responses: Counts;
  /** Those that the kind of traffic must not get, or that the contract does not define. */
  readonly unexpected: Counts;
  /** Log lines worth an alert, by event. */
  readonly alarms: Counts;
  /** Null when the heap could not be measured. */
  readonly memory: MemoryReport | null;
  /** Numbers verified. `repeats` are responses to repeated calls, which count once. */
  readonly usage: { answered: number; counted: number; repeats: number; differences: readonly string[] };
}

/** Findings plus the reasons for failure; empty if the run passed. */
export type LoadReport = Findings & { readonly failures: readonly string[] };

/** Without these, neither a quota nor a limit was tested. */
const REQUIRED = ["402 QUOTA_EXCEEDED", "429 RATE_LIMITED"];

/** Warnings that docs/runbook.md considers worth an alert, or that report delayed usage. */
const ALARMING_WARNINGS = ["status_check_failed", "usage_not_recorded", "ledger_not_reached"];

const STATUSES: Counts = Object.fromEntries(
  Object.entries({ ...ERRORS, ...SANDBOX_ERRORS }).map(([code, { status }]) => [code, status]),
);

/** A response as seen by its caller. */
export function readReply(status: number, text: string): Reply {
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // An empty response, or not one of ours.
  }
  const { code = null } = status < 400 ? {} : (body as { code?: string });
  return { status, code, body };
}

/**
 * Whether a response is in the contract and allowed for a call. `expects` has error codes, and "OK" for a success.
 * INTERNAL_ERROR is in the contract, but means an unexpected failure, so no call may get it.
 */
export function isExpected({ status, code }: Reply, expects: readonly string[]): boolean {
  const named = code === null ? status >= 200 && status < 300 : code !== "INTERNAL_ERROR" && STATUSES[code] === status;
  return named && expects.includes(code ?? "OK");
}

function add(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** A run's results so far. */
export class Measurements {
  readonly #times: Record<string, number[]> = {};
  readonly #responses: Record<string, number> = {};
  readonly #unexpected: Record<string, number> = {};
  sent = 0;

  /** Records a response and its latency, in milliseconds. */
  note(kind: string, reply: Reply, { took, expects }: { readonly took: number; readonly expects: readonly string[] }) {
    (this.#times[kind] ??= []).push(took);
    const name = reply.code === null ? String(reply.status) : `${reply.status} ${reply.code}`;
    add(this.#responses, name);
    if (!isExpected(reply, expects)) add(this.#unexpected, `${kind}: ${name}`);
  }

  kinds(): Findings["kinds"] {
    return Object.entries(this.#times)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, times]) => {
        const at = (part: number) => Math.round(quantile(times, part) * 10) / 10;
        return { kind, requests: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
      });
  }

  responses(): Counts {
    return Object.fromEntries(Object.entries(this.#responses).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  unexpected(): Counts {
    return this.#unexpected;
  }
}

/**
 * Counts a log's alarms by event: every error line except request lines, whose responses are judged separately. Lines
 * that are not our JSON are the runtime's, with its level.
 */
export function alarmsIn(lines: readonly LogLine[]): Counts {
  const alarms: Record<string, number> = {};
  for (const { level, message } of lines) {
    const event = /^\{"level":"\w+","event":"(\w+)"/.exec(message)?.[1] ?? "a runtime line";
    if (level === "error" ? event !== "request" : ALARMING_WARNINGS.includes(event)) add(alarms, event);
  }
  return alarms;
}

/** Determines which findings are failures. */
export function judge(findings: Findings): LoadReport {
  const { limits, sent, responses, unexpected, alarms, memory, usage } = findings;
  const lost = sent - Object.values(responses).reduce((sum, count) => sum + count, 0);
  const times = (what: string, counts: Counts) =>
    Object.entries(counts).map(([name, count]) => `${what} ${name}, ${count} times`);
  return {
    ...findings,
    failures: [
      ...(sent === 0 ? ["Nothing was sent."] : []),
      ...(lost > 0 ? [`${lost} requests got no response.`] : []),
      ...(usage.answered === 0 ? ["No response was one that counts."] : []),
      ...REQUIRED.filter((name) => !Object.hasOwn(responses, name)).map((name) => `No response was ${name}.`),
      ...times("Unexpected response:", unexpected),
      ...times("In the log:", alarms),
      ...usage.differences.map((difference) => `Usage: ${difference}`),
      ...(memory === null && limits.minutes >= MEMORY_MINUTES ? ["The heap was not measured."] : []),
      ...(memory?.flat === false ? ["The heap has grown."] : []),
    ],
  };
}

/** The report for people, without the table of kinds. */
export function describeReport({ sent, seconds, responses, memory, usage, failures }: LoadReport): string {
  const verdict = memory?.flat === null ? "too short a run to judge" : memory?.flat ? "flat" : "grown";
  const heap =
    memory === null
      ? "not measured"
      : `${memory.first_third_mb} MB in the first third, ${memory.last_third_mb} MB in the last: ${verdict}`;
  return `${[
    ...Object.entries(responses).map(([name, count]) => `${String(count).padStart(8)}  ${name}`),
    "",
    `Sent    ${sent} requests in ${seconds} s`,
    `Heap    ${heap}; garbage collected ${memory?.collections ?? 0} times, which is in the latencies`,
    `Usage   ${usage.answered} answered, ${usage.counted} counted, ${usage.repeats} repeats left out`,
    "",
    ...(failures.length === 0 ? ["Passed."] : ["Failed:", ...failures.map((failure) => `  ${failure}`)]),
  ].join("\n")}\n`;
}

import type { LoadLimits } from "./arguments.ts";
import type { KindReport } from "./measurements.ts";
import { MEMORY_MINUTES } from "./memory.ts";
import type { MemoryReport } from "./memory.ts";

/** What a run has found. */
export interface Findings {
  /** When the run ended, ISO 8601, UTC. */
  readonly at: string;
  readonly limits: LoadLimits;
  readonly seconds: number;
  readonly requests: number;
  readonly requests_per_second: number;
  readonly kinds: readonly KindReport[];
  /** How many answers of each class there were: "200", "401 INVALID_API_KEY". */
  readonly answers: Readonly<Record<string, number>>;
  /** Those that the kind of traffic must not get, or that the contract does not name. */
  readonly unexpected: Readonly<Record<string, number>>;
  /** Lines of the log that are worth an alert, by event. */
  readonly alarms: Readonly<Record<string, number>>;
  /** Null when the isolate told nothing. */
  readonly memory: MemoryReport | null;
  readonly usage: {
    readonly answered: number;
    readonly counted: number;
    /** Answers to repeated calls, which count once. */
    readonly repeats: number;
    /** Whether days were compared too; not for a run over midnight. */
    readonly by_day: boolean;
    readonly differences: readonly string[];
  };
}

export interface LoadReport extends Findings {
  /** Why the run has failed; empty when it has not. */
  readonly failures: readonly string[];
}

/** A line that the worker, or the runtime about it, has logged. */
export interface LogLine {
  /** "error", "warn", "info", … */
  readonly level: string;
  readonly message: string;
}

/** What the traffic asks for until it gets it: without, neither a quota nor a limit has been tested. */
const REQUIRED_ANSWERS = ["402 QUOTA_EXCEEDED", "429 RATE_LIMITED"];

/** Warnings that docs/runbook.md calls worth an alert, or that tell of usage that is late. */
const ALARMING_WARNINGS = ["status_check_failed", "usage_send_failed"];

/**
 * How many lines of a log are alarms, by event: everything of level error, but for the lines of requests, whose answers are judged by
 * themselves. Lines that are no JSON of ours are the runtime's, of its own level.
 */
export function alarmsIn(lines: readonly LogLine[]): Record<string, number> {
  const alarms: Record<string, number> = {};
  for (const { level, message } of lines) {
    const event = /^\{"level":"\w+","event":"(\w+)"/.exec(message)?.[1] ?? "a line of the runtime";
    const isAlarm = level === "error" ? event !== "request" : ALARMING_WARNINGS.includes(event);
    if (isAlarm) alarms[event] = (alarms[event] ?? 0) + 1;
  }
  return alarms;
}

function told(what: string, counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).map(([name, count]) => `${what} ${name}, ${count} times`);
}

/** Says what of the findings is a failure. */
export function judge(findings: Findings): LoadReport {
  const { limits, requests, answers, unexpected, alarms, memory, usage } = findings;
  const missing = REQUIRED_ANSWERS.filter((name) => !Object.hasOwn(answers, name));
  return {
    ...findings,
    failures: [
      ...(requests === 0 ? ["Nothing was asked."] : []),
      ...(usage.answered === 0 ? ["Nothing was answered that counts."] : []),
      ...missing.map((name) => `Nobody was answered ${name}.`),
      ...told("Unexpected answer:", unexpected),
      ...told("In the log:", alarms),
      ...usage.differences.map((difference) => `Usage: ${difference}`),
      ...(memory === null && limits.minutes >= MEMORY_MINUTES ? ["The heap was not measured."] : []),
      ...(memory?.flat === false ? ["The heap has grown."] : []),
    ],
  };
}

function describeMemory(memory: MemoryReport | null): string {
  if (memory === null) return "the isolate did not tell";
  const { heap_first_third_mb: first, heap_last_third_mb: last, flat } = memory;
  const { process_first_third_mb: processFirst, process_last_third_mb: processLast } = memory;
  const verdict = flat === null ? "too short a run to judge" : flat ? "flat" : "grown";
  const heap = `heap of the isolate ${first} MB in the first third, ${last} MB in the last: ${verdict}`;
  return `${heap}; process ${processFirst} MB, ${processLast} MB; garbage collected ${memory.collections} times for it, which is in the latencies`;
}

/** The report for people, but for the table of kinds. */
export function describeReport(report: LoadReport): string {
  const { requests, seconds, requests_per_second: throughput, answers, memory, usage, failures } = report;
  const lines = [
    `${requests} requests in ${seconds} s, ${throughput} a second`,
    "",
    "Answers",
    ...Object.entries(answers).map(([name, count]) => `  ${String(count).padStart(8)}  ${name}`),
    "",
    `Memory              ${describeMemory(memory)}`,
    `Usage               ${usage.answered} answered, ${usage.counted} counted, ${usage.repeats} repeats left out`,
    "",
    ...(failures.length === 0 ? ["Passed."] : ["Failed:", ...failures.map((failure) => `  ${failure}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

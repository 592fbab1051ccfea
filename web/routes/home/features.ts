import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../../contract/sandbox.ts";
import { COVERED_COUNTRIES, REGION_COUNT } from "../../content/coverage.ts";
import { P95_TARGET_MS, UPTIME_TARGET } from "../../content/promises.ts";

/** One reason to choose Checkline, and lines of the product itself that show it. */
export interface Feature {
  readonly title: string;
  readonly text: string;
  /** Something as the product writes it, and what to say about it. */
  readonly specimen: readonly (readonly [code: string, remark: string])[];
}

const temporary = SANDBOX_FAILURES.find(({ name }) => name === "TEMPORARY_FAILURE")!;
const numbers = new Intl.NumberFormat("en-US");

/** The two that no other API says of itself. */
export const LEADING: readonly Feature[] = [
  {
    title: "It says what it can’t know",
    text: "A plan that cannot tell mobile from fixed gives null, not a guess. No handset is contacted, and no answer pretends that one was.",
    specimen: [
      ['"line_type": null', "+1 does not tell"],
      ['"carrier_source": "original_allocation"', "may be ported"],
      ['"reachability": "not_checked"', "nobody was called"],
    ],
  },
  {
    title: "Numbers are never kept",
    text: "Not in the database, not in a log, not in an error report. What remains of a call is a count: a day, a country, an outcome.",
    specimen: [
      ["POST /api/v1/verify", "the route"],
      ["200 in 3 ms", "the outcome"],
      ["req_mL0bZOMMPsCIw4ASx4v5", "an id, to ask us about"],
    ],
  },
];

export const FURTHER: readonly Feature[] = [
  {
    title: `Average latency under ${P95_TARGET_MS} ms`,
    text: "Our target, and the reason for the design: the number is compared in the memory of the isolate that took the call.",
    specimen: [[`p95 < ${P95_TARGET_MS} ms`, "a target too"]],
  },
  {
    title: `${UPTIME_TARGET} uptime`,
    text: "The service level (SLA) we aim for each month: a target, not a guarantee. Keys in use keep working while the database is away.",
    specimen: [["43 min 12 s", "down in 30 days, at most"]],
  },
  {
    title: "Over 10 countries",
    text: `${COVERED_COUNTRIES.length} that we list below, and the numbering plan of every other: length, range, line type, area and carrier wherever a plan tells them.`,
    specimen: [[numbers.format(REGION_COUNT), "plans in all"]],
  },
  {
    title: "A sandbox that fails on purpose",
    text: `${SANDBOX_SUCCESSES.length} numbers succeed and ${SANDBOX_FAILURES.length} fail, each in its own way, so that your error handling has run before your users run it.`,
    specimen: [[temporary.number, `fails with code ${temporary.code}`]],
  },
];

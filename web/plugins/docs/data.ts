import { COUNTRY_NAMES } from "../../../contract/country-names.ts";
import { DATA_RELEASES, dataReleaseName, REGISTER_RELEASES } from "../../../contract/data.ts";
import { ENDPOINTS } from "../../../contract/endpoints/index.ts";
import { ANY_OPERATION } from "../../../contract/endpoints/endpoint.ts";
import { ERRORS, SANDBOX_ERRORS } from "../../../contract/errors.ts";
import type { ErrorCode } from "../../../contract/errors.ts";
import { formatCount, formatUtcDay } from "../../../contract/format.ts";
import * as limits from "../../../contract/limits.ts";
import { TEST_LIMITS, TRIAL } from "../../../contract/plans.ts";
import { REGISTER_COUNTRIES, REGISTERS } from "../../../contract/registers.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES, SANDBOX_SUCCESS_STATUS } from "../../../contract/sandbox.ts";
import { VerificationResult } from "../../../contract/verification.ts";
import { REGION_COUNT } from "../../content/coverage.ts";
import * as promises from "../../content/promises.ts";
import { RETENTION } from "../../content/retention.ts";
import results from "../../content/results.json" with { type: "json" };
import { BULK_DATABASE, BULK_KEPT_DAYS } from "../../lib/session/kept-check.ts";
import { readCases } from "../cases.ts";
import { ACCURACY } from "./accuracy-tables.ts";

/** An error in the catalog. */
export interface DocError {
  readonly code: string;
  readonly id: string;
  readonly status: number;
  readonly message: string;
  readonly fix: string;
}

/** The anchor of an error's explanation: `error-rate_limited`. */
function errorId(code: string): string {
  return `error-${code.toLowerCase()}`;
}

/** The errors of calls with an API key. */
const OF_VERIFICATION: ReadonlySet<string> = new Set([
  ...ENDPOINTS.filter((endpoint) => endpoint.credential === "key").flatMap((endpoint) => endpoint.errors),
  ...ANY_OPERATION,
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
]);

const SETS: Readonly<Record<string, (code: string) => boolean>> = {
  all: () => true,
  verification: (code) => OF_VERIFICATION.has(code),
  dashboard: (code) => !OF_VERIFICATION.has(code),
};

/** The errors of a set, by status: `all`, `verification` (calls with an API key) or `dashboard` (all others). */
export function docErrors(set: string): DocError[] {
  const isIn = SETS[set];
  if (isIn === undefined)
    throw new Error(`There is no set of errors ${set}. There are ${Object.keys(SETS).join(", ")}.`);
  return (Object.keys(ERRORS) as ErrorCode[])
    .filter(isIn)
    .map((code) => {
      const { status, message, fix } = ERRORS[code];
      return { code, id: errorId(code), status, message, fix };
    })
    .toSorted((a, b) => a.status - b.status);
}

/** A sandbox number, and a test key's result for it. */
export interface SandboxRow {
  readonly number: string;
  readonly scenario: string;
  /** `status` of a success, `code` of a failure. */
  readonly answer: string;
  readonly status: number;
  readonly message: string | null;
  /** The anchor of a failure. */
  readonly id: string | null;
}

/** The sandbox's numbers: all, or only the successes or failures. */
export function sandboxRows(only: string): SandboxRow[] {
  const successes = SANDBOX_SUCCESSES.map((success) => ({
    number: success.number,
    scenario: success.title,
    answer: SANDBOX_SUCCESS_STATUS,
    status: 200,
    message: null,
    id: null,
  }));
  const failures = SANDBOX_FAILURES.map((failure) => ({
    number: failure.number,
    scenario: failure.reason,
    answer: failure.name,
    status: SANDBOX_ERRORS[failure.name].status,
    message: SANDBOX_ERRORS[failure.name].message,
    id: errorId(failure.name),
  }));
  if (only === "all") return [...successes, ...failures];
  if (only === "successes") return successes;
  if (only === "failures") return failures;
  throw new Error(`<SandboxTable only="…"> is all, successes or failures, not ${only}.`);
}

const MINUTES_PER_DAY = 24 * 60;

/** The operator's name and postal address, which many countries require on a site. */
const { OPERATOR } = process.env;

/** What a page can insert with `{…}`: the contract's limits, our promises, counts, and data releases. */
const NUMBERS: Readonly<Record<string, unknown>> = {
  ...limits,
  ACCURACY,
  CASES: readCases().length,
  DATA: Object.fromEntries(Object.entries(DATA_RELEASES).map(([table, of]) => [table, dataReleaseName(of)])),
  // True on any day, unlike which of them have ended.
  REGISTER_LAST_DAYS: new Intl.ListFormat("en-US").format(
    REGISTER_COUNTRIES.flatMap((country) => {
      const release = REGISTER_RELEASES[country];
      return release === null ? [] : `${formatUtcDay(release.unassigned_until)} (${COUNTRY_NAMES[country]})`;
    }),
  ),
  /** In which carriers have been reviewed; scripts/data/carriers.test.ts counts them. */
  REVIEWED_COUNTRIES: 67,
  REGISTERED_NUMBERS: new Intl.ListFormat("en-US").format(Object.values(REGISTERS).map(({ numbers }) => numbers)),
  ...promises,
  RETENTION,
  BULK_DATABASE,
  BULK_KEPT_DAYS,
  OPERATOR: OPERATOR ? `It is: ${OPERATOR}.` : "The operator will give you its name and address on request.",
  REGION_COUNT,
  PER_DAY: {
    page: limits.PAGE_CALLS_PER_MINUTE * MINUTES_PER_DAY,
    trial: TRIAL.requestsPerMinute * MINUTES_PER_DAY,
  },
  TEST_LIMITS,
  TRIAL,
  // Without `status`, which only test keys get.
  RESULT_FIELDS: Object.keys(VerificationResult.entries).length - 1,
  SANDBOX_RESULT_FIELDS: Object.keys(VerificationResult.entries).length,
};

/**
 * A number inserted by a page: `{MAX_BATCH_SIZE}`, `{TRIAL.days}`.
 * @throws Error for an unknown name.
 */
export function docNumber(name: string): string {
  const [first = "", second] = name.split(".");
  const named = NUMBERS[first];
  const value = second === undefined ? named : (named as Readonly<Record<string, unknown>> | undefined)?.[second];
  if (typeof value === "string") return value;
  if (typeof value !== "number") throw new Error(`{${name}} means nothing.`);
  return name.endsWith("_BYTES") ? `${value / 1024} KB` : formatCount(value);
}

/**
 * The result for a number with a live key or, for a valid one, with a test key; of its fields only these, if any are
 * named.
 * @throws Error for a number that `results.json` lacks, or a field that the result does
 */
export function docResult(number: string, withTestKey: boolean, only?: readonly string[]): object {
  const result = (results as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[number];
  if (result === undefined) throw new Error(`results.json lacks ${number}: add it to content/results.test.ts.`);
  const missing = only?.find((name) => !(name in result));
  if (missing !== undefined) throw new Error(`The result for ${number} has no field ${missing}.`);
  if (only) return Object.fromEntries(Object.entries(result).filter(([name]) => only.includes(name)));
  return withTestKey ? { ...result, status: SANDBOX_SUCCESS_STATUS } : result;
}

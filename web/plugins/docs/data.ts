import { ENDPOINTS } from "../../../contract/endpoints.ts";
import { ANY_OPERATION } from "../../../contract/endpoints/endpoint.ts";
import { ERRORS, SANDBOX_ERRORS } from "../../../contract/errors.ts";
import type { ErrorCode } from "../../../contract/errors.ts";
import {
  DEMO_LOOKUPS_PER_MINUTE,
  EMAIL_TOKEN_LIFETIME,
  MAX_ACTIVE_KEYS,
  MAX_BATCH_BODY_BYTES,
  MAX_BATCH_SIZE,
  MAX_BODY_BYTES,
  MAX_NUMBER_LENGTH,
  MIN_PASSWORD_LENGTH,
  REQUESTS_PER_MINUTE,
  SESSION_DAYS,
  TRIAL,
} from "../../../contract/limits.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES, SANDBOX_SUCCESS_STATUS } from "../../../contract/sandbox.ts";
import { SandboxResult, VerificationResult } from "../../../contract/verification.ts";
import { REGION_COUNT } from "../../content/coverage.ts";
import { P95_TARGET_MS, UPTIME_TARGET } from "../../content/promises.ts";

/** An error as the catalogue lists it. */
export interface DocError {
  readonly code: string;
  readonly id: string;
  readonly status: number;
  readonly message: string;
  readonly fix: string;
}

/** Where an error is explained: `error-rate_limited`. */
export function errorId(code: string): string {
  return `error-${code.toLowerCase()}`;
}

/** The errors that calls with an API key may answer with. */
const OF_VERIFICATION: ReadonlySet<string> = new Set([
  ...ENDPOINTS.filter((endpoint) => endpoint.auth === "api-key").flatMap((endpoint) => endpoint.errors),
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

/** A number of the sandbox, and what a test key gets for it. */
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

/** The sandbox's numbers: all, or the successes or failures alone. */
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

function written(count: number): string {
  return count.toLocaleString("en-US");
}

function kilobytes(bytes: number): string {
  return `${bytes / 1024} KB`;
}

function fieldCount({ entries }: { readonly entries: object }): string {
  return written(Object.keys(entries).length);
}

/** What `{NAME}` within the text of a page stands for, under the names that the contract and the promises have. */
const NUMBERS: Readonly<Record<string, string>> = {
  DEMO_LOOKUPS_PER_MINUTE: written(DEMO_LOOKUPS_PER_MINUTE),
  EMAIL_TOKEN_HOURS: written(EMAIL_TOKEN_LIFETIME.verify_email / 3_600_000),
  MAX_ACTIVE_KEYS: written(MAX_ACTIVE_KEYS),
  MAX_BATCH_BODY_BYTES: kilobytes(MAX_BATCH_BODY_BYTES),
  MAX_BATCH_SIZE: written(MAX_BATCH_SIZE),
  MAX_BODY_BYTES: kilobytes(MAX_BODY_BYTES),
  MAX_NUMBER_LENGTH: written(MAX_NUMBER_LENGTH),
  MIN_PASSWORD_LENGTH: written(MIN_PASSWORD_LENGTH),
  P95_TARGET_MS: written(P95_TARGET_MS),
  REGION_COUNT: written(REGION_COUNT),
  "REQUESTS_PER_MINUTE.pro": written(REQUESTS_PER_MINUTE.pro),
  "REQUESTS_PER_MINUTE.test": written(REQUESTS_PER_MINUTE.test),
  "REQUESTS_PER_MINUTE.trial": written(REQUESTS_PER_MINUTE.trial),
  RESULT_FIELDS: fieldCount(VerificationResult),
  SANDBOX_RESULT_FIELDS: fieldCount(SandboxResult),
  SESSION_DAYS: written(SESSION_DAYS),
  "TRIAL.days": written(TRIAL.days),
  "TRIAL.quota": written(TRIAL.quota),
  UPTIME_TARGET,
};

/**
 * The number that a page names.
 * @throws Error for a name that is not in the list.
 */
export function docNumber(name: string): string {
  const number = NUMBERS[name];
  if (number === undefined) {
    throw new Error(`{${name}} stands for nothing. There are ${Object.keys(NUMBERS).join(", ")}.`);
  }
  return number;
}

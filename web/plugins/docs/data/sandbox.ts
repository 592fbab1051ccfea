import { SANDBOX_ERRORS } from "../../../../contract/errors.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES, SANDBOX_SUCCESS_STATUS } from "../../../../contract/sandbox.ts";
import { errorId } from "./errors.ts";

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

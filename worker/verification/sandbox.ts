import { SANDBOX_FAILURES, SANDBOX_SUCCESS_STATUS, SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import type { SandboxFailure, SandboxFailureName } from "../../contract/sandbox.ts";
import type { SandboxResult, VerificationResult } from "../../contract/verification.ts";

type SandboxAnswer = {
  /** Whether the number is outside the sandbox's own. */
  readonly isReal: boolean;
} & (
  | { readonly ok: true; readonly result: SandboxResult }
  | {
      readonly ok: false;
      readonly failure: SandboxFailure;
      /** What a live key returns for the number. */
      readonly result: VerificationResult;
    }
);

const FAILURE_BY_NUMBER = new Map<string, SandboxFailure>(SANDBOX_FAILURES.map((entry) => [entry.number, entry]));
const SUCCESSES = new Set<string>(SANDBOX_SUCCESSES.map((entry) => entry.number));
const FAILURE_BY_NAME = new Map<string, SandboxFailure>(SANDBOX_FAILURES.map((entry) => [entry.name, entry]));

/** Digits of the shortest valid numbers, calling code included: +49 1640 in Germany is one. */
const SHORTEST_NUMBER = 6;

function isTooShort(number: string): boolean {
  return (number.match(/\p{Nd}/gu)?.length ?? 0) < SHORTEST_NUMBER;
}

/**
 * A test key's result for a number: the scenario reserved for it, regardless of punctuation, or else the numbering
 * plan's result in the sandbox's format.
 */
export function answerSandbox(number: string, verify: (number: string) => VerificationResult): SandboxAnswer {
  const result = verify(number);
  const written = result.number ?? number.trim();
  const scenario = FAILURE_BY_NUMBER.get(written);
  const isReal = scenario === undefined && !SUCCESSES.has(written);
  if (scenario) return { ok: false, isReal, failure: scenario, result };
  if (result.valid) return { ok: true, isReal, result: { ...result, status: SANDBOX_SUCCESS_STATUS } };
  const prefixMissing = result.reason === "MISSING_COUNTRY_CODE" && !isTooShort(number);
  const name: SandboxFailureName = prefixMissing ? "REJECTED_PREFIX_MISSING" : "REJECTED_FORMAT";
  return { ok: false, isReal, failure: FAILURE_BY_NAME.get(name)!, result };
}

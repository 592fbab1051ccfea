import { SANDBOX_FAILURES, SANDBOX_SUCCESS_STATUS, SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import type { SandboxFailure } from "../../contract/sandbox.ts";
import type { VerificationResult } from "../../contract/verification.ts";

/** What a test key gets for a number. */
type SandboxAnswer = {
  /** Whether the number is outside the sandbox's own. */
  readonly isReal: boolean;
} & (
  | { readonly result: VerificationResult; readonly failure: null }
  /** The error of a single call, with a result unless it is a scenario of the sandbox. */
  | { readonly result: VerificationResult | null; readonly failure: SandboxFailure }
);

const SCENARIOS = new Map<string, SandboxFailure>(SANDBOX_FAILURES.map((entry) => [entry.number, entry]));
const SUCCESSES = new Set<string>(SANDBOX_SUCCESSES.map((entry) => entry.number));
const WRONG_FORMAT = SANDBOX_FAILURES.find(({ name }) => name === "REJECTED_FORMAT")!;

/** Digits of the shortest valid numbers, calling code included: +49 1640 in Germany is one. */
const SHORTEST_NUMBER = 6;

function isTooShort(number: string): boolean {
  return (number.match(/\p{Nd}/gu)?.length ?? 0) < SHORTEST_NUMBER;
}

/**
 * A test key's answer for a number: the scenario reserved for it, however it is written, or else what a live key
 * returns, whose `status` is the sandbox's if it is valid. An invalid number that is too short is an error as well.
 * @param live what a live key returns for it
 */
export function answerSandbox(number: string, live: VerificationResult): SandboxAnswer {
  const written = live.number ?? number.replaceAll(/[^\d+]/g, "");
  const scenario = SCENARIOS.get(written);
  if (scenario !== undefined) return { result: null, failure: scenario, isReal: false };
  const isReal = !SUCCESSES.has(written);
  if (live.valid) return { result: { ...live, status: SANDBOX_SUCCESS_STATUS }, failure: null, isReal };
  return isTooShort(number) ? { result: live, failure: WRONG_FORMAT, isReal } : { result: live, failure: null, isReal };
}

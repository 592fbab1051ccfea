import { acceptance } from "../../contract/acceptance.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { sandboxFailureMessage } from "../../contract/sandbox.ts";
import type {
  Acceptance,
  BatchItem,
  DemoRequest,
  SandboxBatchFailure,
  VerificationResult,
} from "../../contract/verification.ts";
import { validationFailed } from "../platform/errors.ts";
import { verifyNumber } from "./engine.ts";
import { answerSandbox } from "./sandbox.ts";

/** What the sandbox says of a number that it rejects. */
type Failure = Omit<SandboxBatchFailure, "number">;

/** A number's answer, and what is counted for it. */
export type Answer = {
  /** ISO 3166-1 alpha-2, or null if none was identified. */
  readonly country: string | null;
  /** Whether the number was valid and, in the sandbox, delivered. */
  readonly successful: boolean;
  /** Whether the number is outside the sandbox's own. */
  readonly isReal: boolean;
} & (
  | { readonly result: VerificationResult; readonly failure: null }
  /** A single call fails. In lists, a result comes before the failure. */
  | { readonly result: VerificationResult; readonly failure: Failure }
  | { readonly result: null; readonly failure: Failure }
);

/** How many numbers were valid and, in the sandbox, delivered. */
export function countSuccessful(answers: readonly Answer[]): number {
  let count = 0;
  for (const { successful } of answers) if (successful) count += 1;
  return count;
}

/** How to parse a number, and what the caller accepts. */
export interface VerifyOptions extends Acceptance {
  readonly country?: string | undefined;
}

/**
 * The result for one number: from the numbering plans for a live key, from the sandbox for a test key.
 * @param day today in UTC, "2026-11-26"
 */
export function answer(mode: KeyMode, number: string, options: VerifyOptions, day: string): Answer {
  const live = verifyFor(number, options, day);
  const counted = { country: live.country_code, successful: live.valid, isReal: true };
  if (mode === "live") return { ...counted, result: live, failure: null };
  const { result, failure: scenario, isReal } = answerSandbox(number, live);
  if (scenario === null) return { ...counted, isReal, result, failure: null };
  const failure = { error: sandboxFailureMessage(scenario), code: scenario.name };
  return { ...counted, successful: false, isReal, result, failure };
}

/**
 * The demo: the same as with a live key or, for the sandbox's own numbers, a test key.
 * @param day the current one in UTC: `2026-11-22`
 * @throws ApiError 400 for another number in the sandbox
 */
export function answerDemo({ number, sandbox = false, ...options }: DemoRequest, day: string): Answer {
  const answered = answer(sandbox ? "test" : "live", number, optionsOf(options), day);
  if (sandbox && answered.isReal) throw validationFailed({ number: "With a test key only" });
  return answered;
}

function verifyFor(number: string, options: VerifyOptions, day: string): VerificationResult {
  const result = verifyNumber(number, options.country, day);
  const verdict = acceptance(result, options);
  return verdict === null ? result : Object.assign(result, verdict);
}

/** The verification options of a request, without its other fields. */
export function optionsOf(request: VerifyOptions): VerifyOptions {
  const { country, expect_country, accept_types, accept_line_types, reject_unallocated } = request;
  return { country, expect_country, accept_types, accept_line_types, reject_unallocated };
}

/** A number of a batch, with its options. */
export interface Item {
  readonly number: string;
  readonly options: VerifyOptions;
}

/** A batch's numbers, each with its own options or the request's. */
export function itemsOf(numbers: readonly BatchItem[], request: VerifyOptions): Item[] {
  const options = optionsOf(request);
  return numbers.map((item) => {
    if (typeof item === "string") return { number: item, options };
    const { number, country = options.country, expect_country = options.expect_country } = item;
    return { number, options: { ...options, country, expect_country } };
  });
}

/** Rejects an empty number, for which only the sandbox has a failure. @throws ApiError 400 for one with a live key */
export function requireNumber(mode: KeyMode, number: string): void {
  if (mode === "live" && number.trim() === "") throw validationFailed({ number: "Must not be empty" });
}

/**
 * The sandbox: what a `ch_test_` key returns for the numbers reserved for testing. The only copy: worker, docs, and SDK
 * tests all use this table.
 */

/** A successful sandbox result is the full result plus this `status`. */
export const SANDBOX_SUCCESS_STATUS = "DELIVERED_TO_HANDSET" as const;

export interface SandboxSuccess {
  readonly number: string;
  readonly country: string;
  readonly title: string;
}

export interface SandboxFailure {
  /** The `number` that gets this failure, with or without punctuation. */
  readonly number: string;
  readonly name: string;
  readonly reason: string;
  /** The N of `(code: N)` in the message. */
  readonly code: number;
}

export const SANDBOX_SUCCESSES = [
  { number: "+5511987654321", country: "BR", title: "Valid number in Brazil" },
  { number: "+12025550123", country: "US", title: "Valid number in the United States" },
  { number: "+442079460018", country: "GB", title: "Valid number in the United Kingdom" },
] as const satisfies readonly SandboxSuccess[];

export const SANDBOX_FAILURES = [
  { number: "+12025550106", name: "REJECTED_NETWORK", reason: "Network is forbidden", code: 6 },
  { number: "+1202", name: "REJECTED_FORMAT", reason: "Invalid number format", code: 7 },
  { number: "12025550108", name: "REJECTED_PREFIX_MISSING", reason: "Number prefix missing", code: 8 },
  { number: "+12025550109", name: "REJECTED_SUBSCRIBER_ABSENT", reason: "Subscriber absent", code: 9 },
  { number: "+12025550110", name: "REJECTED_UNKNOWN_SUBSCRIBER", reason: "Unknown subscriber", code: 10 },
  { number: "+12025550111", name: "REJECTED_UNDELIVERABLE", reason: "Undeliverable", code: 11 },
  { number: "+12025550112", name: "UNDELIVERABLE_NOT_DELIVERED", reason: "Undeliverable", code: 12 },
  { number: "+12025550113", name: "TEMPORARY_FAILURE", reason: "Temporary failure", code: 13 },
  { number: "+12025550114", name: "SERVICE_UNAVAILABLE", reason: "Service unavailable", code: 14 },
] as const satisfies readonly SandboxFailure[];

export type SandboxFailureName = (typeof SANDBOX_FAILURES)[number]["name"];

/** The message of a failing sandbox scenario. */
export function sandboxFailureMessage(failure: SandboxFailure): string {
  return `verification failed: ${failure.reason} (code: ${failure.code})`;
}

import { ERRORS } from "../../contract/errors.ts";
import type { ErrorCode, QuotaFigures } from "../../contract/errors.ts";
import type { SecondFactorChallenge } from "../../contract/second-factor.ts";

interface ErrorDetails {
  /** A more specific message than the catalog's. */
  readonly message?: string | undefined;
  /** Offending fields and what is wrong with each. */
  readonly fields?: Record<string, string>;
  readonly headers?: Record<string, string>;
  /** A limit that isn't one of the account's per-minute limits; reported in the same headers. */
  readonly policy?: {
    readonly name: string;
    readonly limit: number;
    readonly windowSeconds: number;
    readonly remaining: number;
    readonly resetSeconds: number;
  };
  readonly secondFactor?: SecondFactorChallenge;
  readonly quota?: QuotaFigures;
}

/** An error for the caller, by its code in the catalog. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? ERRORS[code].message);
    this.name = "ApiError";
    this.code = code;
    this.details = details;
  }
}

/** The 400 that lists offending fields, in its message and by name. */
export function validationFailed(fields: Record<string, string>): ApiError {
  const complaints = Object.entries(fields).map(([field, complaint]) => `${field}: ${complaint}`);
  const more = complaints.length > 3 ? `; and ${complaints.length - 3} more` : "";
  const message = `The request is invalid (${complaints.slice(0, 3).join("; ")}${more}).`;
  return new ApiError("VALIDATION_FAILED", { message, fields });
}

/** When to retry, as a sentence: in minutes from two on. */
export function tryAgainIn(seconds: number): string {
  if (seconds >= 120) return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
  return `Try again in ${seconds} second${seconds === 1 ? "" : "s"}.`;
}

/** The 429 that says when to retry. */
export function tooManyAttempts(retryAfterSeconds: number): ApiError {
  return new ApiError("RATE_LIMITED", {
    message: `Too many attempts. ${tryAgainIn(retryAfterSeconds)}`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

/** A failure of an operator's command. Its message is for the operator. */
export class AdministrationError extends Error {
  override readonly name = "AdministrationError";
  readonly code:
    | "ACCOUNT_EXISTS"
    | "ACCOUNT_NOT_FOUND"
    | "NO_SUBSCRIPTION"
    | "NO_TRIAL_TO_EXTEND"
    | "END_IN_THE_PAST"
    | "NO_KEYS";

  constructor(code: AdministrationError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

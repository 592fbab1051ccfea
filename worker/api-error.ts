import { ERRORS } from "../contract/errors.ts";
import type { ErrorCode } from "../contract/errors.ts";

interface ErrorDetails {
  /** A sentence that is more precise than the catalogue's. */
  readonly message?: string;
  /** Offending fields and what is wrong with each. */
  readonly fields?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

/** An error that the caller is told about, by its code in the catalogue. */
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

/** The 429 that says when to come back. */
export function tooManyAttempts(retryAfterSeconds: number): ApiError {
  return new ApiError("RATE_LIMITED", {
    message: "Too many attempts. Try again later.",
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

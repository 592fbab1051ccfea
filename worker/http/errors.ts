import type { ErrorHandler } from "hono";
import { ERRORS } from "../../contract/errors.ts";
import type { ErrorBody, ErrorCode } from "../../contract/errors.ts";
import type { AppEnv } from "../env.ts";
import { logFailure } from "./log.ts";

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

/** What answers of a status carry unless the error says otherwise. */
const STANDARD_HEADERS: Partial<Record<number, Record<string, string>>> = {
  401: { "WWW-Authenticate": "Bearer" },
  503: { "Retry-After": "5" },
};

/** Turns anything thrown into `{error, code}`. What nobody foresaw is logged in full and answered in general terms. */
export const handleError: ErrorHandler<AppEnv> = (thrown, c) => {
  if (!(thrown instanceof ApiError)) logFailure(c.get("requestId"), thrown);
  const error = thrown instanceof ApiError ? thrown : new ApiError("INTERNAL_ERROR");
  const { fields, headers } = error.details;
  const { status } = ERRORS[error.code];
  const body: ErrorBody = { error: error.message, code: error.code, ...(fields && { fields }) };
  c.set("errorCode", error.code);
  return c.json(body, status, { ...STANDARD_HEADERS[status], ...headers });
};

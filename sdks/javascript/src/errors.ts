import type { Quota } from "./result.js";

/** An error's details. */
export interface ErrorDetails {
  readonly code: string;
  readonly status?: number | null;
  readonly requestId?: string | null;
}

/**
 * A call that failed. Every call error is one of the classes below, except for an abort by your signal, which rejects with the
 * signal's reason.
 *
 * No error has a `cause`, because an error of the platform or an injected fetch may show the request and its key.
 */
export class ChecklineError extends Error {
  static {
    this.prototype.name = "ChecklineError";
  }

  /** A stable name for the error: the service's, or `TIMEOUT`, `CONNECTION_FAILED`, or `UNEXPECTED_RESPONSE`. */
  readonly code: string;
  /** The response's HTTP status. Null without a readable one, and for a batch item. */
  readonly status: number | null;
  /** The response's `X-Request-Id`, for support. */
  readonly requestId: string | null;

  constructor(message: string, { code, status = null, requestId = null }: ErrorDetails) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
  }
}

/** The key is missing, wrong, expired, revoked, or not allowed to do this: 401 and 403. */
export class AuthenticationError extends ChecklineError {
  static {
    this.prototype.name = "AuthenticationError";
  }
}

/** Not enough quota or cap left: 402. */
export class QuotaError extends ChecklineError {
  static {
    this.prototype.name = "QuotaError";
  }

  /** The details of the quota or cap: `limit`, `used`, and `remaining`. Null if the response has none. */
  readonly quota: Quota | null;

  constructor(message: string, details: ErrorDetails & { readonly quota?: Quota | null }) {
    super(message, details);
    this.quota = details.quota ?? null;
  }
}

/** Too many requests: 429. */
export class RateLimitError extends ChecklineError {
  static {
    this.prototype.name = "RateLimitError";
  }

  /** Seconds to wait, if the response has them. */
  readonly retryAfter: number | null;

  constructor(message: string, details: ErrorDetails & { readonly retryAfter?: number | null }) {
    super(message, details);
    this.retryAfter = details.retryAfter ?? null;
  }
}

/** The request is invalid: every other 4xx. */
export class InvalidRequestError extends ChecklineError {
  static {
    this.prototype.name = "InvalidRequestError";
  }

  /** What's wrong with each field, by name. Empty if the service lists none. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, details: ErrorDetails & { readonly fields?: Readonly<Record<string, string>> }) {
    super(message, details);
    this.fields = details.fields ?? {};
  }
}

/** The verification of this number failed: a failing sandbox scenario. */
export class VerificationFailedError extends ChecklineError {
  static {
    this.prototype.name = "VerificationFailedError";
  }
}

/** The service failed, redirected, or returned an unusable response. */
export class ServerError extends ChecklineError {
  static {
    this.prototype.name = "ServerError";
  }
}

/** There was no complete response: `code` is `TIMEOUT` or `CONNECTION_FAILED`. */
export class ConnectionError extends ChecklineError {
  static {
    this.prototype.name = "ConnectionError";
  }
}

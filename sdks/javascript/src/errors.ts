import type { Quota } from "./result.js";

/** An error's details besides its message. */
export interface ErrorDetails {
  readonly code: string;
  readonly status?: number | null;
  readonly requestId?: string | null;
}

/**
 * A call without a result. Every error of a call is one of the classes below, except an abort by the caller's own
 * signal, which rejects with the signal's reason.
 *
 * No error has a `cause`: what a platform or an injected fetch throws may contain the request, and with it the key.
 */
export class ChecklineError extends Error {
  static {
    this.prototype.name = "ChecklineError";
  }

  /** A stable code for what happened: the service's own, or `TIMEOUT`, `CONNECTION_FAILED` or `UNEXPECTED_RESPONSE`. */
  readonly code: string;
  /** The response's HTTP status. Null without a readable one, and for a batch item. */
  readonly status: number | null;
  /** The response's `X-Request-Id`, for support requests. */
  readonly requestId: string | null;

  constructor(message: string, { code, status = null, requestId = null }: ErrorDetails) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
  }
}

/** The key is missing, invalid, expired, or revoked, or lacks permission: 401 and 403. */
export class AuthenticationError extends ChecklineError {
  static {
    this.prototype.name = "AuthenticationError";
  }
}

/** The subscription's quota or the key's cap is used up, or has too little left: 402. */
export class QuotaError extends ChecklineError {
  static {
    this.prototype.name = "QuotaError";
  }

  /**
   * The figures of the limit that rejected the call: `limit`, `used` and `remaining`. Null if the response has none.
   */
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

  /** Seconds to wait, if the service says so. */
  readonly retryAfter: number | null;

  constructor(message: string, details: ErrorDetails & { readonly retryAfter?: number | null }) {
    super(message, details);
    this.retryAfter = details.retryAfter ?? null;
  }
}

/** The service rejected the request: every other 4xx. */
export class InvalidRequestError extends ChecklineError {
  static {
    this.prototype.name = "InvalidRequestError";
  }

  /** The problem with each invalid field, by name. Empty if the service reports none. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, details: ErrorDetails & { readonly fields?: Readonly<Record<string, string>> }) {
    super(message, details);
    this.fields = details.fields ?? {};
  }
}

/** The number is one of the sandbox's nine failing numbers. */
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

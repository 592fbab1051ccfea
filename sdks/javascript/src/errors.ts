import type { Quota } from "./result.js";

/** What an error tells beside its message. */
export interface ErrorDetails {
  readonly code: string;
  readonly status?: number | null;
  readonly requestId?: string | null;
}

/**
 * A call that came to no result. Every error of a call is one of the classes below; only an abort by the caller's own signal is
 * not, and rejects with the signal's reason.
 *
 * No error has a `cause`: what a platform or an injected fetch throws may show the request, and with it the key.
 */
export class ChecklineError extends Error {
  static {
    this.prototype.name = "ChecklineError";
  }

  /** A stable name for what happened: the service's own, or `TIMEOUT`, `CONNECTION_FAILED` or `UNEXPECTED_RESPONSE`. */
  readonly code: string;
  /** The response's HTTP status. Null without a readable one, and for an item of a batch. */
  readonly status: number | null;
  /** The response's `X-Request-Id`, to tell to support. */
  readonly requestId: string | null;

  constructor(message: string, { code, status = null, requestId = null }: ErrorDetails) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
  }
}

/** The key is missing, wrong, expired or revoked, or may not do this: 401 and 403. */
export class AuthenticationError extends ChecklineError {
  static {
    this.prototype.name = "AuthenticationError";
  }
}

/** The quota of the subscription or the cap of the key is used up, or has too little left: 402. */
export class QuotaError extends ChecklineError {
  static {
    this.prototype.name = "QuotaError";
  }

  /** The figures of what refused the call: `limit`, `used` and `remaining`. Null where the response has none. */
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

  /** Seconds to wait, where the service names them. */
  readonly retryAfter: number | null;

  constructor(message: string, details: ErrorDetails & { readonly retryAfter?: number | null }) {
    super(message, details);
    this.retryAfter = details.retryAfter ?? null;
  }
}

/** The service cannot take the request as it is: every other 4xx. */
export class InvalidRequestError extends ChecklineError {
  static {
    this.prototype.name = "InvalidRequestError";
  }

  /** What is wrong with each offending field, by its name. Empty where the service names none. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, details: ErrorDetails & { readonly fields?: Readonly<Record<string, string>> }) {
    super(message, details);
    this.fields = details.fields ?? {};
  }
}

/** The verification of this number failed, as the failing numbers of the sandbox do. */
export class VerificationFailedError extends ChecklineError {
  static {
    this.prototype.name = "VerificationFailedError";
  }
}

/** The service failed, redirected, or gave a response that cannot be used. */
export class ServerError extends ChecklineError {
  static {
    this.prototype.name = "ServerError";
  }
}

/** There was no whole response: `code` is `TIMEOUT` or `CONNECTION_FAILED`. */
export class ConnectionError extends ChecklineError {
  static {
    this.prototype.name = "ConnectionError";
  }
}

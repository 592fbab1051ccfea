/** What remains of a limit. */
export interface RateLimit {
  /** The remaining count. */
  readonly remaining: number;
  /** Seconds until more are available. */
  readonly resetSeconds: number;
}

/** A response's metadata. Contains neither the number nor the key, so it is safe to log. */
export interface ResponseInfo {
  /** Null if a browser hides it, as it does for redirects. */
  readonly status: number | null;
  /** `X-Request-Id`, for support requests. */
  readonly requestId: string | null;
  /** `Data-Version`, the version of the data behind the result, such as `9.0.43+3f9c1a`. Null if there is no result. */
  readonly dataVersion: string | null;
  /** The attempt number within its call, starting at 1. */
  readonly attempt: number;
  /** From sending the request to the end of the body. */
  readonly durationMs: number;
  /** What is left of each per-minute limit, by name: `requests` and `numbers`. Empty if the response doesn't say. */
  readonly rateLimits: Readonly<Record<string, RateLimit>>;
}

/** The values known today, plus any that a later version of the service may add. */
export type Open<Known extends string> = Known | (string & {});

/** A verification in brief. */
export interface VerifyResult {
  /** Whether the number is in a range assigned by its country's numbering plan. */
  readonly valid: boolean;
  /** The carrier whose range it is, by today's brand. A ported number may have moved to another. */
  readonly carrier: string | null;
}

/** The state of a quota, counted in successful live verifications. */
export interface Quota {
  /** The plan's id, such as `trial`. Null without a subscription, and in a key's cap and an error. */
  readonly plan: string | null;
  /** Null if unlimited. */
  readonly limit: number | null;
  readonly used: number;
  /** Null if unlimited. */
  readonly remaining: number | null;
  /** When it resets, in ISO 8601; null if it doesn't. */
  readonly resetsAt: string | null;
  /** The calling key's monthly cap; null without one. */
  readonly keyCap: Quota | null;
}

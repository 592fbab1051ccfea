/** A limit as clients see it: this many per window of this many seconds. */
export interface RatePolicy {
  /** Letters, digits, and `-`. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** What a caller has left, whichever limiter reports it. */
export type RateStanding =
  | { readonly allowed: true; readonly remaining: number; readonly resetSeconds: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** A policy and what the caller has left of it. */
export type PolicyStanding = readonly [policy: RatePolicy, standing: RateStanding];

function limitItem([{ name }, standing]: PolicyStanding): string {
  if (!standing.allowed) return `"${name}";r=0;t=${standing.retryAfterSeconds}`;
  return `"${name}";r=${standing.remaining};t=${standing.resetSeconds}`;
}

/**
 * The header fields that report what a client has left of each policy (draft-ietf-httpapi-ratelimit-headers). `t` is in
 * seconds: after it more than `r` are free.
 */
export function rateLimitHeaders(standings: readonly PolicyStanding[]): Record<string, string> {
  const policies = standings.map(([{ name, limit, windowSeconds }]) => `"${name}";q=${limit};w=${windowSeconds}`);
  return { "RateLimit-Policy": policies.join(", "), RateLimit: standings.map(limitItem).join(", ") };
}

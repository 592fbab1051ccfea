import type { RatePolicy } from "./state.ts";

/** A caller's limits, whichever limiter reports them. */
export type RateStanding =
  | { readonly allowed: true; readonly remaining: number; readonly resetSeconds: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** A policy and what the caller has left of it. */
export type PolicyStanding = readonly [policy: RatePolicy, standing: RateStanding];

/**
 * The header fields that report what a client has left of each policy (draft-ietf-httpapi-ratelimit-headers), and `Retry-After`
 * (RFC 9110, in seconds) on a refusal. `t` is in seconds: after it more than `r` are free.
 */
export function rateLimitHeaders(...standings: readonly PolicyStanding[]): Record<string, string> {
  const policies = standings.map(([{ name, limit, windowSeconds }]) => `"${name}";q=${limit};w=${windowSeconds}`);
  const limits = standings.map(([{ name }, standing]) =>
    standing.allowed
      ? `"${name}";r=${standing.remaining};t=${standing.resetSeconds}`
      : `"${name}";r=0;t=${standing.retryAfterSeconds}`,
  );
  const waits = standings.map(([, standing]) => (standing.allowed ? 0 : standing.retryAfterSeconds));
  const fields = { "RateLimit-Policy": policies.join(", "), RateLimit: limits.join(", ") };
  const wait = Math.max(...waits);
  return wait === 0 ? fields : { ...fields, "Retry-After": String(wait) };
}

import type { RatePolicy } from "./state.ts";

/** A caller's limits, whichever limiter reports them. */
export type RateStanding =
  | { readonly allowed: true; readonly remaining: number; readonly resetSeconds: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** A policy with its part of `RateLimit-Policy`, which is the same in every response. */
export interface ReportedPolicy extends RatePolicy {
  readonly text: string;
}

/** Builds that part once. */
export function withText(policy: RatePolicy): ReportedPolicy {
  const { name, limit, windowSeconds } = policy;
  return { ...policy, text: `"${name}";q=${limit};w=${windowSeconds}` };
}

/** A policy and what the caller has left of it. */
export type PolicyStanding = readonly [policy: ReportedPolicy, standing: RateStanding];

/**
 * The header fields that report what a client has left of each policy (draft-ietf-httpapi-ratelimit-headers), and `Retry-After`
 * (RFC 9110, in seconds) on a rejection. `t` is in seconds: after it more than `r` are free.
 */
export function rateLimitHeaders(standings: readonly PolicyStanding[]): Record<string, string> {
  let policies = "";
  let limits = "";
  let wait = 0;
  for (const [{ name, text }, standing] of standings) {
    if (policies !== "") {
      policies += ", ";
      limits += ", ";
    }
    const remaining = standing.allowed ? standing.remaining : 0;
    const seconds = standing.allowed ? standing.resetSeconds : standing.retryAfterSeconds;
    policies += text;
    limits += `"${name}";r=${remaining};t=${seconds}`;
    if (!standing.allowed) wait = Math.max(wait, seconds);
  }
  const fields = { "RateLimit-Policy": policies, RateLimit: limits };
  return wait === 0 ? fields : { ...fields, "Retry-After": String(wait) };
}

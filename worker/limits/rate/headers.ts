import type { RatePolicy } from "./state.ts";

/** Where a caller stands, whichever limiter says so. */
export type RateStanding =
  | { readonly allowed: true; readonly remaining: number; readonly resetSeconds: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/**
 * The header fields that tell a client where it stands (draft-ietf-httpapi-ratelimit-headers), and `Retry-After` (RFC 9110, in
 * seconds) on a refusal. `t` is in seconds: after it more than `r` requests are free.
 */
export function rateLimitHeaders(
  { name, limit, windowSeconds }: RatePolicy,
  standing: RateStanding,
): Record<string, string> {
  const fields = { "RateLimit-Policy": `"${name}";q=${limit};w=${windowSeconds}` };
  if (standing.allowed) return { ...fields, RateLimit: `"${name}";r=${standing.remaining};t=${standing.resetSeconds}` };
  const seconds = standing.retryAfterSeconds;
  return { ...fields, RateLimit: `"${name}";r=0;t=${seconds}`, "Retry-After": String(seconds) };
}

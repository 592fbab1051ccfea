import type { RateDecision } from "./decide.ts";
import type { RatePolicy } from "./state.ts";

/**
 * The header fields that tell a client where it stands (draft-ietf-httpapi-ratelimit-headers), and `Retry-After` (RFC 9110, in
 * seconds) on a refusal. `t` is in seconds: after it more than `r` requests are free.
 */
export function rateLimitHeaders(
  { name, limit, windowSeconds }: RatePolicy,
  decision: RateDecision,
): Record<string, string> {
  const fields = { "RateLimit-Policy": `"${name}";q=${limit};w=${windowSeconds}` };
  if (decision.allowed) return { ...fields, RateLimit: `"${name}";r=${decision.remaining};t=${decision.resetSeconds}` };
  const seconds = decision.retryAfterSeconds;
  return { ...fields, RateLimit: `"${name}";r=0;t=${seconds}`, "Retry-After": String(seconds) };
}

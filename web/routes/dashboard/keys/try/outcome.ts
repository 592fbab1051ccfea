import { rateLimitOf, retryAfterOf } from "../../../../lib/api/rate-limit.ts";
import type { VerifyAnswer } from "../../../../lib/api/verify-call.ts";

/** What came of a call with an API key. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** Milliseconds until the whole answer was here. */
      readonly took: number;
      /** The body, indented; as it came where it is no JSON. */
      readonly text: string;
      /** From the body: the name of an error, and whether the number is valid. Null where it says nothing about it. */
      readonly code: string | null;
      readonly valid: boolean | null;
      /** From `RateLimit` and `RateLimit-Policy`. */
      readonly left: { readonly remaining: number; readonly limit: number } | null;
      /** Seconds, from `Retry-After`. */
      readonly retryAfter: number | null;
    }
  | { readonly kind: "unreachable" };

/** What a call came to; its answer is null when none arrived. */
export function outcomeOf(answer: VerifyAnswer | null): Outcome {
  if (answer === null) return { kind: "unreachable" };
  const { status, took, headers, text, body } = answer;
  const { code, valid } = (body ?? {}) as { code?: unknown; valid?: unknown };
  const { remaining, limit } = rateLimitOf(headers);
  return {
    kind: "answered",
    status,
    took,
    text,
    code: typeof code === "string" ? code : null,
    valid: typeof valid === "boolean" ? valid : null,
    left: remaining === null || limit === null ? null : { remaining, limit },
    retryAfter: retryAfterOf(headers),
  };
}

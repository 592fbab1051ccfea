import { retryAfterOf } from "../../../../lib/api/rate-limit.ts";
import type { VerifyAnswer } from "../../../../lib/api/verify-call.ts";

/** The headers of an answer that a caller should know, in the order in which the console shows them. */
const SHOWN_HEADERS = ["X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After", "Server-Timing"] as const;

/** Seconds to wait where a 429 does not say how many. */
const DEFAULT_WAIT = 60;

export interface Answer {
  readonly outcome: "answered";
  readonly status: number;
  /** Milliseconds until the whole answer was there. */
  readonly took: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Indented when it is JSON. */
  readonly body: string;
  /** Seconds to wait after a 429; null after anything else. */
  readonly retryAfter: number | null;
}

export type CallState = { readonly outcome: "idle" | "calling" | "unreachable" } | Answer;

/** What the console shows of a call; its answer is null when none arrived. */
export function stateAfter(answer: VerifyAnswer | null): CallState {
  if (answer === null) return { outcome: "unreachable" };
  const { status, took, headers, text } = answer;
  return {
    outcome: "answered",
    status,
    took,
    headers: SHOWN_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    body: text,
    retryAfter: status === 429 ? Math.max(1, retryAfterOf(headers) ?? DEFAULT_WAIT) : null,
  };
}

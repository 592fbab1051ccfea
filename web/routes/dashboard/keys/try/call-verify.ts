import { API_BASE_PATH } from "../../../../../contract/origin.ts";
import { rateLimitOf, retryAfterOf } from "../../../../lib/api/rate-limit.ts";

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

const TIMEOUT_MS = 15_000;

/**
 * Calls the endpoint as the account's own programs would: with the API key alone. The session takes no part in it, so a refused key
 * signs nobody out.
 * @param signal ends the call; the promise then rejects with its reason
 */
export async function callVerify(key: string, number: string, signal: AbortSignal): Promise<Outcome> {
  const started = performance.now();
  try {
    const response = await fetch(`${API_BASE_PATH}/verify`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ number }),
      credentials: "omit",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const text = await response.text();
    const took = performance.now() - started;
    return { kind: "answered", status: response.status, took, ...bodyOf(text), ...standingOf(response.headers) };
  } catch {
    signal.throwIfAborted();
    return { kind: "unreachable" };
  }
}

function bodyOf(text: string) {
  try {
    const body: unknown = JSON.parse(text);
    const { code, valid } = (body ?? {}) as { code?: unknown; valid?: unknown };
    return {
      text: JSON.stringify(body, null, 2),
      code: typeof code === "string" ? code : null,
      valid: typeof valid === "boolean" ? valid : null,
    };
  } catch {
    return { text, code: null, valid: null };
  }
}

function standingOf(headers: Headers) {
  const { remaining, limit } = rateLimitOf(headers);
  return {
    left: remaining === null || limit === null ? null : { remaining, limit },
    retryAfter: retryAfterOf(headers),
  };
}

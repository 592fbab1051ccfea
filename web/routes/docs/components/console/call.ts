import { API_BASE_PATH } from "../../../../../contract/origin.ts";

/** The headers of an answer that a caller should know, in the order in which the console shows them. */
const SHOWN_HEADERS = ["X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After", "Server-Timing"] as const;

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

const TIMEOUT_MS = 15_000;

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/**
 * Makes the call that the docs are about, on this site's own origin.
 * @param signal ends the call; the promise then rejects with its reason
 */
export async function callVerify(key: string, number: string, signal: AbortSignal): Promise<CallState> {
  const started = performance.now();
  try {
    const response = await fetch(`${API_BASE_PATH}/verify`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ number }),
      credentials: "omit",
      cache: "no-store",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const body = await response.text();
    const { status, headers } = response;
    return {
      outcome: "answered",
      status,
      took: performance.now() - started,
      headers: SHOWN_HEADERS.flatMap((name) => {
        const value = headers.get(name);
        return value === null ? [] : [[name, value] as const];
      }),
      body: indented(body),
      retryAfter: status === 429 ? Math.max(1, Number(headers.get("Retry-After")) || 60) : null,
    };
  } catch {
    signal.throwIfAborted();
    return { outcome: "unreachable" };
  }
}

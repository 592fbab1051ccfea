import { API_BASE_PATH } from "../../../../contract/origin.ts";
import type { VerificationResult } from "../../../../contract/verification.ts";

/** What came of asking the engine; times in milliseconds, waits in seconds. */
export type LookUp =
  | {
      readonly outcome: "answered";
      readonly result: VerificationResult;
      readonly took: number;
      readonly remaining: number | null;
    }
  | { readonly outcome: "limited"; readonly retryAfter: number }
  | { readonly outcome: "refused"; readonly message: string }
  | { readonly outcome: "unreachable" };

const TIMEOUT_MS = 10_000;

/** How many look-ups are left, from `RateLimit: "demo";r=4;t=60`. */
function remainingOf(headers: Headers): number | null {
  const left = /;r=(\d+)/.exec(headers.get("RateLimit") ?? "");
  return left === null ? null : Number(left[1]);
}

/**
 * Verifies a number for real, on this site's own origin.
 * @param signal ends the call; the promise then rejects with its reason, as nobody waits for the answer any more
 */
export async function lookUp(number: string, signal: AbortSignal): Promise<LookUp> {
  const started = performance.now();
  try {
    const response = await fetch(`${API_BASE_PATH}/demo/lookup`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ number }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const took = performance.now() - started;
    if (response.status === 429) {
      return { outcome: "limited", retryAfter: Math.max(1, Number(response.headers.get("Retry-After")) || 60) };
    }
    const body: unknown = await response.json();
    if (response.ok) {
      return {
        outcome: "answered",
        // The same deployment serves this page and the answer.
        result: body as VerificationResult,
        took,
        remaining: remainingOf(response.headers),
      };
    }
    return { outcome: "refused", message: messageOf(body) };
  } catch {
    signal.throwIfAborted();
    return { outcome: "unreachable" };
  }
}

/** The sentence of an error answer; the first field's own where there is one. */
function messageOf(body: unknown): string {
  const { error, fields } = body as { error?: string; fields?: Record<string, string> };
  const [field] = Object.values(fields ?? {});
  return field ?? error ?? "The answer could not be read.";
}

import { API_BASE_PATH } from "../../../contract/origin.ts";

/** An answer of the verify call, as a page shows it. */
export interface VerifyAnswer {
  readonly status: number;
  /** Milliseconds until the whole answer was here. */
  readonly took: number;
  readonly headers: Headers;
  /** The body, indented; as it came where it is no JSON. */
  readonly text: string;
  /** The body; null where it is no JSON. */
  readonly body: unknown;
}

const TIMEOUT_MS = 15_000;

function read(text: string): Pick<VerifyAnswer, "text" | "body"> {
  try {
    const body: unknown = JSON.parse(text);
    return { text: JSON.stringify(body, null, 2), body };
  } catch {
    return { text, body: null };
  }
}

/**
 * Verifies a number as a program would, on this site's own origin and with the API key alone: no session takes part in it, so a
 * refused key signs nobody out.
 * @param signal ends the call; the promise then rejects with its reason
 * @returns null when no answer arrived
 */
export async function callVerify(key: string, number: string, signal: AbortSignal): Promise<VerifyAnswer | null> {
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
    const text = await response.text();
    const { status, headers } = response;
    return { status, took: performance.now() - started, headers, ...read(text) };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

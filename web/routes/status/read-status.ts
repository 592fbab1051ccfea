import type { Status } from "../../../contract/status.ts";
import { API_BASE_PATH } from "../../../contract/origin.ts";

const TIMEOUT_MS = 10_000;

/** Why there is no answer: this device has no network, or the service did not give one that can be used. */
export type NoAnswer = "offline" | "unanswered";

function isStatus(body: unknown): body is Status {
  const { components } = (body ?? {}) as { components?: unknown };
  return Array.isArray(components);
}

/**
 * Asks the service how it is.
 * @param signal ends the call; the promise then rejects with its reason, as nobody waits for the answer any more
 */
export async function readStatus(signal: AbortSignal): Promise<Status | NoAnswer> {
  try {
    const response = await fetch(`${API_BASE_PATH}/status`, {
      headers: { Accept: "application/json" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const body: unknown = await response.json();
    return response.ok && isStatus(body) ? body : "unanswered";
  } catch {
    signal.throwIfAborted();
    return navigator.onLine ? "unanswered" : "offline";
  }
}

import * as v from "valibot";
import { API_BASE_PATH } from "../../../../contract/origin.ts";
import { BatchResponse } from "../../../../contract/verification.ts";
import { rateLimitOf, retryAfterOf } from "../../../lib/api/rate-limit.ts";

export type BatchItem = v.InferOutput<typeof BatchResponse>["results"][number];

/** One call of the batch operation. */
export interface BatchCall {
  readonly numbers: readonly string[];
  readonly country: string | undefined;
  readonly key: string;
  /** The same for every repetition of a call, so that it is counted once. */
  readonly idempotencyKey: string;
}

/** What came of a call. Waits are in seconds; messages are the server's own. */
export type BatchOutcome =
  | {
      readonly kind: "answered";
      readonly results: readonly BatchItem[];
      /** Where the key stands: requests left, and after how long there are more. Null where the answer does not say. */
      readonly limit: { readonly left: number; readonly seconds: number } | null;
    }
  | { readonly kind: "rate-limited"; readonly seconds: number }
  | { readonly kind: "quota"; readonly message: string }
  /** No repetition would help: the key, the account or the request is at fault. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "unavailable"; readonly message: string; readonly seconds: number | null }
  | { readonly kind: "unreachable" };

const TIMEOUT_MS = 30_000;

const ErrorBody = v.object({
  error: v.optional(v.string(), ""),
  fields: v.optional(v.record(v.string(), v.string()), {}),
});

function limitOf(headers: Headers) {
  const { remaining, seconds } = rateLimitOf(headers);
  return remaining === null || seconds === null ? null : { left: remaining, seconds };
}

function secondsOf(headers: Headers): number | null {
  const seconds = retryAfterOf(headers);
  return seconds === null ? null : Math.max(1, seconds);
}

/** The sentence of an error, or of the first field that is at fault. */
function messageOf(body: unknown): string {
  const read = v.safeParse(ErrorBody, body);
  if (!read.success) return "The answer could not be read.";
  const [field] = Object.values(read.output.fields);
  return field ?? (read.output.error || "The call was refused.");
}

async function outcomeOf(response: Response, asked: number): Promise<BatchOutcome> {
  const body: unknown = await response.json().catch(() => null);
  const seconds = secondsOf(response.headers);
  if (response.ok) {
    const answer = v.safeParse(BatchResponse, body);
    if (answer.success && answer.output.results.length === asked) {
      return { kind: "answered", results: answer.output.results, limit: limitOf(response.headers) };
    }
    return { kind: "unavailable", message: "The answer could not be read.", seconds: null };
  }
  if (response.status === 429) return { kind: "rate-limited", seconds: seconds ?? 60 };
  if (response.status === 402) return { kind: "quota", message: messageOf(body) };
  if (response.status >= 500) return { kind: "unavailable", message: messageOf(body), seconds };
  return { kind: "refused", message: messageOf(body) };
}

/**
 * Verifies up to a hundred numbers with an API key. It has nothing to do with the session: a refused key signs nobody out.
 * @throws the signal's reason when it was ended
 */
export async function callBatch(
  call: BatchCall,
  signal: AbortSignal,
  send: typeof fetch = fetch,
): Promise<BatchOutcome> {
  try {
    const response = await send(`${API_BASE_PATH}/verify/batch`, {
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        Authorization: `Bearer ${call.key}`,
        "Idempotency-Key": call.idempotencyKey,
      },
      body: JSON.stringify({ numbers: call.numbers, ...(call.country !== undefined && { country: call.country }) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const outcome = await outcomeOf(response, call.numbers.length);
    signal.throwIfAborted();
    return outcome;
  } catch {
    signal.throwIfAborted();
    return { kind: "unreachable" };
  }
}

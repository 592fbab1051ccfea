import type { OutputOf } from "../../../../contract/endpoints/endpoint.ts";
import { verification } from "../../../../contract/endpoints/verification.ts";
import type { Acceptance, BatchItem } from "../../../../contract/verification.ts";
import { rateLimitOf, retryAfterOf } from "../../../lib/api/rate-limit.ts";
import { sendWithSession } from "../../../lib/api/call.ts";
import { rejectionOf } from "../../../lib/api/send.ts";
import type { Reply } from "../../../lib/api/send.ts";

type BatchResponse = OutputOf<typeof verification.verifyFromDashboard>;
export type BatchResult = BatchResponse["results"][number];

/** One call of the operation. */
export interface BatchCall {
  readonly numbers: readonly BatchItem[];
  readonly conditions: Acceptance;
  /** The same for every retry of a call, so that it is counted once. */
  readonly idempotencyKey: string;
}

/** The outcome of a call. Waits are in seconds; messages are the server's own. */
export type BatchOutcome =
  | {
      readonly kind: "answered";
      readonly results: readonly BatchResult[];
      /** Requests left for the account, and seconds until more are available. Null if the response doesn't say. */
      readonly limit: { readonly left: number; readonly seconds: number } | null;
    }
  | { readonly kind: "rate-limited"; readonly seconds: number }
  | { readonly kind: "quota"; readonly message: string }
  /** Retrying won't help: the problem is the session, the account, or the request. */
  | { readonly kind: "rejected"; readonly message: string }
  | { readonly kind: "unavailable"; readonly message: string; readonly seconds: number | null }
  | { readonly kind: "unreachable" };

function outcomeOf(reply: Reply, sent: number): BatchOutcome {
  const { ok, status, headers, body } = reply;
  const retryAfter = retryAfterOf(headers);
  const seconds = retryAfter === null ? null : Math.max(1, retryAfter);
  if (ok) {
    const { results = [] } = (body ?? {}) as Partial<BatchResponse>;
    if (results.length !== sent) return { kind: "unavailable", message: rejectionOf(reply), seconds: null };
    const { remaining, seconds: until } = rateLimitOf(headers);
    const limit = remaining === null || until === null ? null : { left: remaining, seconds: until };
    return { kind: "answered", results, limit };
  }
  const message = rejectionOf(reply);
  if (status === 429) return { kind: "rate-limited", seconds: seconds ?? 60 };
  if (status === 402) return { kind: "quota", message };
  if (status >= 500) return { kind: "unavailable", message, seconds };
  return { kind: "rejected", message };
}

/**
 * Verifies up to a hundred numbers with the session, which a 401 ends.
 * @throws the signal's reason when it was aborted
 */
export async function callBatch(call: BatchCall, signal: AbortSignal): Promise<BatchOutcome> {
  const { numbers, conditions, idempotencyKey } = call;
  try {
    const reply = await sendWithSession(
      verification.verifyFromDashboard,
      { numbers: [...numbers], ...conditions },
      { idempotencyKey, signal, timeout: 30_000 },
    );
    return outcomeOf(reply, numbers.length);
  } catch {
    signal.throwIfAborted();
    return { kind: "unreachable" };
  }
}

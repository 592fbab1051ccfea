import type { OutputOf } from "../../../../contract/endpoints/endpoint.ts";
import { verification } from "../../../../contract/endpoints/verification.ts";
import type { Call, Outcome } from "../../../../lists/run.ts";
import { rateLimitOf, retryAfterOf } from "../../../lib/api/rate-limit.ts";
import { rejectionOf, send } from "../../../lib/api/send.ts";
import type { Reply } from "../../../lib/api/send.ts";

type BatchResponse = OutputOf<typeof verification.verifyFromDashboard>;
export type BatchResult = BatchResponse["results"][number];

/** The session's token in the web worker, which has no access to the browser's storage. */
export interface Session {
  readonly token: string | null;
  /** After a 401: whether there is another token by now. */
  renew(): Promise<boolean>;
}

function failureOf(reply: Reply): Outcome {
  const { status, headers } = reply;
  const retryAfter = retryAfterOf(headers);
  const seconds = retryAfter === null ? null : Math.max(1, retryAfter);
  const message = rejectionOf(reply);
  if (status === 429) return { kind: "rate-limited", seconds: seconds ?? 60 };
  if (status === 402) return { kind: "quota", message };
  if (status >= 500) return { kind: "unavailable", message, seconds };
  return { kind: "rejected", message };
}

function limitOf(headers: Headers) {
  const { remaining, seconds } = rateLimitOf(headers);
  return remaining === null || seconds === null ? null : { left: remaining, seconds };
}

async function ask({ numbers, conditions, idempotencyKey }: Call, signal: AbortSignal, session: Session) {
  const input = { numbers: [...numbers], ...conditions };
  for (;;) {
    const options = { bearer: session.token, idempotencyKey, signal, timeout: 30_000 };
    const found = await send(verification.verifyFromDashboard, input, options);
    if (found.status !== 401 || !(await session.renew())) return found;
  }
}

/**
 * Verifies up to a hundred numbers with the session.
 * @throws the signal's reason when it was aborted
 */
export async function* sendBatch(
  call: Call,
  signal: AbortSignal,
  session: Session,
): AsyncGenerator<readonly BatchResult[], Outcome> {
  const found = await ask(call, signal, session).catch(() => null);
  signal.throwIfAborted();
  if (found === null) return { kind: "unreachable" };
  if (!found.ok) return failureOf(found);
  const { results = [] } = (found.body ?? {}) as Partial<BatchResponse>;
  if (results.length !== call.numbers.length)
    return { kind: "unavailable", message: rejectionOf(found), seconds: null };
  yield results;
  return { kind: "answered", limit: limitOf(found.headers) };
}

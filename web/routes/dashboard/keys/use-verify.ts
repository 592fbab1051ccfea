import { useQueryClient } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { SANDBOX_FAILURES } from "../../../../contract/sandbox.ts";
import type { VerificationResult } from "../../../../contract/verification.ts";
import { rateLimitOf, retryAfterOf } from "../../../lib/api/rate-limit.ts";
import { callVerify } from "../../../lib/api/verify-call.ts";
import type { Credential, VerifyAnswer, VerifyInput } from "../../../lib/api/verify-call.ts";
import { queries, refreshUsageSoon } from "../../../lib/queries.ts";
import { useAction } from "../../../lib/use-action.ts";
import { modeOf } from "./key-words.ts";

/** The outcome of a call. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly answer: VerifyAnswer;
      /** The number that was sent. */
      readonly number: string;
      /** An error's code; null for a result. */
      readonly code: string | null;
      /** The result, also the one inside a test key's error; null for any other error. */
      readonly result: VerificationResult | null;
      /** From `RateLimit` and `RateLimit-Policy`. */
      readonly left: { readonly remaining: number; readonly limit: number } | null;
      /** Seconds, from `Retry-After`. */
      readonly retryAfter: number | null;
    }
  | { readonly kind: "unreachable" };

/** @param answer null without a response */
function outcomeOf(answer: VerifyAnswer | null, number: string): Outcome {
  if (answer === null) return { kind: "unreachable" };
  const { headers, body } = answer;
  const { code, result = body } = (body ?? {}) as { code?: unknown; result?: unknown };
  const { valid } = (result ?? {}) as { valid?: unknown };
  const { remaining, limit } = rateLimitOf(headers);
  return {
    kind: "answered",
    answer,
    code: typeof code === "string" ? code : null,
    number,
    result: typeof valid === "boolean" ? (result as VerificationResult) : null,
    left: remaining === null || limit === null ? null : { remaining, limit },
    retryAfter: retryAfterOf(headers),
  };
}

/** Results and the sandbox's failures count; rejections of a key, a body, or a limit do not. */
function isCounted(outcome: Outcome): boolean {
  if (outcome.kind === "unreachable") return false;
  return outcome.answer.status === 200 || SANDBOX_FAILURES.some(({ name }) => name === outcome.code);
}

/** Notes a counted call, unless the key is another account's. */
async function noteCall(client: QueryClient, credential: Credential): Promise<void> {
  const at = Date.now();
  if ("session" in credential) {
    client.setQueryData(queries.lastCall.queryKey, { mode: credential.session, hint: "", at });
    return;
  }
  const { key } = credential;
  const mode = modeOf(key);
  const hint = key.slice(-4);
  // The list with a key that was just generated may still be loading.
  const listed = await client.fetchQuery(queries.keys).catch(() => undefined);
  if (mode === null || !listed?.keys.some((own) => own.mode === mode && own.hint === hint)) return;
  client.setQueryData(queries.lastCall.queryKey, { mode, hint, at });
}

/** Verifies one number at a time. */
export function useVerify() {
  const client = useQueryClient();
  const { busy, run } = useAction();
  /** Null before the first response. Kept until the next one. */
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  async function verify(credential: Credential, input: VerifyInput): Promise<void> {
    const found = outcomeOf(await callVerify(credential, input), input.number);
    setOutcome(found);
    if (!isCounted(found)) return;
    refreshUsageSoon(client);
    void noteCall(client, credential);
  }

  return {
    outcome,
    isPending: busy,
    send: (credential: Credential, input: VerifyInput) => run(() => verify(credential, input)),
  };
}

import { useEffect, useState } from "react";
import { verifyEmail } from "../../lib/api/accounts.ts";
import { ApiFailure, failureMessage } from "../../lib/api/failure.ts";

export type Verification =
  | { readonly state: "loading" }
  | { readonly state: "verified"; readonly message: string }
  /** `again` where the token may still be good: no answer came, or one that is not about it. */
  | { readonly state: "failed"; readonly message: string; readonly again: boolean };

const LOADING: Verification = { state: "loading" };

/** By token, which works once: whoever asks again, such as an effect that React runs twice, gets the first call's answer. */
const calls = new Map<string, Promise<Verification>>();

function failed(error: unknown): Verification {
  const isFinal = error instanceof ApiFailure && error.status < 500 && error.status !== 429;
  return { state: "failed", message: failureMessage(error, "Email verification failed."), again: !isFinal };
}

async function call(token: string): Promise<Verification> {
  try {
    return { state: "verified", message: (await verifyEmail(token)).message };
  } catch (error) {
    const outcome = failed(error);
    if (outcome.state === "failed" && outcome.again) calls.delete(token);
    return outcome;
  }
}

function verifyOnce(token: string): Promise<Verification> {
  const running = calls.get(token) ?? call(token);
  calls.set(token, running);
  return running;
}

/** What came of the token of a mail, and the way to ask again. Nothing is asked without a token. */
export function useVerification(token: string | null | undefined): readonly [Verification, retry: () => void] {
  const [settled, setSettled] = useState<{ of: string; verification: Verification }>();

  useEffect(() => {
    async function settle(of: string): Promise<void> {
      const verification = await verifyOnce(of);
      setSettled({ of, verification });
    }
    if (token) void settle(token);
  }, [token]);

  async function again(of: string): Promise<void> {
    setSettled(undefined);
    const verification = await verifyOnce(of);
    setSettled({ of, verification });
  }

  function retry(): void {
    if (token) void again(token);
  }
  return [settled !== undefined && settled.of === token ? settled.verification : LOADING, retry];
}

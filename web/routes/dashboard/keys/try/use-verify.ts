import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { SANDBOX_FAILURES } from "../../../../../contract/sandbox.ts";
import { callVerify } from "../../../../lib/api/verify-call.ts";
import { refreshUsageSoon } from "../../../../lib/refresh-usage.ts";
import { outcomeOf } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";

export interface Verify {
  /** Null before the first answer. It stays while the next one is awaited. */
  readonly outcome: Outcome | null;
  readonly asking: boolean;
  send(key: string, number: string): void;
}

/** Refusals of a key, a form or a limit are not counted; answers and the sandbox's failures are. */
function isCounted(outcome: Outcome): boolean {
  if (outcome.kind === "unreachable") return false;
  return outcome.status === 200 || SANDBOX_FAILURES.some(({ name }) => name === outcome.code);
}

/** Verifies one number at a time with an API key. Nothing of it outlives the component. */
export function useVerify(): Verify {
  const client = useQueryClient();
  const running = useRef<AbortController | null>(null);
  const [asking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  useEffect(
    () => () => {
      running.current?.abort();
      running.current = null;
    },
    [],
  );

  async function send(key: string, number: string): Promise<void> {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setAsking(true);
    try {
      const found = outcomeOf(await callVerify(key, number, controller.signal));
      setOutcome(found);
      if (isCounted(found)) refreshUsageSoon(client);
    } catch {
      // Ended, because nobody is there to read the answer.
    } finally {
      if (running.current === controller) {
        running.current = null;
        setAsking(false);
      }
    }
  }

  return { outcome, asking, send: (key, number) => void send(key, number) };
}

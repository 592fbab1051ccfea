import { useEffect, useRef, useState } from "react";
import { API_BASE_PATH } from "../../../../contract/origin.ts";
import type { VerificationResult } from "../../../../contract/verification.ts";

/** What came of asking the engine; times in milliseconds, waits in seconds. */
type LookUp =
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
async function lookUp(number: string, signal: AbortSignal): Promise<LookUp> {
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

export type LookUpState = { readonly outcome: "idle" } | { readonly outcome: "asking" } | LookUp;

export type Answered = Extract<LookUp, { outcome: "answered" }> & {
  /** What was typed. */
  readonly asked: string;
  /** Counts the answers, so that each is drawn anew. */
  readonly turn: number;
};

export interface AskedLookUp {
  readonly state: LookUpState;
  /** The last answer, whatever has happened since. */
  readonly answer: Answered | null;
  ask(number: string): void;
}

/** Asks the engine about one number at a time; a new question ends the one before. */
export function useLookUp(): AskedLookUp {
  const [state, setState] = useState<LookUpState>({ outcome: "idle" });
  const [asked, setAsked] = useState("");
  const [answer, setAnswer] = useState<Answered | null>(null);
  const running = useRef<AbortController | null>(null);

  useEffect(() => () => running.current?.abort(), []);

  // Waits out the limit, a second at a time, so that the page can say how long it still takes.
  const wait = state.outcome === "limited" ? state.retryAfter : null;
  useEffect(() => {
    if (wait === null) return;
    const timer = setTimeout(
      () => setState(wait > 1 ? { outcome: "limited", retryAfter: wait - 1 } : { outcome: "idle" }),
      1000,
    );
    return () => clearTimeout(timer);
  }, [wait]);

  /** Enter comes here even while the button is out of use: with nothing typed, during the wait, or for what is being asked already. */
  async function ask(number: string): Promise<void> {
    if (number.trim() === "" || state.outcome === "limited") return;
    if (state.outcome === "asking" && number === asked) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setAsked(number);
    setState({ outcome: "asking" });
    const found = await lookUp(number, controller.signal).catch(() => null);
    if (found === null || controller.signal.aborted) return;
    setState(found);
    if (found.outcome === "answered") setAnswer((last) => ({ ...found, asked: number, turn: (last?.turn ?? 0) + 1 }));
  }

  return { state, answer, ask: (number) => void ask(number) };
}

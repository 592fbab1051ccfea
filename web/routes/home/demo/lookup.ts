import { useEffect, useRef, useState } from "react";
import { service } from "../../../../contract/endpoints/service.ts";
import type { VerificationResult } from "../../../../contract/verification.ts";
import { conditionsOf } from "../../../lib/acceptance.ts";
import type { Condition } from "../../../lib/acceptance.ts";
import { rateLimitOf, retryAfterOf } from "../../../lib/api/rate-limit.ts";
import { rejectionOf, send } from "../../../lib/api/send.ts";

/** In place of a country: the visitor's own, by their address. */
export const VISITOR = "visitor";

/** The outcome of an engine lookup; times in milliseconds, waits in seconds. */
type LookUp =
  | {
      readonly outcome: "answered";
      readonly result: VerificationResult;
      readonly took: number;
      readonly remaining: number | null;
      /** ISO 3166-1 alpha-2: where numbers without a plus are from; null if that's unknown. */
      readonly readAs: string | null;
    }
  | { readonly outcome: "limited"; readonly retryAfter: number }
  | { readonly outcome: "rejected"; readonly message: string }
  | { readonly outcome: "unreachable" };

/** A lookup: a number as typed, where it's from if it has no plus, and the conditions. */
export interface Question {
  readonly number: string;
  /** ISO 3166-1 alpha-2, or `VISITOR`. */
  readonly country: string;
  readonly condition: Condition;
}

/** Whether two lookups have the same result. */
export function isSame(one: Question, other: Question): boolean {
  const { type, line, country } = other.condition;
  const { condition } = one;
  const isSameCondition = condition.type === type && condition.line === line && condition.country === country;
  return isSameCondition && one.country === other.country && one.number.trim() === other.number.trim();
}

/**
 * Verifies a number for real.
 * @throws the signal's reason when it was aborted
 */
async function lookUp({ number, country, condition }: Question, signal: AbortSignal): Promise<LookUp> {
  try {
    const input = { number, country, ...conditionsOf(condition) };
    const reply = await send(service.demoLookup, input, { signal, timeout: 10_000 });
    const { ok, status, headers, body, took } = reply;
    if (status === 429) return { outcome: "limited", retryAfter: Math.max(1, retryAfterOf(headers) ?? 60) };
    // Not from the API, but from something in between.
    if (body === null) return { outcome: "unreachable" };
    if (!ok) return { outcome: "rejected", message: rejectionOf(reply) };
    // The same deployment serves this page and the API.
    const result = body as VerificationResult;
    const readAs = country === VISITOR ? headers.get("Read-As") : country;
    return { outcome: "answered", result, took, remaining: rateLimitOf(headers).remaining, readAs };
  } catch {
    signal.throwIfAborted();
    return { outcome: "unreachable" };
  }
}

export type LookUpState = { readonly outcome: "idle" | "pending" } | LookUp;

export type Answered = Extract<LookUp, { outcome: "answered" }> & {
  readonly question: Question;
  /** Counts the results, so that each is drawn again. */
  readonly turn: number;
};

interface LookUpControls {
  readonly state: LookUpState;
  /** The last lookup, whatever came of it. */
  readonly last: Question | null;
  /** The last result, unless a question about another number has failed since. */
  readonly answer: Answered | null;
  ask(question: Question): void;
}

/** Looks up one number at a time; a new lookup aborts the previous one. */
export function useLookUp(): LookUpControls {
  const [state, setState] = useState<LookUpState>({ outcome: "idle" });
  const [last, setLast] = useState<Question | null>(null);
  const [answer, setAnswer] = useState<Answered | null>(null);
  const turn = useRef(0);
  const running = useRef<AbortController | null>(null);

  useEffect(() => () => running.current?.abort(), []);

  // Waits out the limit, second by second, so that the page can show the remaining time.
  const wait = state.outcome === "limited" ? state.retryAfter : null;
  useEffect(() => {
    if (wait === null) return;
    const timer = setTimeout(
      () => setState(wait > 1 ? { outcome: "limited", retryAfter: wait - 1 } : { outcome: "idle" }),
      1000,
    );
    return () => clearTimeout(timer);
  }, [wait]);

  /**
   * Enter gets here even while the button is inactive: with nothing typed, during the wait, or for the pending lookup.
   */
  async function ask(question: Question): Promise<void> {
    if (question.number.trim() === "" || state.outcome === "limited") return;
    if (state.outcome === "pending" && last !== null && isSame(question, last)) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ outcome: "pending" });
    setLast(question);
    const found = await lookUp(question, controller.signal).catch(() => null);
    if (found === null || controller.signal.aborted) return;
    setState(found);
    if (found.outcome === "answered") setAnswer({ ...found, question, turn: (turn.current += 1) });
    // What came of another number would pass for the result of this one.
    else setAnswer((before) => (before !== null && isSame(question, before.question) ? before : null));
  }

  return { state, last, answer, ask: (question) => void ask(question) };
}

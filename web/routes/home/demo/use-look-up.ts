import { useEffect, useRef, useState } from "react";
import { lookUp } from "./look-up.ts";
import type { LookUp } from "./look-up.ts";

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

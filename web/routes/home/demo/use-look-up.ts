import { useEffect, useRef, useState } from "react";
import { lookUp } from "./look-up.ts";
import type { LookUp } from "./look-up.ts";

export type LookUpState = { readonly outcome: "idle" } | { readonly outcome: "asking" } | LookUp;

export interface AskedLookUp {
  readonly state: LookUpState;
  /** The number that the state speaks of. */
  readonly asked: string;
  /** Counts the answers, so that each is drawn anew. */
  readonly turn: number;
  ask(number: string): void;
}

/** Asks the engine about one number at a time; a new question ends the one before. */
export function useLookUp(): AskedLookUp {
  const [state, setState] = useState<LookUpState>({ outcome: "idle" });
  const [asked, setAsked] = useState("");
  const [turn, setTurn] = useState(0);
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

  async function ask(number: string): Promise<void> {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setAsked(number);
    setState({ outcome: "asking" });
    const found = await lookUp(number, controller.signal).catch(() => null);
    if (found === null || controller.signal.aborted) return;
    setTurn((before) => before + 1);
    setState(found);
  }

  return { state, asked, turn, ask: (number) => void ask(number) };
}

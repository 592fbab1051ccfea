import { useEffect, useRef, useState } from "react";
import { callVerify } from "../../../../lib/api/verify-call.ts";
import { stateAfter } from "./call-state.ts";
import type { CallState } from "./call-state.ts";

/** One call at a time; a new one ends the one before, and `clear` ends it or takes its answer away. `wait` counts down the seconds that a 429 asked for. */
export function useCall() {
  const [state, setState] = useState<CallState>({ outcome: "idle" });
  const [wait, setWait] = useState(0);
  const running = useRef<AbortController | null>(null);

  useEffect(() => () => running.current?.abort(), []);

  useEffect(() => {
    if (wait === 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);

  async function call(key: string, number: string): Promise<void> {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ outcome: "calling" });
    const answer = await callVerify(key, number, controller.signal).catch(() => null);
    if (controller.signal.aborted) return;
    const found = stateAfter(answer);
    if (found.outcome === "answered") setWait(found.retryAfter ?? 0);
    setState(found);
  }

  function clear(): void {
    running.current?.abort();
    setState({ outcome: "idle" });
  }

  return { state, wait, clear, call: (key: string, number: string) => void call(key, number) };
}

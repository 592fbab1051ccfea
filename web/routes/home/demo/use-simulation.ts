import { useEffect, useState } from "react";
import { RECHECK_MS, simulate } from "./simulate.ts";
import type { Simulation } from "./simulate.ts";

/** The simulation's verdict on an input, made anew once typing has paused; `checking` until then. */
export function useSimulation(input: string): { readonly verdict: Simulation; readonly checking: boolean } {
  const [checked, setChecked] = useState({ input, verdict: simulate(input) });
  useEffect(() => {
    const timer = setTimeout(() => setChecked({ input, verdict: simulate(input) }), RECHECK_MS);
    return () => clearTimeout(timer);
  }, [input]);
  return { verdict: checked.verdict, checking: checked.input !== input };
}

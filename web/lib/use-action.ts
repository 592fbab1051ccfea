import { useRef, useState } from "react";

export interface Action {
  readonly busy: boolean;
  /** Does the work unless it is already running: a double click does it once. */
  run(work: () => Promise<void>): void;
}

/** One action at a time. Unlike a mutation of the query client, it keeps nothing of the work's result. */
export function useAction(): Action {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);

  async function run(work: () => Promise<void>): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return { busy, run: (work) => void run(work) };
}

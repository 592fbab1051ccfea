import { useRef, useState } from "react";
export interface Action {
  readonly busy: boolean;
  /** Why the last run failed; null otherwise. */
  readonly problem: string | null;
  /** Does the work unless it is already running: a double click does it once. */
  run(work: () => Promise<void>): void;
}

/**
 * One action at a time. Unlike a mutation of the query client, it keeps nothing of the work's result.
 *
 * @param messageOf the problem to show for an error, if any. Without it, the work handles its errors.
 */
export function useAction(messageOf?: (error: unknown) => string | null | undefined): Action {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function run(work: () => Promise<void>): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      if (!messageOf) throw error;
      setProblem(messageOf(error) ?? null);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return { busy, problem, run: (work) => void run(work) };
}

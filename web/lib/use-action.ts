import { useRef, useState } from "react";
import { ApiFailure } from "./api/failure.ts";

type Errors = Readonly<Record<string, string>>;

export interface Action {
  readonly busy: boolean;
  /** Problems with fields, by name: the server's, and those from `setErrors`. */
  readonly errors: Errors;
  setErrors(errors: Errors): void;
  /** Why the last run failed, unless it was about a field; null otherwise. */
  readonly problem: string | null;
  /** Does the work unless it is already running: a double click does it once. */
  run(work: () => Promise<void>): void;
}

/**
 * One action at a time. Unlike a mutation of the query client, it keeps nothing of the work's result.
 *
 * @param messageOf the problem to show for an error; null for none. Without it, the work handles its errors.
 */
export function useAction(messageOf?: (error: unknown) => string | null): Action {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [problem, setProblem] = useState<string | null>(null);

  async function run(work: () => Promise<void>): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setErrors({});
    setProblem(null);
    try {
      await work();
    } catch (error) {
      if (!messageOf) throw error;
      const fields = error instanceof ApiFailure ? error.fields : {};
      setErrors(fields);
      if (Object.keys(fields).length === 0) setProblem(messageOf(error));
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return { busy, errors, setErrors, problem, run: (work) => void run(work) };
}

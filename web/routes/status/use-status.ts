import { useCallback, useEffect, useRef, useState } from "react";
import { API_BASE_PATH } from "../../../contract/origin.ts";
import type { Status } from "../../../contract/status.ts";

const TIMEOUT_MS = 10_000;

/** Why there is no answer: this device has no network, or the service did not give one that can be used. */
export type NoAnswer = "offline" | "unanswered";

function isStatus(body: unknown): body is Status {
  const { components } = (body ?? {}) as { components?: unknown };
  return Array.isArray(components);
}

/**
 * Asks the service how it is.
 * @param signal ends the call; the promise then rejects with its reason, as nobody waits for the answer any more
 */
async function readStatus(signal: AbortSignal): Promise<Status | NoAnswer> {
  try {
    const response = await fetch(`${API_BASE_PATH}/status`, {
      headers: { Accept: "application/json" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const body: unknown = await response.json();
    return response.ok && isStatus(body) ? body : "unanswered";
  } catch {
    signal.throwIfAborted();
    return navigator.onLine ? "unanswered" : "offline";
  }
}

const REFRESH_MS = 60_000;
const TICK_MS = 15_000;

export interface AskedStatus {
  /** The last answer; null until there is one. */
  readonly status: Status | null;
  /** Why the last try has brought none; null when it has. */
  readonly problem: NoAnswer | null;
  readonly asking: boolean;
  /** The present by the service's clock, in milliseconds since the Unix epoch; 0 without an answer. */
  readonly now: number;
  ask(): void;
}

/** An answer, and when it came, on a clock that nobody can set. */
interface Answer {
  readonly status: Status;
  readonly at: number;
}

/** Asks at once, every minute while the page is in sight, when it comes back into sight, and when the network does. */
export function useStatus(): AskedStatus {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState<NoAnswer | null>(null);
  const [asking, setAsking] = useState(true);
  const [clock, setClock] = useState(0);
  const running = useRef<AbortController | null>(null);

  const ask = useCallback(async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setAsking(true);
    const found = await readStatus(controller.signal).catch(() => null);
    if (found === null || controller.signal.aborted) return;
    setAsking(false);
    setClock(performance.now());
    if (typeof found === "string") return setProblem(found);
    setProblem(null);
    setAnswer({ status: found, at: performance.now() });
  }, []);

  useEffect(() => {
    const inSight = () => void (document.visibilityState === "visible" && ask());
    inSight();
    const refresh = setInterval(inSight, REFRESH_MS);
    const tick = setInterval(() => setClock(performance.now()), TICK_MS);
    document.addEventListener("visibilitychange", inSight);
    addEventListener("online", inSight);
    return () => {
      running.current?.abort();
      clearInterval(refresh);
      clearInterval(tick);
      document.removeEventListener("visibilitychange", inSight);
      removeEventListener("online", inSight);
    };
  }, [ask]);

  const now = answer === null ? 0 : Date.parse(answer.status.answered_at) + Math.max(0, clock - answer.at);
  return { status: answer?.status ?? null, problem, asking, now, ask: () => void ask() };
}

import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { service } from "../../../contract/endpoints/service.ts";
import type { Status } from "../../../contract/status.ts";
import { send } from "../../lib/api/send.ts";

/** Why there is no current status: this device is offline, or there was no usable response. */
export type NoAnswer = "offline" | "unanswered";

/** @throws the signal's reason when it was aborted */
async function readStatus(signal: AbortSignal): Promise<{ status: Status; took: number } | NoAnswer> {
  try {
    const { ok, body, took } = await send(service.status, {}, { signal, timeout: 10_000 });
    return ok && body !== null ? { status: body as Status, took } : "unanswered";
  } catch {
    signal.throwIfAborted();
    return navigator.onLine ? "unanswered" : "offline";
  }
}

const REFRESH_MS = 60_000;
const TICK_MS = 15_000;

export interface LiveStatus {
  /** The last status; null until there is one. */
  readonly status: Status | null;
  /** Why the last attempt failed; null if it succeeded. */
  readonly problem: NoAnswer | null;
  readonly isPending: boolean;
  /** Duration of the last response, in milliseconds. */
  readonly took: number;
  /** The current time by the service's clock, in milliseconds since the Unix epoch; 0 without a status. */
  readonly now: number;
  ask(): void;
}

/** A status, and when it arrived, on the monotonic clock. */
interface Received {
  readonly status: Status;
  readonly took: number;
  readonly at: number;
}

/**
 * Fetches immediately, every minute while the page is visible, when it becomes visible again, and when the network
 * returns.
 */
export function useStatus(): LiveStatus {
  const [received, setReceived] = useState<Received | null>(null);
  const [problem, setProblem] = useState<NoAnswer | null>(null);
  const [isPending, setPending] = useState(true);
  const [clock, setClock] = useState(0);
  const running = useRef<AbortController | null>(null);

  const ask = useCallback(async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setPending(true);
    const found = await readStatus(controller.signal).catch(() => null);
    if (found === null || controller.signal.aborted) return;
    // Drawn in small steps, which a press can come between.
    startTransition(() => {
      setPending(false);
      setClock(performance.now());
      setProblem(typeof found === "string" ? found : null);
      if (typeof found !== "string") setReceived({ ...found, at: performance.now() });
    });
  }, []);

  useEffect(() => {
    const inSight = () => void (document.visibilityState === "visible" && ask());
    inSight();
    const refresh = setInterval(inSight, REFRESH_MS);
    const tick = setInterval(() => setClock(performance.now()), TICK_MS);
    const mounted = new AbortController();
    document.addEventListener("visibilitychange", inSight, { signal: mounted.signal });
    addEventListener("online", inSight, { signal: mounted.signal });
    return () => {
      mounted.abort();
      running.current?.abort();
      clearInterval(refresh);
      clearInterval(tick);
    };
  }, [ask]);

  const now = received === null ? 0 : Date.parse(received.status.answered_at) + Math.max(0, clock - received.at);
  return {
    status: received?.status ?? null,
    took: received?.took ?? 0,
    problem,
    isPending,
    now,
    ask: () => void ask(),
  };
}

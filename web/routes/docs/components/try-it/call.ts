import { useEffect, useRef, useState } from "react";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../../../../contract/sandbox.ts";
import { readToken } from "../../../../lib/session/token.ts";
import { retryAfterOf } from "../../../../lib/api/rate-limit.ts";
import { callVerify } from "../../../../lib/api/verify-call.ts";
import type { CredentialOrNone, VerifyAnswer } from "../../../../lib/api/verify-call.ts";

const TEST_KEY = /^ch_test_[0-9A-Za-z]{36}$/;

const SANDBOX: readonly string[] = [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES].map(({ number }) => number);

/** What to send a number with: the key, if there is one; nothing for the sandbox's numbers; the visitor's session; or the demo. */
export function credentialFor(key: string, number: string): CredentialOrNone {
  if (key !== "") return { key };
  if (SANDBOX.includes(number)) return "sandbox";
  return readToken() === null ? "demo" : { session: "test" };
}

/** The problem with a key before it is sent; null if there is none. A live key never leaves the page. */
export function keyProblem(key: string): string | null {
  if (key === "") return null;
  if (key.startsWith("ch_live_")) return "This is a live key. Keep it on your server, and use a test key here.";
  if (!key.startsWith("ch_test_")) return "Test keys start with ch_test_.";
  return TEST_KEY.test(key) ? null : "This key is incomplete. Test keys are 44 characters long.";
}

/**
 * The problem with a number before it is sent; null if there is none. Problems with its text are for the API to report.
 */
export function numberProblem(number: string): string | null {
  return number === "" ? "Choose a scenario, or enter a number." : null;
}

/** Characters that need no escaping in JSON, a shell, and all languages of the samples. */
const PLAIN = /^[0-9A-Za-z+(). /#*,;-]+$/;

/** Whether a text fits in every sample unescaped. */
export function isPlain(number: string): boolean {
  return PLAIN.test(number);
}

/** The response headers that callers should know, in display order. */
const SHOWN_HEADERS = ["X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After", "Server-Timing"] as const;

/** Seconds to wait if a 429 does not say how many. */
const DEFAULT_WAIT = 60;

/** What arrived. */
export interface Answer {
  readonly outcome: "answered";
  readonly status: number;
  /** Milliseconds until the whole response was there. */
  readonly took: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Indented when it is JSON. */
  readonly body: string;
  readonly html: string;
  /** Seconds to wait after a 429; null after anything else. */
  readonly retryAfter: number | null;
}

export type CallState = { readonly outcome: "idle" | "calling" | "unreachable" } | Answer;

/** What the console shows for a call; its response is null when none arrived. */
function stateAfter(answer: VerifyAnswer | null): CallState {
  if (answer === null) return { outcome: "unreachable" };
  const { status, took, headers, text, html } = answer;
  return {
    outcome: "answered",
    status,
    took,
    headers: SHOWN_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    body: text,
    html,
    retryAfter: status === 429 ? Math.max(1, retryAfterOf(headers) ?? DEFAULT_WAIT) : null,
  };
}

/** One sentence on a call for screen readers; it does not change during the countdown. */
export function announcement(state: CallState): string {
  switch (state.outcome) {
    case "idle":
    case "unreachable": // An alert says it.
      return "";
    case "calling":
      return "Sending…";
    case "answered": {
      const { status, retryAfter } = state;
      const again =
        retryAfter === null ? "" : ` Try again in ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}.`;
      return `Status ${status}. The response is below.${again}`;
    }
  }
}

/**
 * One call at a time; a new one aborts the previous, and `clear` aborts it or removes its response. `wait` counts down
 * the seconds that a 429 asked for.
 */
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

  async function call(credential: CredentialOrNone, number: string): Promise<void> {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ outcome: "calling" });
    const answer = await callVerify(credential, { number }, controller.signal).catch(() => null);
    if (controller.signal.aborted) return;
    const found = stateAfter(answer);
    if (found.outcome === "answered") setWait(found.retryAfter ?? 0);
    setState(found);
  }

  function clear(): void {
    running.current?.abort();
    setState({ outcome: "idle" });
  }

  return { state, wait, clear, send: (credential: CredentialOrNone, number: string) => void call(credential, number) };
}

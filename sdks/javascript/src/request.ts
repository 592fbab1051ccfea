import type { Answer } from "./answer.js";
import { ConnectionError } from "./errors.js";
import type { RateLimit, ResponseInfo } from "./result.js";

/** The options that the client passes to fetch. */
export interface FetchInit {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

/** The part of a streamed body that the client uses; every `ReadableStream` has it. */
export interface ByteStream {
  getReader(): ByteReader;
}

export interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** The part of a response that the client uses; every `Response` has it. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** Only needed for `lookupStream`. */
  readonly body?: ByteStream | null;
}

/** The platform's `fetch`, or a replacement. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** A request as it is sent each time, and how. */
export interface Call {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  /** No response is final: the request has no Idempotency-Key, and its numbers may have been counted. */
  readonly isSentOnce?: boolean;
  readonly maxRetries: number;
  /** A longer requested delay isn't waited for. */
  readonly maxWaitMs: number;
  readonly onResponse: ((response: ResponseInfo) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The longest time that timers support. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Sends a request, and retries after 429, 5xx, and, unless it's sent once, connection errors.
 * @throws ConnectionError if there's no complete response; the reason of `signal` if it aborted
 */
export async function send(call: Call): Promise<Answer> {
  for (let retries = 0; ; retries += 1) {
    call.signal?.throwIfAborted();
    const outcome = await attempt(call, retries + 1);
    if (!(outcome instanceof ConnectionError)) call.onResponse?.(outcome.response);
    const pause = retries < call.maxRetries ? pauseMs(outcome, retries, call) : null;
    if (pause !== null) await sleep(pause, call.signal);
    else if (outcome instanceof ConnectionError) throw outcome;
    else return outcome;
  }
}

/** The delay before the next attempt, or null if there's none. */
function pauseMs(outcome: Answer | ConnectionError, retries: number, { isSentOnce, maxWaitMs }: Call): number | null {
  if (outcome instanceof ConnectionError) {
    if (isSentOnce === true) return null;
  } else {
    const { retryAfter } = outcome;
    const { status } = outcome.response;
    if (status === null || (status !== 429 && (status < 500 || status > 599))) return null;
    if (retryAfter !== null && (status === 429 || status === 503)) {
      return retryAfter * 1000 <= maxWaitMs ? retryAfter * 1000 : null;
    }
  }
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** retries, LONGEST_PAUSE_MS);
  return (longest / 2) * (1 + Math.random());
}

/** One request and its response, including the body, within the timeout. */
async function attempt(call: Call, attempts: number): Promise<Answer | ConnectionError> {
  const { signal, timeoutMs } = call;
  const { host } = new URL(call.url);
  const controller = new AbortController();
  const abort = () => controller.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    abort();
  }, timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    // The race ends the attempt even if an injected fetch ignores its signal.
    return await Promise.race([exchange(call, attempts, controller.signal), aborted(controller.signal)]);
  } catch (error) {
    signal?.throwIfAborted();
    if (late)
      return new ConnectionError(`No whole response came from ${host} within ${timeoutMs} ms.`, { code: "TIMEOUT" });
    return connectionErrorOf(error, host);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function exchange(call: Call, attempts: number, signal: AbortSignal): Promise<Answer> {
  const { url, method, headers, body, fetch } = call;
  const started = performance.now();
  const init = { method, headers, redirect: "manual", signal } as const;
  const response = await fetch(url, body === undefined ? init : { ...init, body });
  const text = await response.text();
  return {
    response: {
      // Browsers show only status 0 for a redirect.
      status: response.status === 0 ? null : response.status,
      requestId: response.headers.get("X-Request-Id"),
      attempt: attempts,
      durationMs: performance.now() - started,
      rateLimits: rateLimitsOf(response.headers.get("RateLimit") ?? ""),
    },
    retryAfter: secondsOf(response.headers.get("Retry-After")?.trim() ?? ""),
    body: parsed(text),
  };
}

/** What `RateLimit` says: `"requests";r=59;t=60, "numbers";r=599;t=60`. */
function rateLimitsOf(header: string): Record<string, RateLimit> {
  const limits = header.matchAll(/"(\w+)";r=(\d{1,15});t=(\d{1,15})(?!\d)/g);
  return Object.fromEntries(
    Array.from(limits, ([, name, remaining, seconds]) => [
      name,
      { remaining: Number(remaining), resetSeconds: Number(seconds) },
    ]),
  );
}

/** The seconds in `Retry-After`, from a whole number of at most nine digits or a date, or null if it's neither. */
function secondsOf(retryAfter: string): number | null {
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const date = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(retryAfter) ? Date.parse(retryAfter) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Shows only the system code, such as ECONNREFUSED, because the rest may show the request and its key. */
export function connectionErrorOf(thrown: unknown, host: string): ConnectionError {
  const { code, cause } = (thrown ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const told = [cause?.code, code].find((name) => typeof name === "string" && /^[A-Z][A-Z0-9_]*$/.test(name));
  return new ConnectionError(`The connection to ${host} failed${told === undefined ? "" : ` (${told})`}.`, {
    code: /TIMEOUT|TIMEDOUT/.test(String(told)) ? "TIMEOUT" : "CONNECTION_FAILED",
  });
}

/** Rejects if the signal aborts. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Waits. @throws the signal's reason as soon as it aborts. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

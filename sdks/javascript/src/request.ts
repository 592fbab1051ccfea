import type { Answer } from "./answer.js";
import { ConnectionError } from "./errors.js";
import type { RateLimit, ResponseInfo } from "./result.js";

/** What the client passes to fetch, besides the address. */
export interface FetchInit {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

/** The part of a streamed body that the client needs; every `ReadableStream` has it. */
export interface ByteStream {
  getReader(): ByteReader;
}

export interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** The part of a response that the client needs; every `Response` has it. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** Required only for `lookupStream`. */
  readonly body?: ByteStream | null;
}

/** The platform's `fetch`, or a compatible replacement. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** A request and how to send it. */
export interface Call {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  /** The time limit of the call, with its retries and pauses. */
  readonly deadlineMs: number;
  /** Not retried without a response: the request has no Idempotency-Key, and its numbers may have been counted. */
  readonly isSentOnce?: boolean;
  readonly maxRetries: number;
  /** A longer pause is not waited for. */
  readonly maxWaitMs: number;
  readonly onResponse: ((response: ResponseInfo) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The longest a timer can run. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Sends a request, and retries after 429, 5xx and, unless it is sent once, connection errors. An attempt gets what is
 * left until the deadline, and a pause that doesn't fit isn't started.
 * @throws ConnectionError without a complete response; the reason of `signal` when that aborted.
 */
export async function send(call: Call): Promise<Answer> {
  const end = performance.now() + call.deadlineMs;
  for (let retries = 0; ; retries += 1) {
    call.signal?.throwIfAborted();
    const outcome = await attempt(call, retries + 1, Math.min(call.timeoutMs, end - performance.now()));
    if (!(outcome instanceof ConnectionError)) call.onResponse?.(outcome.response);
    const pause = retries < call.maxRetries ? pauseMs(outcome, retries, call) : null;
    if (pause !== null && pause < end - performance.now()) await sleep(pause, call.signal);
    else if (outcome instanceof ConnectionError) throw outcome;
    else return outcome;
  }
}

/** How long to wait before resending the request, or null to give up. */
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

/** One request and its response, body included, within the timeout. */
async function attempt(call: Call, attempts: number, timeoutMs: number): Promise<Answer | ConnectionError> {
  const { signal } = call;
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
    if (late) return timeoutOf(host);
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
      // Browsers hide a redirect behind status 0.
      status: response.status === 0 ? null : response.status,
      requestId: response.headers.get("X-Request-Id"),
      dataVersion: response.headers.get("Data-Version"),
      attempt: attempts,
      durationMs: performance.now() - started,
      rateLimits: rateLimitsOf(response.headers.get("RateLimit") ?? ""),
    },
    retryAfter: secondsOf(response.headers.get("Retry-After")?.trim() ?? ""),
    body: parsed(text),
  };
}

/** Parses `RateLimit`: `"requests";r=59;t=60, "numbers";r=599;t=60`. */
function rateLimitsOf(header: string): Record<string, RateLimit> {
  const limits = header.matchAll(/"(\w+)";r=(\d{1,15});t=(\d{1,15})(?!\d)/g);
  return Object.fromEntries(
    Array.from(limits, ([, name, remaining, seconds]) => [
      name,
      { remaining: Number(remaining), resetSeconds: Number(seconds) },
    ]),
  );
}

/** The seconds in `Retry-After`, given as an integer of at most nine digits or as a date, or null otherwise. */
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

export function timeoutOf(host: string): ConnectionError {
  return new ConnectionError(`No complete response from ${host} in time.`, { code: "TIMEOUT" });
}

/** Shows only the system's error code, such as ECONNREFUSED: the rest may contain the request, and with it the key. */
export function connectionErrorOf(thrown: unknown, host: string): ConnectionError {
  const { code, cause } = (thrown ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const told = [cause?.code, code].find((name) => typeof name === "string" && /^[A-Z][A-Z0-9_]*$/.test(name));
  if (/TIMEOUT|TIMEDOUT/.test(String(told))) return timeoutOf(host);
  const why = told === undefined ? "" : ` (${told})`;
  return new ConnectionError(`The connection to ${host} failed${why}.`, { code: "CONNECTION_FAILED" });
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

import type { Answer } from "./answer.js";
import { ConnectionError } from "./errors.js";

/** What the client gives to fetch, beside the address. */
export interface FetchInit {
  readonly method: "POST";
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

/** What the client needs of a body that is read as it comes; every `ReadableStream` has it. */
export interface ByteStream {
  getReader(): ByteReader;
}

export interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** What the client needs of a response; every `Response` has it. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** Needed for `lookupStream` only. */
  readonly body?: ByteStream | null;
}

/** The platform's `fetch`, or anything that can stand in for it. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** A request as it is sent each time, and how. */
export interface Call {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly signal: AbortSignal | undefined;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** What asks for a longer pause is not tried again. */
const LONGEST_RETRY_AFTER_S = 30;

/**
 * Sends a request, and again after connection errors, 429 and 5xx.
 * @throws ConnectionError when no whole answer came; the reason of `signal` when that aborted.
 */
export async function send(call: Call): Promise<Answer> {
  for (let retries = 0; ; retries += 1) {
    call.signal?.throwIfAborted();
    const outcome = await attempt(call);
    const pause = retries < call.maxRetries ? pauseMs(outcome, retries) : null;
    if (pause !== null) await sleep(pause, call.signal);
    else if (outcome instanceof ConnectionError) throw outcome;
    else return outcome;
  }
}

/** How long to wait before the request is sent again, or null when it is not. */
function pauseMs(outcome: Answer | ConnectionError, retries: number): number | null {
  if (!(outcome instanceof ConnectionError)) {
    const { status, retryAfter } = outcome;
    if (status === null || (status !== 429 && (status < 500 || status > 599))) return null;
    if (retryAfter !== null && (status === 429 || status === 503)) {
      return retryAfter <= LONGEST_RETRY_AFTER_S ? retryAfter * 1000 : null;
    }
  }
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** retries, LONGEST_PAUSE_MS);
  return (longest / 2) * (1 + Math.random());
}

/** One request and its answer, body included, within the time-out. */
async function attempt({ signal, fetch, timeoutMs, ...request }: Call): Promise<Answer | ConnectionError> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    abort();
  }, timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    // The race ends the attempt even where an injected fetch takes no notice of its signal.
    return await Promise.race([exchange(request, fetch, controller.signal), aborted(controller.signal)]);
  } catch (error) {
    signal?.throwIfAborted();
    if (late) return new ConnectionError(`No whole answer came within ${timeoutMs} ms.`, { code: "TIMEOUT" });
    return connectionErrorOf(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function exchange(
  { url, headers, body }: Pick<Call, "url" | "headers" | "body">,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
  const retryAfter = response.headers.get("Retry-After")?.trim() ?? "";
  return {
    // Browsers show a redirect as status 0, and nothing else of it.
    status: response.status === 0 ? null : response.status,
    requestId: response.headers.get("X-Request-Id"),
    retryAfter: /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null,
    body: parsed(await response.text()),
  };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Of what was thrown only the system's code is told, such as ECONNREFUSED: the rest may show the request, and with it the key. */
export function connectionErrorOf(thrown: unknown): ConnectionError {
  const { code, cause } = (thrown ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const told = [cause?.code, code].find((name) => typeof name === "string" && /^[A-Z][A-Z0-9_]*$/.test(name));
  return new ConnectionError(told === undefined ? "The connection failed." : `The connection failed (${told}).`, {
    code: /TIMEOUT|TIMEDOUT/.test(String(told)) ? "TIMEOUT" : "CONNECTION_FAILED",
  });
}

/** Rejects when the signal aborts. */
function aborted(signal: AbortSignal): Promise<never> {
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

import { errorOf, resultOf, unexpectedResponse } from "./answer.js";
import { ServerError } from "./errors.js";
import type { ChecklineError, InvalidRequestError, VerificationFailedError } from "./errors.js";
import { aborted, connectionErrorOf, MAX_TIMEOUT_MS, parsed, send, sleep, timeoutOf } from "./request.js";
import type { ByteStream, Call, FetchResponse } from "./request.js";
import type { LookupResult } from "./lookup-result.js";
import type { ResponseInfo } from "./result.js";

export type StreamItem = LookupResult | VerificationFailedError | InvalidRequestError;

/** How many lines to send at a time: few enough for a connection's buffers, however slowly the response is read. */
const MOST_LINES = 500;
const MOST_CHARACTERS = 32_768;
/** The service's keep-alive interval, added to the client's own timeout. */
const SIGN_MS = 10_000;

/** A response whose headers have arrived, and how to abort it. */
interface Opened {
  readonly body: ByteStream;
  readonly response: ResponseInfo;
  readonly stop: AbortController;
}

/** The longest wait for the next chunk of a response, in milliseconds. */
function longestWait(timeoutMs: number): number {
  return Math.min(timeoutMs + SIGN_MS, MAX_TIMEOUT_MS);
}

/** Yields the results of numbers in order. `lineOf` returns one number's JSON; its position counts from 0. */
export async function* streamResults<Item>(
  numbers: Iterable<Item> | AsyncIterable<Item>,
  lineOf: (item: Item, index: number) => string,
  call: Omit<Call, "body">,
): AsyncGenerator<StreamItem, void, undefined> {
  let lines: string[] = [];
  let size = 0;
  let index = 0;
  for await (const item of numbers) {
    const line = `${lineOf(item, index)}\n`;
    index += 1;
    lines.push(line);
    size += line.length;
    if (lines.length < MOST_LINES && size < MOST_CHARACTERS) continue;
    yield* resultsOf(lines, call);
    lines = [];
    size = 0;
  }
  if (lines.length > 0) yield* resultsOf(lines, call);
}

/** The results of one request's lines. After a temporary failure, resends from the first line without a response. */
async function* resultsOf(lines: readonly string[], call: Omit<Call, "body">): AsyncGenerator<StreamItem> {
  let rest = lines;
  for (let retries = 0; ; retries += 1) {
    let answered = 0;
    let ending: { readonly error: ChecklineError; readonly wait: number } | null = null;
    const opened = await open({ ...call, body: rest.join("") });
    try {
      for await (const text of linesOf(opened, call)) {
        const fields = parsed(text) as Record<string, unknown> | null | undefined;
        const item = itemOf(fields, opened.response);
        if (fields?.["ended"] === true && item instanceof Error) {
          ending = { error: item, wait: Number(fields["retry_after"]) };
          break;
        }
        if (answered === rest.length || item instanceof ServerError) throw unexpected(opened);
        answered += 1;
        yield item as StreamItem;
      }
    } finally {
      opened.stop.abort();
    }
    rest = rest.slice(answered);
    if (ending === null) {
      if (rest.length > 0) throw unexpected(opened);
      return;
    }
    const waitMs = ending.wait * 1000;
    const mayRetry = ending.error.status === 503 && retries < call.maxRetries && waitMs <= call.maxWaitMs;
    if (!mayRetry) throw ending.error;
    await sleep(waitMs, call.signal);
  }
}

function unexpected({ response: { requestId } }: Opened): ServerError {
  return new ServerError(unexpectedResponse(200), { code: "UNEXPECTED_RESPONSE", status: 200, requestId });
}

/** Parses a line: a result, or the same error as a single call's. */
function itemOf(
  fields: Record<string, unknown> | null | undefined,
  response: ResponseInfo,
): LookupResult | ChecklineError {
  const result = resultOf(fields, response);
  if (result !== null) return result;
  const status = fields?.["http_status"];
  const retryAfter = fields?.["retry_after"];
  return errorOf({
    response: { ...response, status: typeof status === "number" ? status : 200 },
    retryAfter: typeof retryAfter === "number" ? retryAfter : null,
    body: fields,
  });
}

/**
 * Sends a request and waits for its response's headers, reading the body only for errors. @throws ChecklineError unless
 * it is a 200
 */
async function open(call: Call): Promise<Opened> {
  let stop = new AbortController();
  let body: ByteStream | null | undefined;
  const answer = await send({
    ...call,
    timeoutMs: longestWait(call.timeoutMs),
    deadlineMs: Infinity,
    isSentOnce: true,
    async fetch(url, init): Promise<FetchResponse> {
      // Each attempt has its own.
      const current = (stop = new AbortController());
      init.signal.addEventListener("abort", () => current.abort(), { once: true });
      const response = await call.fetch(url, { ...init, signal: current.signal });
      if (response.status !== 200) return response;
      ({ body } = response);
      return { status: 200, headers: response.headers, text: async () => "" };
    },
  });
  if (answer.response.status !== 200) throw errorOf(answer);
  if (!body) throw new TypeError("fetch gives no body that can be read as a stream.");
  return { body, response: answer.response, stop };
}

/** The nonempty lines of a response. @throws ConnectionError when it is cut off, or nothing arrives for too long */
async function* linesOf(
  { body, stop }: Opened,
  { url, timeoutMs, signal }: Omit<Call, "body">,
): AsyncGenerator<string> {
  const { host } = new URL(url);
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let isLate = false;
  const abort = () => stop.abort();
  signal?.addEventListener("abort", abort, { once: true });
  // The race ends even if an injected fetch ignores its signal.
  const ended = aborted(stop.signal);
  ended.catch(() => {});
  try {
    for (;;) {
      signal?.throwIfAborted();
      const timer = setTimeout(() => {
        isLate = true;
        abort();
      }, longestWait(timeoutMs));
      const { done, value } = await Promise.race([reader.read(), ended]).finally(() => clearTimeout(timer));
      if (done) break;
      const lines = (text + decoder.decode(value, { stream: true })).split("\n");
      text = lines.pop()!;
      yield* lines.filter((line) => line !== "");
    }
    if (text !== "") yield text;
  } catch (error) {
    signal?.throwIfAborted();
    if (isLate) throw timeoutOf(host);
    throw connectionErrorOf(error, host);
  } finally {
    signal?.removeEventListener("abort", abort);
    reader.cancel().catch(() => {});
  }
}

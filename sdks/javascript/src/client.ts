import { errorOf, itemsOf, onlyResultOf, quotaOf } from "./answer.js";
import type { Answer } from "./answer.js";
import type { InvalidRequestError, VerificationFailedError } from "./errors.js";
import { MAX_TIMEOUT_MS, send } from "./request.js";
import { streamResults } from "./stream.js";
import type { Call, Fetch } from "./request.js";
import type { LineType, LookupResult, NumberType } from "./lookup-result.js";
import type { Quota, ResponseInfo, VerifyResult } from "./result.js";

const DEFAULT_BASE_URL = "https://checkline.example";
const USER_AGENT = "checkline-javascript/1.0.0";

/** The most numbers in one request. */
const MAX_BATCH = 100;

export interface ChecklineOptions {
  /** The API key. Defaults to the environment variable `CHECKLINE_API_KEY`. */
  readonly apiKey?: string | undefined;
  /**
   * The service's address, with or without a trailing `/api/v1`. Defaults to the environment variable
   * `CHECKLINE_BASE_URL`, then the official address.
   */
  readonly baseUrl?: string | undefined;
  /** The time limit of one attempt, from connecting to the end of the body, in milliseconds. 10,000 by default. */
  readonly timeoutMs?: number | undefined;
  /**
   * The time limit of a whole call, with its retries and waits, in milliseconds; for a list, of each request. A wait that
   * doesn't fit isn't started: the call fails immediately. A stream has none. None by default.
   */
  readonly deadlineMs?: number | undefined;
  /** How often to retry a call after connection errors, 429, and 5xx. 2 by default. */
  readonly maxRetries?: number | undefined;
  /**
   * The longest `Retry-After` wait to accept, in milliseconds. If the service asks for more, the call fails
   * immediately. 60,000 by default.
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * Called with each response, for logging; it contains neither the number nor the key. If it throws, so does the call.
   */
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
  /** Makes the requests, instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

export interface CallOptions {
  /** ISO 3166-1 alpha-2 country of numbers in national format, for example `BR`. */
  readonly country?: string | null | undefined;
  /** ISO 3166-1 alpha-2 country that numbers must belong to. Sets `accepted`. */
  readonly expectCountry?: string | null | undefined;
  /** Number types to accept, for example `["mobile"]`. Sets `accepted`. */
  readonly acceptTypes?: readonly NumberType[] | null | undefined;
  /** Line types to accept, for example `["mobile", "unknown"]`. Sets `accepted`. */
  readonly acceptLineTypes?: readonly (LineType | "unknown")[] | null | undefined;
  /** Whether to reject numbers in unassigned ranges. Sets `accepted`. */
  readonly rejectUnallocated?: boolean | null | undefined;
  /**
   * Calls with the same key and the same numbers count once: 1 to 255 printable ASCII characters without spaces. By
   * default, each call has a new one.
   */
  readonly idempotencyKey?: string | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  /** The most concurrent requests. 4 by default. */
  readonly concurrency?: number | undefined;
}

export type StreamOptions = Omit<CallOptions, "idempotencyKey">;

/** A number with its own options, in place of the call's. */
export interface PhoneNumber {
  readonly number: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | null | undefined;
  /** ISO 3166-1 alpha-2 country that it must belong to. */
  readonly expectCountry?: string | null | undefined;
}

/** A number of a list or stream. */
export type NumberInput = string | PhoneNumber;

/** Keeps this list in sync with the type: a missing or unknown name does not compile. */
const CLIENT_OPTIONS = Object.keys({
  apiKey: true,
  baseUrl: true,
  timeoutMs: true,
  deadlineMs: true,
  maxRetries: true,
  maxWaitMs: true,
  onResponse: true,
  fetch: true,
} satisfies Record<keyof ChecklineOptions, true>);
const CALL_OPTIONS = Object.keys({
  country: true,
  expectCountry: true,
  acceptTypes: true,
  acceptLineTypes: true,
  rejectUnallocated: true,
  idempotencyKey: true,
  signal: true,
} satisfies Record<keyof CallOptions, true>);

const STREAM_OPTIONS = CALL_OPTIONS.filter((name) => name !== "idempotencyKey");
const ITEM_OPTIONS = Object.keys({ number: true, country: true, expectCountry: true } satisfies Record<
  keyof PhoneNumber,
  true
>);

/**
 * Plain JavaScript would ignore misspelled options, or a key passed as the options.
 * @throws TypeError naming the unknown option, without any value: it may be a key.
 */
function checkOptions(options: unknown, known: readonly string[]): void {
  if (Object.prototype.toString.call(options) !== "[object Object]") {
    throw new TypeError(`Options are an object, with any of ${known.join(", ")}.`);
  }
  checkNames(options as object, known);
}

/** Undefined values are ignored, even unknown ones: programs spread their settings. @throws TypeError */
function checkNames(values: object, known: readonly string[], place = ""): void {
  const unknown = Object.entries(values).find(([name, value]) => value !== undefined && !known.includes(name))?.[0];
  if (unknown !== undefined)
    throw new TypeError(`${place}There is no option ${unknown}. There are: ${known.join(", ")}.`);
}

/** An environment variable, if the platform has them and lets the program read it. */
function environment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

const NO_SUCH_URL =
  "The base URL must be an https URL without user, query, or fragment; http is only for localhost, 127.0.0.1, and [::1].";

/** The address without `/api/v1` and trailing slashes. @throws TypeError if requests can't be sent to it. */
function checkedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const plain = url !== null && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname;
  if (!plain) throw new TypeError(NO_SUCH_URL);
  // Building a package for a site replaces the default with the site's address.
  if (url.hostname.endsWith(".example")) {
    throw new TypeError("There's no service at a .example address. Pass baseUrl or set CHECKLINE_BASE_URL to yours.");
  }
  // Over http, anyone on the network path could read the key.
  if (url.protocol === "http:" && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) {
    throw new TypeError(NO_SUCH_URL);
  }
  // A host named "api" stays.
  return url.href.replace(/^(https?:\/\/[^/]+.*?)(\/+api\/v1)?\/*$/i, "$1");
}

/** @throws TypeError without the key, which fetch's own error would contain. */
function checkedKey(apiKey: string | undefined): string {
  if (apiKey === undefined) throw new TypeError("No API key. Pass apiKey or set CHECKLINE_API_KEY.");
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError("apiKey is empty or has characters that no key has.");
  }
  return apiKey;
}

/** JSON would accept anything, a promise as `{}`. @throws TypeError without the value. */
function checkText(value: unknown, name: string): void {
  if (typeof value !== "string") throw new TypeError(`${name} must be a string.`);
}

/** @throws TypeError without the values. */
function checkTexts(values: unknown, name: string): void {
  if (!Array.isArray(values)) throw new TypeError(`${name} must be an array of strings.`);
  // entries() includes holes too.
  for (const [index, value] of values.entries()) checkText(value, `${name}[${index}]`);
}

/** @throws TypeError for a key that the service would reject. */
function checkIdempotencyKey(key: string): void {
  if (typeof key !== "string" || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new TypeError("idempotencyKey must be 1 to 255 printable ASCII characters without spaces.");
  }
}

/**
 * 128 random bits in hexadecimal, after the prefix that marks an SDK's key for the service. Pages served over plain
 * http don't have `crypto.randomUUID`.
 */
function newIdempotencyKey(): string {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"));
  return `sdk-${bytes.join("")}`;
}

/** The body of a request. A lone surrogate, which JSON would pass on and other programs reject, becomes U+FFFD. */
function jsonOf(payload: object): string {
  return JSON.stringify(payload, (_, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value));
}

/** Options by the service's names. @throws TypeError */
function fieldsOf({ country, expectCountry, acceptTypes, acceptLineTypes, rejectUnallocated }: StreamOptions): object {
  if (country != null) checkText(country, "country");
  if (expectCountry != null) checkText(expectCountry, "expectCountry");
  if (acceptTypes != null) checkTexts(acceptTypes, "acceptTypes");
  if (acceptLineTypes != null) checkTexts(acceptLineTypes, "acceptLineTypes");
  if (rejectUnallocated != null && typeof rejectUnallocated !== "boolean") {
    throw new TypeError("rejectUnallocated must be true or false.");
  }
  return {
    country: country ?? undefined,
    expect_country: expectCountry ?? undefined,
    accept_types: acceptTypes ?? undefined,
    accept_line_types: acceptLineTypes ?? undefined,
    reject_unallocated: rejectUnallocated || undefined,
  };
}

/** A number of a list or stream by the service's names, with the options of its own. @throws TypeError */
function itemOf(item: NumberInput, name: string): Readonly<Record<string, string>> {
  if (typeof item === "string") return { number: item };
  if (Object.prototype.toString.call(item) !== "[object Object]") {
    throw new TypeError(`${name} must be a string, or an object with number, country, and expectCountry.`);
  }
  checkNames(item, ITEM_OPTIONS, `${name}: `);
  const { number, country, expectCountry } = item;
  checkText(number, `${name}.number`);
  if (country != null) checkText(country, `${name}.country`);
  if (expectCountry != null) checkText(expectCountry, `${name}.expectCountry`);
  return {
    number,
    ...(country != null && { country }),
    ...(expectCountry != null && { expect_country: expectCountry }),
  };
}

/** A number of a batch. @throws TypeError */
function batchItemOf(item: NumberInput, name: string): string | Readonly<Record<string, string>> {
  const own = itemOf(item, name);
  return Object.keys(own).length === 1 ? own["number"]! : own;
}

/** What varies between requests. */
type Request = Pick<Call, "method" | "signal"> & Partial<Pick<Call, "headers" | "body">>;

/** The numbers, a hundred at a time. */
async function* chunksOf(numbers: Iterable<NumberInput> | AsyncIterable<NumberInput>): AsyncGenerator<NumberInput[]> {
  let chunk: NumberInput[] = [];
  for await (const number of numbers) {
    if (chunk.push(number) < MAX_BATCH) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** The client. It keeps no state between calls, so one serves any number of concurrent calls. */
export class Checkline {
  // All private: no inspection, log, or serialization of the client shows the key.
  readonly #apiKey: string;
  readonly #baseUrl: string;
  readonly #timeoutMs: number;
  readonly #deadlineMs: number;
  readonly #maxRetries: number;
  readonly #maxWaitMs: number;
  readonly #onResponse: ((response: ResponseInfo) => void) | undefined;
  readonly #fetch: Fetch;

  /** @throws TypeError or RangeError when there is no key or an option is invalid. */
  constructor(options: ChecklineOptions = {}) {
    checkOptions(options, CLIENT_OPTIONS);
    const { timeoutMs = 10_000, deadlineMs, maxRetries = 2, maxWaitMs = 60_000, onResponse } = options;
    for (const [name, ms] of Object.entries({ timeoutMs, ...(deadlineMs !== undefined && { deadlineMs }) })) {
      if (typeof ms === "number" && ms > 0 && ms <= MAX_TIMEOUT_MS) continue;
      throw new RangeError(`${name} must be more than 0 and at most ${MAX_TIMEOUT_MS}.`);
    }
    if (!(Number.isInteger(maxRetries) && maxRetries >= 0)) {
      throw new RangeError("maxRetries must be a whole number, 0 or more.");
    }
    if (!(typeof maxWaitMs === "number" && maxWaitMs >= 0 && maxWaitMs <= MAX_TIMEOUT_MS)) {
      throw new RangeError(`maxWaitMs must be 0 or more, and at most ${MAX_TIMEOUT_MS}.`);
    }
    if (onResponse !== undefined && typeof onResponse !== "function") {
      throw new TypeError("onResponse must be a function.");
    }
    if (options.fetch !== undefined && typeof options.fetch !== "function") {
      throw new TypeError("fetch must be a function.");
    }
    this.#apiKey = checkedKey(options.apiKey ?? environment("CHECKLINE_API_KEY"));
    this.#baseUrl = checkedBaseUrl(options.baseUrl ?? environment("CHECKLINE_BASE_URL") ?? DEFAULT_BASE_URL);
    this.#timeoutMs = timeoutMs;
    this.#deadlineMs = deadlineMs ?? Infinity;
    this.#maxRetries = maxRetries;
    this.#maxWaitMs = maxWaitMs;
    this.#onResponse = onResponse;
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  /**
   * Returns whether a number is valid, and the carrier whose range it is.
   * @param number with + and calling code, or in national format together with `options.country`
   * @throws ChecklineError; TypeError for anything but a string. An invalid number is a result, not an error.
   */
  async verify(number: string, options: CallOptions = {}): Promise<VerifyResult> {
    const { valid, carrier } = await this.lookup(number, options);
    return { valid, carrier };
  }

  /**
   * Everything known about a number.
   * @param number with + and calling code, or in national format together with `options.country`
   * @throws ChecklineError; TypeError for anything but a string. An invalid number is a result, not an error.
   */
  async lookup(number: string, options: CallOptions = {}): Promise<LookupResult> {
    checkText(number, "number");
    const answer = await this.#post("/verify", { number }, options);
    const result = onlyResultOf(answer);
    if (result === null) throw errorOf(answer);
    return result;
  }

  /**
   * Looks up at most 100 numbers in one request. If an item could not be verified, its result is an error; the others
   * are not affected.
   * @param numbers each a string, or an object with number, country, and expectCountry
   * @throws ChecklineError when the request as a whole fails; TypeError for one number instead of several, and for
   * anything but numbers.
   */
  async lookupBatch(
    numbers: readonly NumberInput[],
    options: CallOptions = {},
  ): Promise<(LookupResult | VerificationFailedError)[]> {
    if (!Array.isArray(numbers)) throw new TypeError("lookupBatch takes an array of numbers; lookup takes one.");
    return this.#batch(numbers, options, 0);
  }

  /** One request of a list. @param start the position of its first number in the list */
  async #batch(
    numbers: readonly NumberInput[],
    options: CallOptions,
    start: number,
  ): Promise<(LookupResult | VerificationFailedError)[]> {
    // entries() includes holes too.
    const asked = Array.from(numbers.entries(), ([index, item]) => batchItemOf(item, `numbers[${start + index}]`));
    const { length } = asked;
    const answer = await this.#post("/verify/batch", { numbers: asked }, options);
    const items = itemsOf(answer, length);
    if (items === null) throw errorOf(answer);
    return items;
  }

  /**
   * Looks up any number of phone numbers, a hundred per request and several requests at a time, and yields the items of
   * `lookupBatch` in order, as they arrive. Leaving the loop aborts pending requests. Your own idempotency key gets
   * `-1`, `-2`… for each request.
   * @throws ChecklineError when a request fails, after the items of earlier ones; TypeError and RangeError as in
   * `lookupBatch`
   */
  async *lookupAll(
    numbers: Iterable<NumberInput> | AsyncIterable<NumberInput>,
    { concurrency = 4, idempotencyKey, signal, ...options }: ListOptions = {},
  ): AsyncGenerator<LookupResult | VerificationFailedError, void, undefined> {
    if (typeof numbers === "string") throw new TypeError("lookupAll takes a list of numbers; lookup takes one.");
    if (!(Number.isInteger(concurrency) && concurrency > 0)) {
      throw new RangeError("concurrency must be a whole number, 1 or more.");
    }
    if (idempotencyKey !== undefined) checkIdempotencyKey(idempotencyKey);
    const over = new AbortController();
    const ended = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    const pending: Promise<(LookupResult | VerificationFailedError)[]>[] = [];
    let requests = 0;
    try {
      for await (const chunk of chunksOf(numbers)) {
        const start = requests * MAX_BATCH;
        requests += 1;
        const key = idempotencyKey && `${idempotencyKey}-${requests}`;
        const items = this.#batch(chunk, { ...options, idempotencyKey: key, signal: ended }, start);
        // It may fail before its turn.
        items.catch(() => {});
        pending.push(items);
        if (pending.length === concurrency) yield* await pending.shift()!;
      }
      for (const items of pending) yield* await items;
    } finally {
      over.abort();
    }
  }

  /**
   * Returns what remains of the account's quota and the key's cap.
   * @throws ChecklineError
   */
  async quota(options: Pick<CallOptions, "signal"> = {}): Promise<Quota> {
    checkOptions(options, ["signal"]);
    const answer = await send(this.#call("/account/quota", { method: "GET", signal: options.signal }));
    const quota = answer.response.status === 200 ? quotaOf(answer.body) : null;
    if (quota === null) throw errorOf(answer);
    return quota;
  }

  /**
   * Looks up any number of phone numbers, in order, yielding each result as soon as the service returns it. Reads
   * numbers from an array, a generator, or a stream as results are consumed, and sends 500 at a time. The service waits
   * when the account's number limit is reached. If an item could not be verified, its result is an error; a thrown
   * error ends the stream, and nothing after the last result was verified.
   * @param numbers each a string, or an object with number, country, and expectCountry
   * @throws ChecklineError; TypeError for anything but numbers
   */
  lookupStream(
    numbers: Iterable<NumberInput> | AsyncIterable<NumberInput>,
    options: StreamOptions = {},
  ): AsyncGenerator<LookupResult | VerificationFailedError | InvalidRequestError, void, undefined> {
    checkOptions(options, STREAM_OPTIONS);
    if (typeof numbers === "string") throw new TypeError("lookupStream takes several numbers; lookup takes one.");
    const { signal, ...shared } = options;
    const headers = { "Content-Type": "application/x-ndjson", Accept: "application/x-ndjson" };
    const call = this.#call("/verify/stream", { method: "POST", headers, signal });
    const fields = fieldsOf(shared);
    const lineOf = (item: NumberInput, index: number) => jsonOf({ ...fields, ...itemOf(item, `numbers[${index}]`) });
    return streamResults(numbers, lineOf, call);
  }

  /** Sends a call and returns its response. @throws ConnectionError */
  async #post(path: string, payload: object, options: CallOptions): Promise<Answer> {
    checkOptions(options, CALL_OPTIONS);
    const { idempotencyKey, signal } = options;
    const fields = fieldsOf(options);
    if (idempotencyKey !== undefined) checkIdempotencyKey(idempotencyKey);
    const headers = { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey ?? newIdempotencyKey() };
    return send(this.#call(path, { method: "POST", headers, body: jsonOf({ ...payload, ...fields }), signal }));
  }

  /** A request with this client's settings. */
  #call(path: string, { headers, ...request }: Request): Call {
    return {
      ...request,
      url: `${this.#baseUrl}/api/v1${path}`,
      headers: {
        Authorization: `Bearer ${this.#apiKey}`,
        Accept: "application/json",
        "User-Agent": USER_AGENT,
        ...headers,
      },
      fetch: this.#fetch,
      timeoutMs: this.#timeoutMs,
      deadlineMs: this.#deadlineMs,
      maxRetries: this.#maxRetries,
      maxWaitMs: this.#maxWaitMs,
      onResponse: this.#onResponse,
    };
  }
}

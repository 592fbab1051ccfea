import { isDeepStrictEqual } from "node:util";
import { API_BASE_PATH } from "../../contract/origin.ts";
import { SDK_IDEMPOTENCY_PREFIX, SDK_VERSION } from "../../contract/sdks.ts";
import type { Call, Case, ErrorOutcome, Outcome, StreamedNumber } from "./case.ts";

/** Milliseconds by which the timers of two processes may differ. */
const CLOCK_TOLERANCE = 50;

/** A key that an SDK has made, which the service remembers for an hour only. */
const OWN_KEY = new RegExp(String.raw`^${SDK_IDEMPOTENCY_PREFIX}[\x21-\x7e]{16,251}$`);

/** A request that an SDK has sent. Header names are in lower case. */
export interface SeenRequest {
  readonly method: string;
  /** What follows the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** When its body had arrived, and when the response before it had been sent, in milliseconds of one clock. */
  readonly at: number;
}

/** How many numbers of a list, and of a stream, go out in one request. */
const CHUNK = 100;
const STREAM_CHUNK = 500;

type StreamCall = Call & { readonly method: "lookup_stream" };

function isStream(call: Call): call is StreamCall {
  return call.method === "lookup_stream";
}

function pathOf(call: Call): string {
  if (call.method === "quota") return `${API_BASE_PATH}/account/quota`;
  if (isStream(call)) return `${API_BASE_PATH}/verify/stream`;
  return "numbers" in call ? `${API_BASE_PATH}/verify/batch` : `${API_BASE_PATH}/verify`;
}

/** What the body of a request may say: of a stream, the lines from the first one it has. */
function bodiesOf(call: Call, sent: string): unknown[] {
  if (call.method === "quota") return [""];
  if (isStream(call)) {
    const from = firstLine(call, sent);
    return from === -1 ? [] : [requestLines(call).slice(from, from + STREAM_CHUNK)];
  }
  if (call.method !== "lookup_all") {
    const { method: _method, idempotency_key: _key, ...body } = call;
    return [body];
  }
  const { method: _method, idempotency_key: _key, concurrency: _most, ...body } = call;
  return chunksOf(call).map((numbers) => ({ ...body, numbers }));
}

/** The lines of a whole stream. */
function requestLines({ method: _method, numbers, take: _take, ...shared }: StreamCall): StreamedNumber[] {
  return numbers.map((item) => ({ ...shared, ...(typeof item === "string" ? { number: item } : item) }));
}

/** Which line of the stream a request begins with, from 0; -1 where that is none of them. */
function firstLine(call: StreamCall, body: string): number {
  const [first] = parsedLines(body) as [StreamedNumber | undefined];
  return requestLines(call).findIndex((line) => isDeepStrictEqual(line, first));
}

/** The chunks that a list goes out in. */
export function chunksOf(call: Call): string[][] {
  const numbers = "numbers" in call && !isStream(call) ? call.numbers : [];
  return Array.from({ length: Math.ceil(numbers.length / CHUNK) }, (_, index) =>
    numbers.slice(index * CHUNK, (index + 1) * CHUNK),
  );
}

/** How many requests a case takes whose responses are results of whatever is sent. */
function echoRequests({ call, refuse_from: refuseFrom }: Case): number {
  if (isStream(call)) return Math.ceil((call.take ?? call.numbers.length) / STREAM_CHUNK);
  return refuseFrom === undefined ? chunksOf(call).length : refuseFrom + 1;
}

/** What an SDK tells of responses, beside the outcome. */
interface ResponsesTold {
  readonly responses?: unknown;
  /** Of the result of a lookup. */
  readonly response?: unknown;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** The values of a body of lines. */
export function parsedLines(body: string): unknown[] {
  return body.trimEnd().split("\n").map(parsed);
}

/** What is wrong with one request of a call; nothing when all is well. `sdk` is the SDK's id. */
export function requestProblems(
  seen: SeenRequest,
  { call, key, sdk }: { call: Call; key: string; sdk: string },
): string[] {
  const { headers } = seen;
  const idempotencyKey = headers["idempotency-key"];
  const method = call.method === "quota" ? "GET" : "POST";
  const type = isStream(call) ? "application/x-ndjson" : "application/json";
  const body = isStream(call) ? parsedLines(seen.body) : parsed(seen.body);
  const checks: [boolean, string][] = [
    [seen.method === method, `method ${seen.method}, not ${method}`],
    [seen.path === pathOf(call), `path ${seen.path}, not ${pathOf(call)}`],
    [headers.authorization === `Bearer ${key}`, "not the header Authorization: Bearer and the key"],
    [
      method === "GET" || [type, `${type}; charset=utf-8`].includes(headers["content-type"]?.toLowerCase() ?? ""),
      `Content-Type ${headers["content-type"]}`,
    ],
    [(headers.accept ?? "").split(/[,; ]+/).includes(type), `Accept ${headers.accept}`],
    [
      (headers["user-agent"] ?? "").split(" ")[0] === `checkline-${sdk}/${SDK_VERSION}`,
      `User-Agent ${headers["user-agent"]}, not checkline-${sdk}/${SDK_VERSION}`,
    ],
    [!isStream(call) || idempotencyKey === undefined, "an Idempotency-Key, which streams do not take"],
    [
      method === "GET" || isStream(call) || call.idempotency_key !== undefined || OWN_KEY.test(idempotencyKey ?? ""),
      `Idempotency-Key ${idempotencyKey}, not ${SDK_IDEMPOTENCY_PREFIX} and at least 16 characters`,
    ],
    [
      call.idempotency_key === undefined || idempotencyKey === call.idempotency_key,
      "not the caller's own Idempotency-Key",
    ],
    [bodiesOf(call, seen.body).some((one) => isDeepStrictEqual(body, one)), `body ${seen.body.slice(0, 300)}`],
  ];
  return checks.filter(([fine]) => !fine).map(([, problem]) => problem);
}

/** What is wrong with the requests of a case, taken together. `sentAt[n]` is when response n had been sent. */
export function exchangeProblems(test: Case, seen: readonly SeenRequest[], sentAt: readonly number[]): string[] {
  const problems: string[] = [];
  const { call, played } = test;
  const expected = played === "worker" ? 1 : played === "echo" ? echoRequests(test) : played.length;
  if (seen.length !== expected) problems.push(`${seen.length} requests, not ${expected}`);
  const keys = new Set(seen.map(({ headers }) => headers["idempotency-key"])).size;
  if (isStream(call)) {
    for (const [index, { body }] of seen.entries()) {
      const from = typeof played === "object" ? (played[index]?.from ?? 0) : index * STREAM_CHUNK;
      const began = firstLine(call, body);
      if (began !== from) problems.push(`request ${index + 1} begins with line ${began}, not ${from}`);
    }
  } else if (played === "echo") {
    if (keys !== seen.length) problems.push("chunks with the same Idempotency-Key");
  } else if (keys > 1) problems.push("retries with another Idempotency-Key");
  if (typeof played === "object") {
    for (const [index, { after_ms = 0, before_ms = Infinity }] of played.entries()) {
      const waited = (seen[index]?.at ?? NaN) - (sentAt[index - 1] ?? NaN);
      if (waited < after_ms - CLOCK_TOLERANCE || waited > before_ms) {
        problems.push(`request ${index + 1} came after ${Math.round(waited)} ms, not ${after_ms} to ${before_ms}`);
      }
    }
  }
  return problems;
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 400) ?? "nothing";
}

/** Fields that are null and fields that are absent are the same to an SDK. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, withoutNulls(field)]),
  );
}

function resultProblems(got: unknown, expected: unknown): string[] {
  const [a, b] = [withoutNulls(got), withoutNulls(expected)] as Record<string, unknown>[];
  if (typeof a !== "object" || typeof b !== "object") return [`result ${show(got)}, not ${show(expected)}`];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => !isDeepStrictEqual(a[name], b[name]))
    .map((name) => `${name} is ${show(a[name])}, not ${show(b[name])}`);
}

function errorProblems(got: ErrorOutcome, expected: ErrorOutcome): string[] {
  const { names_host: namesHost, ...fields } = expected;
  const names = Object.keys(fields) as (keyof ErrorOutcome)[];
  const problems = names
    .filter((name) => !isDeepStrictEqual(withoutNulls(got[name] ?? null), withoutNulls(expected[name])))
    .map((name) => `error.${name} is ${show(got[name])}, not ${show(expected[name])}`);
  if (namesHost && !got.message?.includes("127.0.0.1")) problems.push(`no host in ${show(got.message)}`);
  if (typeof got.message !== "string" || got.message === "") problems.push("the error has no message");
  return problems;
}

/** What is wrong with what the hook got. */
export function responseProblems(told: ResponsesTold, { call, responses }: Case): string[] {
  if (responses === undefined) return [];
  const problems: string[] = [];
  if (!isDeepStrictEqual(told.responses, responses))
    problems.push(`responses ${show(told.responses)}, not ${show(responses)}`);
  const last = "result" in told && call.method === "lookup" ? responses.at(-1) : undefined;
  if (!isDeepStrictEqual(told.response, last))
    problems.push(`the result's response ${show(told.response)}, not ${show(last)}`);
  return problems;
}

/** What is wrong with what came of a call. */
export function outcomeProblems(got: Outcome, expected: Outcome): string[] {
  if ("refused" in expected || "refused" in got) {
    return "refused" in got && "refused" in expected ? [] : [`${show(got)} instead of ${show(expected)}`];
  }
  if ("error" in expected) {
    return "error" in got ? errorProblems(got.error, expected.error) : [`${show(got)} instead of ${show(expected)}`];
  }
  if ("error" in got) return [`${show(got)} instead of a result`];
  if ("result" in expected) {
    return "result" in got ? resultProblems(got.result, expected.result) : [`${show(got)} instead of one result`];
  }
  if (!("results" in got) || got.results.length !== expected.results.length) {
    return [`${show(got)} instead of ${expected.results.length} results`];
  }
  const problems = expected.results.flatMap((item, index) =>
    outcomeProblems(got.results[index]!, item).map((problem) => `item ${index}: ${problem}`),
  );
  if (expected.ended_by !== undefined && got.ended_by !== undefined)
    return [...problems, ...errorProblems(got.ended_by, expected.ended_by)];
  return expected.ended_by === got.ended_by
    ? problems
    : [...problems, `ended with ${show(got.ended_by)}, not ${show(expected.ended_by)}`];
}

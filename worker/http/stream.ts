import type { verification } from "../../contract/endpoints/verification.ts";
import { MAX_BODY_BYTES, MAX_STREAM_LINES, STREAM_SIGN_SECONDS } from "../../contract/limits.ts";
import { VerifyRequest } from "../../contract/verification.ts";
import type { StreamFailure } from "../../contract/verification.ts";
import { formatCount } from "../../contract/format.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import { ApiError } from "../platform/errors.ts";
import { readLines } from "../platform/lines.ts";
import { logLine } from "../platform/log.ts";
import { readAhead } from "../platform/read-ahead.ts";
import type { ChunkReader } from "../platform/read-ahead.ts";
import { utf8 } from "../platform/hash.ts";
import { sleep } from "../platform/time-limit.ts";
import { utcDay } from "../platform/time.ts";
import { answer, countSuccessful } from "../verification/answer.ts";
import type { Answer } from "../verification/answer.ts";
import { DATA_VERSION } from "../verification/data-version.ts";
import { meterFitting } from "../verification/metering.ts";
import { renewApiKey } from "./credentials.ts";
import { describeError } from "./errors.ts";
import { checked, parseJson } from "./input.ts";
import { countMoreNumbers } from "./limits.ts";
import type { Call } from "./operation.ts";
import { noteActivity } from "./requests.ts";
import { respond, setHeaders } from "./response.ts";

type StreamCall = Call<(typeof verification)["verifyStream"]>;

/** A stream's call, and the request that it reads. `gone` is aborted once there is no client. */
interface Stream extends StreamCall {
  readonly request: ChunkReader;
  readonly gone: AbortSignal;
  /** Lines read, and numbers counted and successful. */
  readonly sum: { lines: number; numbers: number; successful: number };
}

/** Lines that are counted and written together: as many as a batch allows. */
const MOST = 100;

/** A line of the request: its number, starting at 1, and its text, or null if it is too long. */
interface Line {
  readonly line: number;
  readonly text: string | null;
}

/** A line of the response, and what is counted for it: nothing if the request's line can't be read. */
interface Reply {
  readonly written: object;
  readonly answered: Answer | null;
}

function isEmpty(text: string | null): boolean {
  return text !== null && /^[ \t\r]*$/.test(text);
}

/** The request's lines as they arrive, without empty ones. @throws ApiError 413 at the first that is too many */
async function* linesOf({ request, sum }: Stream): AsyncGenerator<Line[]> {
  for await (const texts of readLines(request, { most: MOST, maxBytes: MAX_BODY_BYTES })) {
    const before = sum.lines;
    const allowed = texts.slice(0, MAX_STREAM_LINES - before);
    sum.lines += allowed.length;
    const lines = allowed.map((text, index) => ({ line: before + index + 1, text }));
    const filled = lines.filter(({ text }) => !isEmpty(text));
    if (filled.length > 0) yield filled;
    if (allowed.length === texts.length) continue;
    const message = `A stream can have up to ${formatCount(MAX_STREAM_LINES)} lines.`;
    throw new ApiError("PAYLOAD_TOO_LARGE", { message });
  }
}

/** The line of the response for an error. */
function failureOf({ c }: Stream, thrown: unknown, line: number, ended: boolean): StreamFailure {
  const { status, body, headers } = describeError(c, thrown);
  const wait = Number(headers["Retry-After"]);
  return { ...body, line, http_status: status, ended, ...(ended && wait > 0 && { retry_after: wait }) };
}

function lineFor(stream: Stream, { line, text }: Line, day: string): Reply {
  try {
    if (text === null) {
      throw new ApiError("PAYLOAD_TOO_LARGE", { message: `The line is longer than ${MAX_BODY_BYTES / 1024} KB.` });
    }
    const request = checked(VerifyRequest, parseJson(text));
    const answered = answer(stream.key.mode, request.number, request, day);
    const { result, failure } = answered;
    return { written: result ?? { ...failure, line, http_status: 400, ended: false }, answered };
  } catch (thrown) {
    return { written: failureOf(stream, thrown, line, false), answered: null };
  }
}

/** The stream's key as it is now. @throws ApiError as `renewApiKey`, or the reason why the client is gone */
async function keyOf(stream: Stream): Promise<KeyRecord> {
  const key = await renewApiKey(stream.c, stream);
  stream.gone.throwIfAborted();
  return key;
}

/**
 * Counts lines toward the limit of numbers, once there is room. Lines that can't be read take time too, and count.
 * Yields whenever the client should see a sign of life.
 */
async function* waitForRoom(stream: Stream, lines: readonly Line[]): AsyncGenerator<[]> {
  const { isolate, gone } = stream;
  const nextSign = () => isolate.now() + STREAM_SIGN_SECONDS * 1000;
  let signAt = nextSign();
  for (let isRepeated = false; ; isRepeated = true) {
    const waitMs = countMoreNumbers(isolate, await keyOf(stream), lines.length, isRepeated);
    if (waitMs === 0) return;
    const leftMs = signAt - isolate.now();
    if (leftMs > 0) await sleep(Math.min(waitMs, leftMs), gone);
    else {
      yield [];
      signAt = nextSign();
    }
  }
}

/** Verifies and counts lines: as many of the first as its limits allow. @returns their lines of the response */
async function answerFitting(stream: Stream, lines: readonly Line[]): Promise<object[]> {
  const { isolate, io, c, sum } = stream;
  const key = await keyOf(stream);
  const day = utcDay(io.now);
  const replies = lines.map((line) => lineFor(stream, line, day));
  const answers = replies.flatMap(({ answered }) => answered ?? []);
  const near = isolate.place(c.req.raw).region;
  const call = { key, answers, remembered: null, near };
  const counted = answers.length === 0 ? 0 : await meterFitting({ isolate, io }, call);
  sum.numbers += counted;
  sum.successful += countSuccessful(answers.slice(0, counted));
  const excess = answers[counted];
  const end = excess === undefined ? replies.length : replies.findIndex(({ answered }) => answered === excess);
  return replies.slice(0, end).map(({ written }) => written);
}

/** The response in parts, each verified and counted when it is asked for. An empty part is a sign of life. */
async function* partsOf(stream: Stream): AsyncGenerator<object[]> {
  const { isolate, c, gone, request, sum } = stream;
  const began = isolate.now();
  let outcome = "aborted";
  let rest: readonly Line[] = [];
  try {
    for await (const lines of linesOf(stream)) {
      rest = lines;
      yield* waitForRoom(stream, lines);
      while (rest.length > 0) {
        const part = await answerFitting(stream, rest);
        rest = rest.slice(part.length);
        yield part;
      }
    }
    gone.throwIfAborted();
    outcome = "ok";
  } catch (thrown) {
    // No one reads an error.
    if (gone.aborted) throw thrown;
    const failure = failureOf(stream, thrown, rest[0]?.line ?? sum.lines + 1, true);
    outcome = failure.code;
    c.set("errorCode", failure.code);
    yield [failure];
  } finally {
    const duration_ms = isolate.now() - began;
    logLine("info", "stream", { request_id: c.get("requestId"), outcome, ...sum, duration_ms });
    c.set("numbers", sum.numbers);
    noteActivity(c, 200, began);
    // The rest of a partly read request is of no interest.
    await request.cancel().catch(() => {});
  }
}

/** A part of the response as it is sent. */
function bytesOf(part: readonly object[]): Uint8Array {
  const text = part.map((line) => `${JSON.stringify(line)}\n`).join("");
  return utf8(text || "\n");
}

/** The response to a stream. Reads the request ahead of it, but verifies and counts nothing before it is read. */
export function streamAnswers(call: StreamCall): Response {
  const { c, isolate } = call;
  const sent = (c.req.raw.body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>;
  const ahead = readAhead(sent, isolate.streamRoom);
  const gone = new AbortController();
  // A request that is cut off ends like one whose client is gone: the rest of its last line must not be answered.
  const next = () =>
    ahead.next().catch((lost: unknown) => {
      gone.abort(lost);
      return undefined;
    });
  const sum = { lines: 0, numbers: 0, successful: 0 };
  const parts = partsOf({ ...call, request: { ...ahead, next }, gone: gone.signal, sum });
  const response = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (gone.signal.aborted) return;
        if (done) controller.close();
        else controller.enqueue(bytesOf(value));
      },
      async cancel() {
        gone.abort();
        // A pending read ends here, …
        void ahead.cancel().catch(() => {});
        // … and the stream where it next looks, even if it never began.
        await parts.next().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  c.set("isStream", true);
  setHeaders(c, { "Data-Version": DATA_VERSION });
  return respond(c, response, 200, "application/x-ndjson");
}

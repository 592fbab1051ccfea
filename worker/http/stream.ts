import type { verification } from "../../contract/endpoints/verification.ts";
import { MAX_BODY_BYTES, MAX_STREAM_LINES, STREAM_SIGN_SECONDS } from "../../contract/limits.ts";
import { VerifyRequest } from "../../contract/verification.ts";
import type { StreamFailure } from "../../contract/verification.ts";
import { formatCount } from "../../contract/format.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import { ApiError } from "../platform/errors.ts";
import { createLineReader } from "../platform/lines.ts";
import { logLine } from "../platform/log.ts";
import { readAhead } from "../platform/read-ahead.ts";
import { sleep } from "../platform/time-limit.ts";
import { utcDay } from "../platform/time.ts";
import { answer, optionsOf, countSuccessful } from "../verification/answer.ts";
import type { Answer } from "../verification/answer.ts";
import { DATA_VERSION } from "../verification/data-version.ts";
import { meterCall, usedBy } from "../verification/metering.ts";
import { renewApiKey } from "./credentials.ts";
import { describeError } from "./errors.ts";
import { checked, parseJson } from "./input.ts";
import { countMoreNumbers } from "./limits.ts";
import type { Call } from "./operation.ts";
import { noteActivity } from "./requests.ts";
import { respond, setHeaders } from "./response.ts";

type StreamCall = Call<(typeof verification)["verifyStream"]>;

/** Lines that are counted and written together: as many as a batch allows. */
const CHUNK_LINES = 100;

/** Like other bodies: invalid UTF-8 becomes a character that `parseJson` rejects. */
const UTF8 = new TextDecoder();

/** A line of the request: its input, or why it can't be read. */
interface Entry {
  readonly line: number;
  readonly request: VerifyRequest | null;
  readonly problem: unknown;
}

function readEntry(bytes: Uint8Array | null, line: number): Entry {
  try {
    if (bytes === null) {
      throw new ApiError("PAYLOAD_TOO_LARGE", { message: `The line is longer than ${MAX_BODY_BYTES / 1024} KB.` });
    }
    const request = checked(VerifyRequest, parseJson(UTF8.decode(bytes)));
    return { line, request: { ...optionsOf(request), number: request.number }, problem: null };
  } catch (problem) {
    return { line, request: null, problem };
  }
}

function isEmpty(bytes: Uint8Array | null): boolean {
  return bytes !== null && bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}

/** What is left of the limit that a call was too large for; null for any other error. */
function leftOf(thrown: unknown): number | null {
  if (!(thrown instanceof ApiError)) return null;
  return thrown.details.quota?.remaining ?? thrown.details.policy?.remaining ?? null;
}

/** The response to a stream. Reads the request ahead of it, but verifies and counts nothing before it is read. */
export function streamAnswers({ io, isolate, c }: StreamCall): Response {
  const sent = (c.req.raw.body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>;
  const lines = createLineReader(readAhead(sent, isolate.streamRoom), MAX_BODY_BYTES);
  const encoder = new TextEncoder();
  const began = isolate.now();
  const near = isolate.site(c.req.raw).region;
  const sum = { lines: 0, numbers: 0, successful: 0 };
  /** Read but not verified yet. */
  let waiting: readonly Entry[] = [];
  let ending: ApiError | null = null;
  /** Whether the waiting lines have had to wait for the limit. */
  let isWaiting = false;
  let isOver = false;
  let isCanceled = false;
  /** The most recent count, still pending. */
  let counting: Promise<unknown> | null = null;

  function finish(outcome: string): void {
    if (isOver) return;
    isOver = true;
    const duration_ms = isolate.now() - began;
    logLine("info", "stream", { request_id: c.get("requestId"), outcome, ...sum, duration_ms });
    c.set("numbers", sum.numbers);
    noteActivity(c, 200, began);
  }

  function failure(thrown: unknown, line: number, ended: boolean): StreamFailure {
    const { error, status, body, headers } = describeError(c, thrown);
    const wait = Number(headers["Retry-After"]);
    if (ended) {
      c.set("errorCode", error.code);
      finish(error.code);
    }
    return {
      ...body,
      line,
      http_status: status,
      ended,
      ...(ended && wait > 0 && { retry_after: wait }),
    };
  }

  async function read(): Promise<void> {
    while (waiting.length === 0 && ending === null) {
      const taken = await lines.take(Math.min(CHUNK_LINES, MAX_STREAM_LINES + 1 - sum.lines)).catch((lost: unknown) => {
        finish("aborted");
        throw lost;
      });
      if (taken.length === 0) return;
      const entries: Entry[] = [];
      for (const bytes of taken) {
        sum.lines += 1;
        if (sum.lines > MAX_STREAM_LINES) {
          const message = `A stream can have up to ${formatCount(MAX_STREAM_LINES)} lines.`;
          ending = new ApiError("PAYLOAD_TOO_LARGE", { message });
        } else if (!isEmpty(bytes)) entries.push(readEntry(bytes, sum.lines));
      }
      waiting = entries;
    }
  }

  function answerOf({ mode }: KeyRecord, entry: Entry): Answer | StreamFailure {
    if (entry.request === null) return failure(entry.problem, entry.line, false);
    try {
      return answer(mode, entry.request.number, entry.request, utcDay(io.now));
    } catch (problem) {
      return failure(problem, entry.line, false);
    }
  }

  /** Verifies and counts the waiting lines, as far as limits allow. @returns lines of the response */
  async function answerWaiting(current: KeyRecord): Promise<object[]> {
    const replies = waiting.map((entry) => answerOf(current, entry));
    const answersOf = (some: typeof replies) => some.filter((reply) => "successful" in reply);
    const written: object[] = [];
    let part = replies;
    while (written.length < replies.length) {
      const answers = answersOf(part);
      try {
        counting =
          answers.length === 0 ? null : meterCall({ isolate, io }, { key: current, answers, remembered: null, near });
        await counting;
      } catch (thrown) {
        const left = leftOf(thrown) ?? 0;
        const isTooMany = (_: unknown, at: number) => usedBy(current, answersOf(part.slice(0, at + 1))) > left;
        const fitting = left > 0 ? part.findIndex(isTooMany) : 0;
        if (fitting > 0) {
          part = part.slice(0, fitting);
          continue;
        }
        const { line } = waiting[written.length]!;
        waiting = [];
        return [...written, failure(thrown, line, true)];
      }
      sum.numbers += answers.length;
      sum.successful += countSuccessful(answers);
      for (const reply of part) {
        const { line } = waiting[written.length]!;
        if (!("successful" in reply)) written.push(reply);
        else written.push(reply.result ?? { ...reply.failure, line, http_status: 400, ended: false });
      }
      part = replies.slice(written.length);
    }
    waiting = [];
    return written;
  }

  /**
   * Counts numbers as soon as there is room for them. @returns whether that happened before the next keep-alive is due
   */
  async function waitForRoom(current: KeyRecord, numbers: number): Promise<boolean> {
    const signAt = isolate.now() + STREAM_SIGN_SECONDS * 1000;
    for (;;) {
      if (isOver) return false;
      const waitMs = countMoreNumbers(isolate, current, numbers, isWaiting);
      isWaiting = waitMs > 0;
      if (waitMs === 0) return true;
      const leftMs = signAt - isolate.now();
      if (leftMs <= 0) return false;
      await sleep(Math.min(waitMs, leftMs));
    }
  }

  /** The next lines of the response: none for a keep-alive, null at the end. */
  async function next(): Promise<readonly object[] | null> {
    if (isOver) return null;
    await read();
    if (waiting.length === 0) {
      if (ending !== null) return [failure(ending, sum.lines, true)];
      finish("ok");
      return null;
    }
    const current = await renewApiKey(c);
    if (isOver) return null;
    // Lines that can't be read take time too: toward the limit, they count as numbers.
    if (!(await waitForRoom(current, waiting.length))) return isOver ? null : [];
    return isCanceled ? null : answerWaiting(current);
  }

  c.set("isStream", true);
  const response = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let written: readonly object[] | null;
        try {
          written = await next();
        } catch (thrown) {
          // The request was cut off: there is no reader for an error.
          if (isOver) throw thrown;
          written = [failure(thrown, waiting[0]?.line ?? sum.lines + 1, true)];
        }
        if (isCanceled) return;
        if (written !== null) {
          const text = written.map((line) => `${JSON.stringify(line)}\n`).join("");
          controller.enqueue(encoder.encode(text || "\n"));
        }
        if (!isOver) return;
        controller.close();
        // The rest of a partly read request is of no interest.
        await lines.cancel().catch(() => {});
      },
      async cancel() {
        isCanceled = true;
        // The log should include everything counted so far.
        await counting?.catch(() => {});
        finish("aborted");
        await lines.cancel().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  setHeaders(c, { "Data-Version": DATA_VERSION });
  return respond(c, response, 200, "application/x-ndjson");
}

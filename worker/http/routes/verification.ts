import * as v from "valibot";
import { verification } from "../../../contract/endpoints/verification.ts";
import { PageResult } from "../../../contract/verification.ts";
import type { BatchRequest, VerifyRequest } from "../../../contract/verification.ts";
import { isForPages } from "../../key-cache/record.ts";
import type { RequestContext } from "../context.ts";
import { addTiming } from "../credentials.ts";
import { countNumbers } from "../limits.ts";
import { operations } from "../operation.ts";
import { respondJson, setHeaders } from "../response.ts";
import { streamAnswers } from "../stream.ts";
import type { Call } from "../operation.ts";
import { ApiError, validationFailed } from "../../platform/errors.ts";
import { utcDay } from "../../platform/time.ts";
import { answer, itemsOf, optionsOf, countSuccessful, requireNumber } from "../../verification/answer.ts";
import type { Answer } from "../../verification/answer.ts";
import { isIdempotencyKey } from "../../ledger/calls.ts";
import type { RememberedCall } from "../../ledger/calls.ts";
import { DATA_VERSION } from "../../verification/data-version.ts";
import { meterCall } from "../../verification/metering.ts";

/** What the verification operations share. */
export type VerificationCall = Pick<Call<(typeof verification)["verify"]>, "key" | "counted" | "io" | "isolate" | "c">;

const IDEMPOTENCY_KEY = "Idempotency-Key";

/**
 * The request's Idempotency-Key, or undefined without one. Those of pages are ignored: their visitors must not learn or
 * use up what the account's servers send.
 * @throws ApiError 400 when it is malformed
 */
function idempotencyKeyOf({ key, c }: VerificationCall): string | undefined {
  if (isForPages(key)) return undefined;
  const idempotencyKey = c.req.header(IDEMPOTENCY_KEY);
  if (idempotencyKey === undefined || isIdempotencyKey(idempotencyKey)) return idempotencyKey;
  throw validationFailed({ [IDEMPOTENCY_KEY]: "Must be 1 to 255 printable ASCII characters without spaces" });
}

/**
 * The idempotent call that this request starts or repeats.
 * @throws ApiError 422 IDEMPOTENCY_MISMATCH when this isolate saw its key with another body
 */
function recall({ key, isolate }: VerificationCall, idempotencyKey: string, body: object): RememberedCall {
  const { userId, mode } = key;
  const call = isolate.idempotencyKeys().recall({ userId, mode, idempotencyKey, body: JSON.stringify(body) });
  if (call === null) throw new ApiError("IDEMPOTENCY_MISMATCH");
  return call;
}

/** Counts a call's numbers toward the rate limit, after the rules of input. @param sent what a repeated call must have too */
function begin(call: VerificationCall, numbers: number, sent: object): RememberedCall | null {
  const idempotencyKey = idempotencyKeyOf(call);
  countNumbers(call.c, call.counted, numbers);
  return idempotencyKey === undefined ? null : recall(call, idempotencyKey, sent);
}

/** Meters a call's answers. `Server-Timing` reports how long that waited for the ledger. */
async function finish(call: VerificationCall, answers: readonly Answer[], remembered: RememberedCall | null) {
  const { key, io, isolate, c } = call;
  const near = isolate.place(c.req.raw).region;
  const waitedMs = await meterCall({ isolate, io }, { key, answers, remembered, near });
  if (waitedMs !== null) addTiming(c, `ledger;dur=${waitedMs}`);
  if (answers.length === 1) c.set("country", answers[0]?.country);
  setHeaders(c, { "Data-Version": DATA_VERSION });
  c.set("answered", { numbers: answers.length, successful: countSuccessful(answers) });
}

/** Verifies and counts a batch. @returns results, and the numbers that the sandbox rejected */
export async function verifyAll(call: VerificationCall, request: BatchRequest) {
  const items = itemsOf(request.numbers, request);
  const remembered = begin(call, items.length, request);
  const day = utcDay(call.io.now);
  const answers: Answer[] = [];
  const results = items.map(({ number, options }) => {
    const answered = answer(call.key.mode, number, options, day);
    answers.push(answered);
    return answered.result === null ? { number, ...answered.failure } : answered.result;
  });
  await finish(call, answers, remembered);
  return results;
}

/** `verifyAll` for a single number. */
export async function verifySingle(call: VerificationCall, request: VerifyRequest): Promise<Answer> {
  const { number } = request;
  const options = optionsOf(request);
  requireNumber(call.key.mode, number);
  const remembered = begin(call, 1, { number, ...options });
  const answered = answer(call.key.mode, number, options, utcDay(call.io.now));
  await finish(call, [answered], remembered);
  return answered;
}

/** The response to a single number. */
export function replyTo(c: RequestContext, { result, failure }: Answer) {
  if (failure === null) return result;
  c.set("errorCode", failure.code);
  return respondJson(c, { ...failure, ...(result && { result }) }, 400);
}

/** With a session. */
async function tryNumber(call: VerificationCall & { readonly input: VerifyRequest }) {
  return replyTo(call.c, await verifySingle(call, call.input));
}

async function verifyOne(call: VerificationCall & { readonly input: VerifyRequest }) {
  const answered = await verifySingle(call, call.input);
  if (answered.failure === null && isForPages(call.key)) {
    return respondJson(call.c, v.parse(PageResult, answered.result), 200);
  }
  return replyTo(call.c, answered);
}

export const verificationRoutes = operations(verification, {
  verify: verifyOne,
  verifyAlias: verifyOne,
  async verifyBatch(call) {
    return { results: await verifyAll(call, call.input) };
  },
  verifyStream(call) {
    if (call.c.req.header(IDEMPOTENCY_KEY) !== undefined) {
      throw validationFailed({ [IDEMPOTENCY_KEY]: "Streams don't support it; a line you resend counts again" });
    }
    return streamAnswers(call);
  },
  verifyInSandbox: tryNumber,
  verifyLive: tryNumber,
  async verifyFromDashboard(call) {
    const results = await verifyAll(call, call.input);
    // The key is live, so no scenario fails.
    const rejected = (): never => {
      throw new ApiError("INTERNAL_ERROR");
    };
    return { results: results.map((result) => ("code" in result ? rejected() : result)) };
  },
});

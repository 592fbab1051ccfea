import { verification } from "../../../contract/endpoints/verification.ts";
import type { VerifyRequest } from "../../../contract/verification.ts";
import { operations } from "../operation.ts";
import type { Call } from "../operation.ts";
import { isSupportedCountry } from "../../phone/parse.ts";
import { ApiError, validationFailed } from "../../platform/errors.ts";
import { newId } from "../../platform/random.ts";
import { usageEvent } from "../../usage/event.ts";
import { answer } from "../../verification/answer.ts";
import type { Answer } from "../../verification/answer.ts";
import { eventIdOf, isIdempotencyKey } from "../../verification/calls.ts";
import type { RememberedCall } from "../../verification/calls.ts";

/** What the operations of verification share. */
type VerificationCall = Pick<Call<(typeof verification)["verify"]>, "key" | "io" | "isolate" | "c">;

function checkCountry(country: string | undefined): void {
  if (country !== undefined && !isSupportedCountry(country)) {
    throw validationFailed({ country: `No numbering plan is known for ${country}` });
  }
}

const IDEMPOTENCY_KEY = "Idempotency-Key";

/**
 * The call that this request is or repeats, or null without an Idempotency-Key.
 * @throws ApiError 400 when the key is malformed, 422 IDEMPOTENCY_MISMATCH when this isolate saw it with another body
 */
function recall({ key, isolate, c }: VerificationCall, body: unknown): RememberedCall | null {
  const idempotencyKey = c.req.header(IDEMPOTENCY_KEY);
  if (idempotencyKey === undefined) return null;
  if (!isIdempotencyKey(idempotencyKey)) {
    throw validationFailed({ [IDEMPOTENCY_KEY]: "Must be 1 to 255 printable ASCII characters without spaces" });
  }
  const { userId, mode } = key;
  const call = isolate.calls().recall({ userId, mode, idempotencyKey, body: JSON.stringify(body) });
  if (call === null) throw new ApiError("IDEMPOTENCY_MISMATCH");
  return call;
}

/**
 * Refuses a live call that needs more verifications than the subscription has left, as far as this isolate knows.
 * @throws ApiError 402 QUOTA_EXCEEDED
 */
function requireQuota({ key, isolate }: VerificationCall, needed: number): void {
  const state = isolate.keyCache.quotaState(key);
  if (state === null || state.remaining === null || needed <= state.remaining) return;
  const message =
    state.remaining === 0
      ? `All ${state.limit} successful verifications of the subscription are used up.`
      : `The subscription has ${state.remaining} successful verifications left, fewer than the ${needed} of this batch.`;
  throw new ApiError("QUOTA_EXCEEDED", { message });
}

/** Counts answers for the account behind the key, after the caller has them. A retry of a call makes the same events. */
function record(
  { key, io, isolate, c }: VerificationCall,
  answers: readonly Answer[],
  call: RememberedCall | null,
): void {
  const now = isolate.now();
  const successes = answers.filter(({ successful }) => successful).length;
  c.set("answered", { numbers: answers.length, successful: successes });
  if (key.mode === "live" && !call?.answered) isolate.keyCache.countSuccess(key, successes);
  if (call !== null) call.answered = true;
  isolate.recordUsage(
    { queue: io.queues.usage, db: io.db, waitUntil: io.waitUntil },
    answers.map(({ country, successful }, item) => {
      const id = call === null ? newId("evt") : eventIdOf(call.id, item);
      const alias = call?.alias ? eventIdOf(call.alias, item) : null;
      return usageEvent({ id, alias, key, country, successful, now });
    }),
  );
}

/** Verifies numbers and counts them. A call that was let through before needs no quota. */
function verifyAll(call: VerificationCall, numbers: readonly string[], country: string | undefined, body: unknown) {
  const remembered = recall(call, body);
  if (!remembered?.answered) requireQuota(call, numbers.length);
  const answers = numbers.map((number) => answer(call.key.mode, number, country));
  record(call, answers, remembered);
  return answers;
}

function verifyOne(call: VerificationCall & { readonly input: VerifyRequest }) {
  const { input, key, c } = call;
  const { number, country } = input;
  checkCountry(country);
  if (key.mode === "live" && number.trim() === "") throw validationFailed({ number: "Must not be empty" });
  const [{ result, failure }] = verifyAll(call, [number], country, { number, country }) as [Answer];
  if (failure === null) return result;
  c.set("errorCode", failure.code);
  return c.json(failure, 400);
}

export const verificationRoutes = operations(verification, {
  verify: verifyOne,
  verifyAlias: verifyOne,
  verifyBatch(call) {
    const { numbers, country } = call.input;
    checkCountry(country);
    const answers = verifyAll(call, numbers, country, { numbers, country });
    const results = answers.map(({ result, failure }, index) =>
      failure === null ? result : { number: numbers[index]!, ...failure },
    );
    return { results };
  },
});

import { verification } from "../../../contract/endpoints/verification.ts";
import type { VerifyRequest } from "../../../contract/verification.ts";
import { operations } from "../operation.ts";
import { placeOf } from "../requests.ts";
import type { Call } from "../operation.ts";
import { isSupportedCountry } from "../../phone/parse.ts";
import { ApiError, validationFailed } from "../../platform/errors.ts";
import { answer } from "../../verification/answer.ts";
import type { Answer, VerifyOptions } from "../../verification/answer.ts";
import { isIdempotencyKey } from "../../verification/calls.ts";
import type { RememberedCall } from "../../verification/calls.ts";
import { meterCall } from "../../verification/metering.ts";

/** What the operations of verification share. */
type VerificationCall = Pick<Call<(typeof verification)["verify"]>, "key" | "io" | "isolate" | "c">;

/** What of a request says how to verify, without fields that it does not have. */
function optionsOf({ country, expect_country, accept_types }: VerifyOptions): VerifyOptions {
  const fields: Record<string, string> = {};
  for (const [field, code] of Object.entries({ country, expect_country })) {
    if (code !== undefined && !isSupportedCountry(code)) fields[field] = `No numbering plan is known for ${code}`;
  }
  if (Object.keys(fields).length > 0) throw validationFailed(fields);
  return { country, expect_country, accept_types };
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

/** Verifies numbers, and counts them before they are answered. `Server-Timing` says how long a ledger was waited for. */
async function verifyAll(
  call: VerificationCall,
  numbers: readonly string[],
  options: VerifyOptions,
  body: unknown,
): Promise<Answer[]> {
  const { key, io, isolate, c } = call;
  const remembered = recall(call, body);
  const answers = numbers.map((number) => answer(key.mode, number, options));
  const { continent } = placeOf(c);
  const waitedMs = await meterCall({ isolate, io }, { key, answers, remembered, continent });
  if (waitedMs !== null) c.header("Server-Timing", `ledger;dur=${waitedMs}`, { append: true });
  if (answers.length === 1) c.set("country", answers[0]!.country);
  c.set("answered", { numbers: answers.length, successful: answers.filter(({ successful }) => successful).length });
  return answers;
}

async function verifyOne(call: VerificationCall & { readonly input: VerifyRequest }) {
  const { input, key, c } = call;
  const { number } = input;
  const options = optionsOf(input);
  if (key.mode === "live" && number.trim() === "") throw validationFailed({ number: "Must not be empty" });
  const [{ result, failure }] = (await verifyAll(call, [number], options, { number, ...options })) as [Answer];
  if (failure === null) return result;
  c.set("errorCode", failure.code);
  return c.json(failure, 400);
}

export const verificationRoutes = operations(verification, {
  verify: verifyOne,
  verifyAlias: verifyOne,
  async verifyBatch(call) {
    const { numbers } = call.input;
    const options = optionsOf(call.input);
    const answers = await verifyAll(call, numbers, options, { numbers, ...options });
    const results = answers.map(({ result, failure }, index) =>
      failure === null ? result : { number: numbers[index]!, ...failure },
    );
    return { results };
  },
  async verifyFromDashboard(call) {
    const { numbers } = call.input;
    const options = optionsOf(call.input);
    const answers = await verifyAll(call, numbers, options, { numbers, ...options });
    // Its key is a live one, which no sandbox refuses.
    return { results: answers.map(({ result }) => result!) };
  },
});

import { Hono } from "hono";
import type { Context } from "hono";
import { MAX_BATCH_BODY_BYTES, MAX_BODY_BYTES } from "../../contract/limits.ts";
import { BatchRequest, VerifyRequest } from "../../contract/verification.ts";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { requireApiKey } from "../http/api-key.ts";
import { limitBody, readBody, validationFailed } from "../http/body.ts";
import { allowAnyOrigin } from "../http/cors.ts";
import { callOf } from "../http/idempotency.ts";
import { requireQuota } from "../http/quota.ts";
import { limitRate } from "../http/rate-limit.ts";
import { keyCache } from "../keys/cache/key-cache.ts";
import { isSupportedCountry } from "../phone/parse.ts";
import { usageEvent } from "../usage/event.ts";
import { eventIdOf } from "../usage/idempotency.ts";
import type { RememberedCall } from "../usage/idempotency.ts";
import { newId } from "../random.ts";
import { recordUsage } from "../usage/recorder.ts";
import { answer } from "../verification/answer.ts";
import type { Answer } from "../verification/answer.ts";

function checkCountry(country: string | undefined): void {
  if (country !== undefined && !isSupportedCountry(country)) {
    throw validationFailed({ country: `No numbering plan is known for ${country}` });
  }
}

/**
 * Lets a call through that the quota has room for, or that was let through before.
 * @returns the call when it has an Idempotency-Key
 */
function admit(c: Context<AppEnv>, body: unknown, asked: number): RememberedCall | null {
  const call = callOf(c, body);
  if (!call?.answered) requireQuota(c, asked);
  return call;
}

/** Counts answers for the account behind the key, after the caller has them. A retry of a call makes the same events. */
function record(c: Context<AppEnv>, answers: readonly Answer[], call: RememberedCall | null): void {
  const key = c.get("apiKey");
  const now = Date.now();
  const successes = answers.filter(({ successful }) => successful).length;
  c.set("answered", { numbers: answers.length, successful: successes });
  if (key.mode === "live" && !call?.answered) keyCache.countSuccess(key, successes);
  if (call !== null) call.answered = true;
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  recordUsage(
    { queue: c.env.USAGE, db: openDatabase(c.env.DB), waitUntil },
    answers.map(({ country, successful }, item) => {
      const id = call === null ? newId("evt") : eventIdOf(call.id, item);
      const alias = call?.alias ? eventIdOf(call.alias, item) : null;
      return usageEvent({ id, alias, key, country, successful, now });
    }),
  );
}

async function verifyOne(c: Context<AppEnv>) {
  const { number, country } = await readBody(c, VerifyRequest);
  checkCountry(country);
  const { mode } = c.get("apiKey");
  if (mode === "live" && number.trim() === "") throw validationFailed({ number: "Must not be empty" });
  const call = admit(c, { number, country }, 1);
  const answered = answer(mode, number, country);
  record(c, [answered], call);
  if (answered.failure !== null) c.set("errorCode", answered.failure.code);
  return answered.failure === null ? c.json(answered.result) : c.json(answered.failure, 400);
}

async function verifyBatch(c: Context<AppEnv>) {
  const { numbers, country } = await readBody(c, BatchRequest);
  checkCountry(country);
  const { mode } = c.get("apiKey");
  const call = admit(c, { numbers, country }, numbers.length);
  const answers = numbers.map((number) => answer(mode, number, country));
  record(c, answers, call);
  const results = answers.map(({ result, failure }, index) =>
    failure === null ? result : { number: numbers[index]!, ...failure },
  );
  return c.json({ results });
}

/** `POST /verify`: mounted under the base path, and without it as the alias. */
export const verifyRoutes = new Hono<AppEnv>()
  .use("/verify", allowAnyOrigin())
  .post("/verify", limitBody(MAX_BODY_BYTES), requireApiKey(), limitRate(), verifyOne);

export const batchRoutes = new Hono<AppEnv>()
  .use("/verify/batch", allowAnyOrigin())
  .post("/verify/batch", limitBody(MAX_BATCH_BODY_BYTES), requireApiKey(), limitRate(), verifyBatch);

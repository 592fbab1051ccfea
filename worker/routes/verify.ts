import { Hono } from "hono";
import type { Context } from "hono";
import { MAX_BATCH_BODY_BYTES, MAX_BODY_BYTES } from "../../contract/limits.ts";
import { sandboxFailureMessage } from "../../contract/sandbox.ts";
import type { SandboxFailure } from "../../contract/sandbox.ts";
import { BatchRequest, VerifyRequest } from "../../contract/verification.ts";
import type { AppEnv } from "../env.ts";
import { requireApiKey } from "../http/api-key.ts";
import { limitBody, readBody, validationFailed } from "../http/body.ts";
import { isSupportedCountry } from "../phone/parse.ts";
import { verifyNumber } from "../verification/engine.ts";
import { answerSandbox } from "../verification/sandbox.ts";

function checkCountry(country: string | undefined): void {
  if (country !== undefined && !isSupportedCountry(country)) {
    throw validationFailed({ country: `No numbering plan is known for ${country}` });
  }
}

function sandboxError(failure: SandboxFailure) {
  return { error: sandboxFailureMessage(failure), code: failure.name };
}

async function verifyOne(c: Context<AppEnv>) {
  const { number, country } = await readBody(c, VerifyRequest);
  checkCountry(country);
  if (c.get("apiKey").mode === "live") {
    if (number.trim() === "") throw validationFailed({ number: "Must not be empty" });
    return c.json(verifyNumber(number, country));
  }
  const answer = answerSandbox(number, country, verifyNumber);
  if (answer.ok) return c.json(answer.result);
  c.set("errorCode", answer.failure.name);
  return c.json(sandboxError(answer.failure), 400);
}

async function verifyBatch(c: Context<AppEnv>) {
  const { numbers, country } = await readBody(c, BatchRequest);
  checkCountry(country);
  if (c.get("apiKey").mode === "live") {
    return c.json({ results: numbers.map((number) => verifyNumber(number, country)) });
  }
  const results = numbers.map((number) => {
    const answer = answerSandbox(number, country, verifyNumber);
    return answer.ok ? answer.result : { number, ...sandboxError(answer.failure) };
  });
  return c.json({ results });
}

/** `POST /verify`: mounted under the base path, and without it as the alias. */
export const verifyRoutes = new Hono<AppEnv>().post("/verify", limitBody(MAX_BODY_BYTES), requireApiKey(), verifyOne);

export const batchRoutes = new Hono<AppEnv>().post(
  "/verify/batch",
  limitBody(MAX_BATCH_BODY_BYTES),
  requireApiKey(),
  verifyBatch,
);

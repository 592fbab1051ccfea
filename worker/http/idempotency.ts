import type { Context } from "hono";
import type { AppEnv } from "../env.ts";
import { callId, createCallMemory, isIdempotencyKey } from "../usage/idempotency.ts";
import type { CallMemory } from "../usage/idempotency.ts";
import { validationFailed } from "./body.ts";
import { ApiError } from "./errors.ts";

const HEADER = "Idempotency-Key";

let memory: CallMemory | undefined;

/**
 * What makes this call the same as its retries, or null without an Idempotency-Key. `body` is what was asked.
 * @throws ApiError 400 when the key has not the right form, 422 IDEMPOTENCY_MISMATCH when this isolate saw it with another body.
 */
export function callOf(c: Context<AppEnv>, body: unknown): string | null {
  const key = c.req.header(HEADER);
  if (key === undefined) return null;
  if (!isIdempotencyKey(key)) throw validationFailed({ [HEADER]: "Must be 1 to 255 printable ASCII characters" });
  const { sessionSecret } = c.get("config");
  const call = callId(sessionSecret, c.get("apiKey").userId, key);
  memory ??= createCallMemory(sessionSecret);
  if (!memory.matches(call, JSON.stringify(body))) throw new ApiError("IDEMPOTENCY_MISMATCH");
  return call;
}

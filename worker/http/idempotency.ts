import type { Context } from "hono";
import type { AppEnv } from "../env.ts";
import { createLru } from "../lru.ts";
import { callId, createCallMemory, isIdempotencyKey } from "../usage/idempotency.ts";
import type { CallMemory } from "../usage/idempotency.ts";
import { validationFailed } from "./body.ts";
import { ApiError } from "../api-error.ts";

const HEADER = "Idempotency-Key";

/** How many answered calls an isolate remembers, at about 150 bytes each. */
const REMEMBERED = 10_000;

let memory: CallMemory | undefined;
const answered = createLru<true>(REMEMBERED);

/**
 * What makes this call the same as its retries, or null without an Idempotency-Key. `body` is what was asked.
 * @throws ApiError 400 when the key has not the right form, 422 IDEMPOTENCY_MISMATCH when this isolate saw it with another body.
 */
export function callOf(c: Context<AppEnv>, body: unknown): string | null {
  const key = c.req.header(HEADER);
  if (key === undefined) return null;
  if (!isIdempotencyKey(key)) throw validationFailed({ [HEADER]: "Must be 1 to 255 printable ASCII characters" });
  const { sessionSecret } = c.get("config");
  const { userId, mode } = c.get("apiKey");
  const call = { userId, mode, idempotencyKey: key, body: JSON.stringify(body) };
  memory ??= createCallMemory(sessionSecret);
  if (!memory.matches(call)) throw new ApiError("IDEMPOTENCY_MISMATCH");
  return callId(sessionSecret, call);
}

/** Whether this isolate has answered the call before: a retry needs no quota, and takes nothing from it. */
export function isRetry(call: string | null): boolean {
  return call !== null && answered.get(call) === true;
}

/** Notes that a call is being answered, after it was let through. */
export function noteAnswered(call: string | null): void {
  if (call !== null) answered.set(call, true);
}

import type { Context } from "hono";
import { ApiError } from "../api-error.ts";
import type { AppEnv } from "../env.ts";
import { createCallMemory, isIdempotencyKey } from "../usage/idempotency.ts";
import type { CallMemory, RememberedCall } from "../usage/idempotency.ts";
import { validationFailed } from "./body.ts";

const HEADER = "Idempotency-Key";

let memory: CallMemory | undefined;

/**
 * The call that this request is or repeats, or null without an Idempotency-Key. `body` is what was asked.
 * @throws ApiError 400 when the key has not the right form, 422 IDEMPOTENCY_MISMATCH when this isolate saw it with another body.
 */
export function callOf(c: Context<AppEnv>, body: unknown): RememberedCall | null {
  const key = c.req.header(HEADER);
  if (key === undefined) return null;
  if (!isIdempotencyKey(key))
    throw validationFailed({ [HEADER]: "Must be 1 to 255 printable ASCII characters without spaces" });
  const { userId, mode } = c.get("apiKey");
  memory ??= createCallMemory(c.get("config").secrets);
  const call = memory.recall({ userId, mode, idempotencyKey: key, body: JSON.stringify(body) });
  if (call === null) throw new ApiError("IDEMPOTENCY_MISMATCH");
  return call;
}

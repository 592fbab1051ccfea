import type { Context } from "hono";
import type { AppEnv } from "../env.ts";
import { keyCache } from "../keys/cache/key-cache.ts";
import { ApiError } from "../api-error.ts";

/**
 * Refuses a live call that asks for more verifications than the subscription has left, as far as this isolate knows.
 * @throws ApiError 402 QUOTA_EXCEEDED.
 */
export function requireQuota(c: Context<AppEnv>, asked: number): void {
  const state = keyCache.quotaState(c.get("apiKey"));
  if (state === null || state.remaining === null || asked <= state.remaining) return;
  const message =
    state.remaining === 0
      ? `All ${state.limit} successful verifications of the subscription are used up.`
      : `The subscription has ${state.remaining} successful verifications left, fewer than the ${asked} of this batch.`;
  throw new ApiError("QUOTA_EXCEEDED", { message });
}

import type { Context, MiddlewareHandler } from "hono";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { findApiKey } from "../keys/find-api-key.ts";
import type { ApiKeyRecord } from "../keys/find-api-key.ts";
import { hashKey, keyMode } from "../keys/key-format.ts";
import { isActive } from "../subscriptions/is-active.ts";
import { bearerToken } from "./bearer.ts";
import { ApiError } from "./errors.ts";
import { logFailure } from "./log.ts";

async function lookUp(c: Context<AppEnv>, key: string): Promise<ApiKeyRecord | null> {
  try {
    return await findApiKey(openDatabase(c.env.DB), hashKey(key));
  } catch (error) {
    logFailure(c.get("requestId"), error);
    throw new ApiError("TEMPORARILY_UNAVAILABLE");
  }
}

/**
 * Lets a request pass whose `Authorization: Bearer` header holds a key that exists, is not revoked and, if live, has an active
 * subscription behind it; leaves the key's record in `apiKey`.
 */
export function requireApiKey(): MiddlewareHandler<AppEnv> {
  return async function apiKey(c, next) {
    const key = bearerToken(c);
    if (key === null) throw new ApiError("UNAUTHENTICATED");
    if (keyMode(key) === null) throw new ApiError("INVALID_API_KEY");
    const record = await lookUp(c, key);
    if (record === null) throw new ApiError("INVALID_API_KEY");
    if (record.revokedAt !== null) throw new ApiError("API_KEY_REVOKED");
    if (record.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
    if (record.mode === "live" && !isActive(record.subscription, Date.now())) {
      throw new ApiError("SUBSCRIPTION_INACTIVE");
    }
    c.set("apiKey", record);
    await next();
  };
}

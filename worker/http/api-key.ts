import type { Context, MiddlewareHandler } from "hono";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { findApiKey } from "../keys/find-api-key.ts";
import type { ApiKeyRecord } from "../keys/find-api-key.ts";
import { hashKey, keyMode } from "../keys/key-format.ts";
import { isActive } from "../subscriptions/is-active.ts";
import { ApiError } from "./errors.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { logFailure } from "./log.ts";

const RETRY_AFTER_SECONDS = "5";

function unauthorized(code: ErrorCode): ApiError {
  return new ApiError(code, { headers: { "WWW-Authenticate": "Bearer" } });
}

async function lookUp(c: Context<AppEnv>, key: string): Promise<ApiKeyRecord | null> {
  try {
    return await findApiKey(openDatabase(c.env.DB), hashKey(key));
  } catch (error) {
    logFailure(c.get("requestId"), error);
    throw new ApiError("TEMPORARILY_UNAVAILABLE", { headers: { "Retry-After": RETRY_AFTER_SECONDS } });
  }
}

/**
 * Lets a request pass whose `Authorization: Bearer` header holds a key that exists, is not revoked and, if live, has an active
 * subscription behind it; leaves the key's record in `apiKey`.
 */
export function requireApiKey(): MiddlewareHandler<AppEnv> {
  return async function apiKey(c, next) {
    const key = /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "")?.[1];
    if (key === undefined) throw unauthorized("UNAUTHENTICATED");
    if (keyMode(key) === null) throw unauthorized("INVALID_API_KEY");
    const record = await lookUp(c, key);
    if (record === null) throw unauthorized("INVALID_API_KEY");
    if (record.revokedAt !== null) throw unauthorized("API_KEY_REVOKED");
    if (record.mode === "live" && !isActive(record.subscription, Date.now())) {
      throw new ApiError("SUBSCRIPTION_INACTIVE");
    }
    c.set("apiKey", record);
    await next();
  };
}

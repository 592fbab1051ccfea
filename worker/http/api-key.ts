import type { Context, MiddlewareHandler } from "hono";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { keyCache, KeysUnavailableError } from "../keys/cache/key-cache.ts";
import type { LookUp } from "../keys/cache/key-cache.ts";
import { hashKey, keyMode } from "../keys/key-format.ts";
import { isActive } from "../subscriptions/is-active.ts";
import { backstop } from "./attempt-limits.ts";
import { bearerToken } from "./bearer.ts";
import { refuseLiveKeyInBrowser } from "./cors.ts";
import { ApiError } from "../api-error.ts";

async function lookUp(c: Context<AppEnv>, key: string): Promise<LookUp> {
  try {
    return await keyCache.lookUp(hashKey(key), {
      kv: c.env.EDGE,
      db: openDatabase(c.env.DB),
      waitUntil: (work) => c.executionCtx.waitUntil(work),
      // Anybody can compute a checksum: made-up keys must not cost a look-up each.
      onMiss: () => backstop(c, "keys"),
    });
  } catch (error) {
    if (error instanceof KeysUnavailableError) throw new ApiError("TEMPORARILY_UNAVAILABLE");
    throw error;
  }
}

/**
 * Lets a request pass whose `Authorization: Bearer` header holds a key that exists, is not revoked and, if live, has an active
 * subscription behind it and was not sent from somebody's web page; leaves the key's record in `apiKey`, and where it came from in
 * `Server-Timing`.
 */
export function requireApiKey(): MiddlewareHandler<AppEnv> {
  return async function apiKey(c, next) {
    const key = bearerToken(c);
    if (key === null) throw new ApiError("UNAUTHENTICATED");
    if (keyMode(key) === null) throw new ApiError("INVALID_API_KEY");
    const { source, awaited, record } = await lookUp(c, key);
    c.set("keySource", source);
    c.header("Server-Timing", `key;desc="${source}", awaited;desc="${awaited}"`);
    if (record === null) throw new ApiError("INVALID_API_KEY");
    if (record.revoked) throw new ApiError("API_KEY_REVOKED");
    c.set("apiKey", record);
    if (record.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
    refuseLiveKeyInBrowser(c);
    if (record.mode === "live" && !isActive(record.subscription, Date.now())) {
      throw new ApiError("SUBSCRIPTION_INACTIVE");
    }
    await next();
  };
}

import type { MiddlewareHandler } from "hono";
import { findAccount } from "../accounts/find-account.ts";
import { readSession } from "../accounts/sessions.ts";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { bearerToken } from "./bearer.ts";
import { ApiError } from "../api-error.ts";

/**
 * Lets a request pass whose `Authorization: Bearer` header holds a session that is signed by us, has not expired, and belongs to an
 * account that still is at that session's epoch; leaves the account in `account`.
 */
export function requireSession(): MiddlewareHandler<AppEnv> {
  return async function session(c, next) {
    const token = bearerToken(c);
    if (token === null) throw new ApiError("UNAUTHENTICATED");
    const claims = await readSession(token, c.get("config").secrets, Date.now());
    if (claims === "expired") throw new ApiError("SESSION_EXPIRED");
    if (claims === "invalid") throw new ApiError("UNAUTHENTICATED", { message: "The session token is not valid." });
    const account = await findAccount(openDatabase(c.env.DB), claims.userId);
    if (account === null || account.sessionEpoch !== claims.epoch) throw new ApiError("SESSION_EXPIRED");
    if (account.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
    c.set("account", account);
    await next();
  };
}

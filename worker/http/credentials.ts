import { findSession } from "../accounts/sessions.ts";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { requireRecentPassword } from "../accounts/confirm-password.ts";
import type { LookUp } from "../key-cache/key-cache.ts";
import { isForPages, requireKnown } from "../key-cache/record.ts";
import type { KeyRecord, KeyState } from "../key-cache/record.ts";
import { dashboardKey } from "../verification/dashboard-key.ts";
import { hashKey, keyMode } from "../keys/key-format.ts";
import { ApiError } from "../platform/errors.ts";
import { isActive } from "../subscriptions/subscription.ts";
import type { RequestContext } from "./context.ts";
import { isFromAnotherOrigin, requireAllowedOrigin } from "./origins.ts";
import { checkBackstop, checkUnknownKeys, countUnknownKey } from "./limits.ts";
import { setHeaders } from "./response.ts";

/** The credential from `Authorization: Bearer`. @throws ApiError 401 */
function bearerToken(c: RequestContext): string {
  const token = /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "")?.[1];
  if (token === undefined) throw new ApiError("UNAUTHENTICATED", { message: hintOf(c) });
  return token;
}

/** Names the usual mistakes with the header; undefined for others. */
function hintOf(c: RequestContext): string | undefined {
  const header = c.req.header("Authorization");
  if (header !== undefined) return "The Authorization header must be Bearer, a space, and the key or token.";
  if (c.req.header("X-API-Key") === undefined) return undefined;
  return "Send the key as Authorization: Bearer <key>, not as X-API-Key.";
}

/** Whether a credential looks like an API key. */
function isKeyLike(token: string): boolean {
  return /^ch_(test|live)_/.test(token);
}

/** Whether a credential looks like a session token: a JWT, three parts separated by dots. */
function isSessionLike(token: string): boolean {
  return !isKeyLike(token) && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
}

const TAKES_A_SESSION = "This call requires a session token, but you sent an API key.";
const TAKES_A_KEY = "This call requires an API key (ch_test_ or ch_live_), but you sent a session token.";

/** The caller's session. @throws ApiError 401, 403 for a suspended account, or 429 by address */
export async function requireSession(c: RequestContext): Promise<void> {
  const token = bearerToken(c);
  if (isKeyLike(token)) throw new ApiError("UNAUTHENTICATED", { message: TAKES_A_SESSION });
  await checkBackstop(c, "sessions");
  const session = await findSession(c.get("io"), token);
  if (session.account.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
  c.set("session", session);
}

/**
 * A substitute for a key of the session's account, in the mode of the operation.
 * @throws ApiError 403 without an active subscription, which only the sandbox doesn't need
 */
export async function findDashboardKey(c: RequestContext, { sandbox }: Pick<Endpoint, "sandbox">): Promise<void> {
  c.set("key", await dashboardKey(c.get("io"), c.get("session")!.account, sandbox ? "test" : "live"));
}

/** @throws ApiError 403 when the session's password was given too long ago */
export function requirePassword(c: RequestContext): void {
  requireRecentPassword(c.get("io"), c.get("session")!);
}

async function lookUp(c: RequestContext, hash: string): Promise<LookUp> {
  const { db, edge, waitUntil, keyCache } = c.get("io");
  const onMiss = () => checkUnknownKeys(c);
  const found = await keyCache.lookUp(hash, { kv: edge, db, waitUntil, onMiss });
  if (found.state === "unknown" && found.source !== "memory") countUnknownKey(c);
  return found;
}

/** What accepts the key: a call that also accepts a session reads the account's status, which needs no subscription. */
type AcceptsKey = Pick<Endpoint, "credential" | "pageKeys">;

/** @throws ApiError 401 or 403 for a key that can't be used now */
function requireUsable(c: RequestContext, state: KeyState, { credential, pageKeys }: AcceptsKey): void {
  if (state === "unknown") throw new ApiError("INVALID_API_KEY");
  if (state === "revoked") throw new ApiError("API_KEY_REVOKED");
  c.set("key", state);
  requireKnown(state);
  const now = c.get("isolate").now();
  if (state.expiresAt !== null && state.expiresAt <= now) throw new ApiError("API_KEY_EXPIRED");
  if (state.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
  if (state.mode === "test") return;
  if (isForPages(state)) {
    if (pageKeys !== true) throw new ApiError("PAGE_KEY_REFUSED");
    requireAllowedOrigin(c, state.origins);
  } else if (isFromAnotherOrigin(c)) throw new ApiError("BROWSER_ORIGIN_REFUSED");
  if (credential === "key" && !isActive(state.subscription, now)) throw new ApiError("SUBSCRIPTION_INACTIVE");
}

/**
 * The request's API key: it exists, is not revoked or expired and, if live, has an active subscription and was sent from
 * one of its allowed origins or, without any, not from another site's page, where anyone could read it. `Server-Timing`
 * reports where it was found, unless memory had a current copy.
 * @throws ApiError 401, 403, or 503 when it can't be looked up
 */
export async function requireApiKey(c: RequestContext, endpoint: AcceptsKey): Promise<void> {
  const key = bearerToken(c);
  if (keyMode(key) === null) {
    throw new ApiError("INVALID_API_KEY", isSessionLike(key) ? { message: TAKES_A_KEY } : {});
  }
  const hash = hashKey(key);
  const { source, state } = await lookUp(c, hash);
  c.set("keyHash", hash);
  c.set("keySource", source);
  if (source !== "memory") addTiming(c, `key;desc="${source}"`);
  requireUsable(c, state, endpoint);
}

/** An API key or a session, on calls that accept either. @throws ApiError as `requireApiKey` and `requireSession` */
export function requireKeyOrSession(c: RequestContext, endpoint: AcceptsKey): Promise<void> {
  return isSessionLike(bearerToken(c)) ? requireSession(c) : requireApiKey(c, endpoint);
}

/**
 * Looks the key up again for the next part of a long request.
 * @returns the key as it is now
 * @throws ApiError as `requireApiKey`
 */
export async function renewApiKey(c: RequestContext): Promise<KeyRecord> {
  const { state } = await lookUp(c, c.get("keyHash")!);
  requireUsable(c, state, { credential: "key" });
  return c.get("key")!;
}

/**
 * Looks at the key again, in this isolate's memory only, after the body was read, which may have taken long.
 * Does nothing for a session.
 * @throws ApiError as `requireApiKey`
 */
export function recheckApiKey(c: RequestContext, endpoint: AcceptsKey): void {
  const hash = c.get("keyHash");
  const state = hash === undefined ? undefined : c.get("io").keyCache.recall(hash);
  if (state !== undefined && state !== c.get("key")) requireUsable(c, state, endpoint);
}

/** Adds a metric to `Server-Timing`. */
export function addTiming(c: RequestContext, metric: string): void {
  const { "Server-Timing": others } = c.get("headers");
  setHeaders(c, { "Server-Timing": others === undefined ? metric : `${others}, ${metric}` });
}

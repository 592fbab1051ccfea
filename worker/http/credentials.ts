import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { findSession } from "../accounts/sessions.ts";
import type { Session, SessionToken } from "../accounts/sessions.ts";
import type { LookUp } from "../key-cache/key-cache.ts";
import { isForPages, requireKnown } from "../key-cache/record.ts";
import type { KeyRecord, KeyState } from "../key-cache/record.ts";
import { hashKey, keyMode } from "../keys/key-format.ts";
import { ApiError } from "../platform/errors.ts";
import { isActive } from "../subscriptions/subscription.ts";
import type { RequestContext } from "./context.ts";
import { isFromAnotherOrigin, requireAllowedOrigin } from "./origins.ts";
import { checkUnknownKeys, countRefusal, countUnknownKey } from "./limits.ts";
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

async function lookUp(c: RequestContext, hash: string): Promise<LookUp> {
  const { db, edge, waitUntil, keyCache } = c.get("io");
  const onMiss = () => checkUnknownKeys(c);
  const found = await keyCache.lookUp(hash, { kv: edge, db, waitUntil, onMiss });
  if (found.state === "unknown" && found.source !== "memory") countUnknownKey(c);
  return found;
}

/** What accepts the key: a call that also accepts a session reads the account's status, which needs no subscription. */
export type AcceptsKey = Pick<Endpoint, "credential" | "pageKeys">;

/** @throws ApiError 401 or 403 for a key that can't be used now */
function requireUsable(c: RequestContext, state: KeyState, { credential, pageKeys }: AcceptsKey): KeyRecord {
  if (state === "unknown") throw new ApiError("INVALID_API_KEY");
  if (state === "revoked") throw new ApiError("API_KEY_REVOKED");
  c.set("key", state);
  requireKnown(state);
  const now = c.get("isolate").now();
  if (state.expiresAt !== null && state.expiresAt <= now) throw new ApiError("API_KEY_EXPIRED");
  if (state.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
  if (state.mode === "test") return state;
  if (isForPages(state)) {
    if (pageKeys !== true) throw new ApiError("PAGE_KEY_REFUSED");
    requireAllowedOrigin(c, state.origins);
  } else if (isFromAnotherOrigin(c)) throw new ApiError("BROWSER_ORIGIN_REFUSED");
  if (credential === "key" && !isActive(state.subscription, now)) throw new ApiError("SUBSCRIPTION_INACTIVE");
  return state;
}

/** A key that was found usable, and the SHA-256 under which to look at it again, in hex. */
export interface FoundKey {
  readonly key: KeyRecord;
  readonly keyHash: string;
}

/**
 * The request's API key: it exists, is not revoked or expired and, if live, has an active subscription and was sent from
 * one of its allowed origins or, without any, not from another site's page, where anyone could read it. `Server-Timing`
 * reports where it was found, unless memory had a current copy.
 * @throws ApiError 401, 403, 429 after too many of these, or 503 when it can't be looked up
 */
export async function requireApiKey(c: RequestContext, accepts: AcceptsKey): Promise<FoundKey> {
  const token = bearerToken(c);
  if (keyMode(token) === null) {
    throw new ApiError("INVALID_API_KEY", isSessionLike(token) ? { message: TAKES_A_KEY } : {});
  }
  const keyHash = hashKey(token);
  const { source, state } = await lookUp(c, keyHash);
  c.set("keySource", source);
  if (source !== "memory") addTiming(c, `key;desc="${source}"`);
  try {
    return { key: requireUsable(c, state, accepts), keyHash };
  } catch (refusal) {
    // A 503, for a record of a later version, is our fault.
    const isOurs = refusal instanceof ApiError && refusal.code === "TEMPORARILY_UNAVAILABLE";
    if (state !== "unknown" && !isOurs) countRefusal(c, keyHash);
    throw refusal;
  }
}

/**
 * Looks the key up again for the next part of a long request.
 * @returns the key as it is now
 * @throws ApiError as `requireApiKey`
 */
export async function renewApiKey(c: RequestContext, { keyHash }: FoundKey): Promise<KeyRecord> {
  const { state } = await lookUp(c, keyHash);
  return requireUsable(c, state, { credential: "key" });
}

/**
 * Looks at the key again, in this isolate's memory only.
 * @throws ApiError as `requireApiKey`
 */
export function recheckApiKey(c: RequestContext, { key, keyHash }: FoundKey, accepts: AcceptsKey): KeyRecord {
  const state = c.get("io").keyCache.recall(keyHash);
  return state === undefined || state === key ? key : requireUsable(c, state, accepts);
}

/** The credential of a call that takes a session, still to be read. @throws ApiError 401 without one, or for a key */
export function requireSessionToken(c: RequestContext): string {
  const token = bearerToken(c);
  if (isKeyLike(token)) throw new ApiError("UNAUTHENTICATED", { message: TAKES_A_SESSION });
  return token;
}

/** Whether the request has a session token, on calls that accept either. @throws ApiError 401 without a credential */
export function hasSessionToken(c: RequestContext): boolean {
  return isSessionLike(bearerToken(c));
}

/** The session of a token. @throws ApiError 401, or 403 for a suspended account */
export async function requireSession(c: RequestContext, token: SessionToken): Promise<Session> {
  const session = await findSession(c.get("io"), token);
  if (session.account.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
  return session;
}

/** Adds a metric to `Server-Timing`. */
export function addTiming(c: RequestContext, metric: string): void {
  const { "Server-Timing": others } = c.get("headers");
  setHeaders(c, { "Server-Timing": others === undefined ? metric : `${others}, ${metric}` });
}

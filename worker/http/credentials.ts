import { findSession } from "../accounts/sessions.ts";
import type { Session } from "../accounts/sessions.ts";
import type { Isolate } from "../io.ts";
import type { LookUp } from "../key-cache/key-cache.ts";
import type { KeyRecord, KeyState } from "../key-cache/record.ts";
import { hashKey, keyMode } from "../keys/key-format.ts";
import { ApiError } from "../platform/errors.ts";
import { isActive } from "../subscriptions/subscription.ts";
import { requestHeader } from "./context.ts";
import type { RequestContext } from "./context.ts";
import { isFromAnotherOrigin } from "./origins.ts";
import { checkBackstop } from "./limits.ts";
import { addTiming } from "./response.ts";

/** The credential from `Authorization: Bearer`. @throws ApiError 401 */
function bearerToken(c: RequestContext): string {
  const token = /^Bearer +(\S+) *$/i.exec(requestHeader(c, "Authorization") ?? "")?.[1];
  if (token === undefined) throw new ApiError("UNAUTHENTICATED");
  return token;
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

/** @throws ApiError 401, or 403 for a suspended account */
export async function requireSession(c: RequestContext): Promise<Session> {
  const token = bearerToken(c);
  if (isKeyLike(token)) throw new ApiError("UNAUTHENTICATED", { message: TAKES_A_SESSION });
  const session = await findSession(c.get("state").io, token);
  if (session.account.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
  return session;
}

function lookUp(c: RequestContext, isolate: Isolate, hash: string): Promise<LookUp> {
  const { db, edge, waitUntil } = c.get("state").io;
  // Anyone can compute a checksum, so made-up keys must not cost a lookup each.
  const onMiss = () => checkBackstop(c, isolate, "keys");
  return isolate.keyCache.lookUp(hash, { kv: edge, db, waitUntil, onMiss });
}

/** What a request with an API key needs. */
export interface ApiKey {
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly key: KeyRecord;
}

/** What a key is used for: `account` reads its own status, which needs no subscription. */
export type KeyUse = "verify" | "account";

/** @throws ApiError 401 or 403 for a key that can't be used now */
function requireUsable(c: RequestContext, isolate: Isolate, state: KeyState, use: KeyUse): KeyRecord {
  if (state === "unknown") throw new ApiError("INVALID_API_KEY");
  if (state === "revoked") throw new ApiError("API_KEY_REVOKED");
  c.get("state").key = state;
  if (state.expiresAt !== null && state.expiresAt <= isolate.now()) throw new ApiError("API_KEY_EXPIRED");
  if (state.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
  if (state.mode === "test") return state;
  if (isFromAnotherOrigin(c)) throw new ApiError("BROWSER_ORIGIN_REFUSED");
  if (use === "verify" && !isActive(state.subscription, isolate.now())) throw new ApiError("SUBSCRIPTION_INACTIVE");
  return state;
}

/**
 * The request's API key: it exists, is not revoked or expired and, if live, has an active subscription and was not sent
 * from another site's page, where anyone could read it. `Server-Timing` reports where it was found,
 * unless memory had a current copy.
 * @throws ApiError 401, 403, or 503 when it can't be looked up
 */
export async function requireApiKey(c: RequestContext, isolate: Isolate, use: KeyUse): Promise<ApiKey> {
  const key = bearerToken(c);
  if (keyMode(key) === null) {
    throw new ApiError("INVALID_API_KEY", isSessionLike(key) ? { message: TAKES_A_KEY } : {});
  }
  const hash = hashKey(key);
  const { source, state } = await lookUp(c, isolate, hash);
  c.get("state").keySource = source;
  if (source !== "memory") addTiming(c, `key;desc="${source}"`);
  return { hash, key: requireUsable(c, isolate, state, use) };
}

/** Revalidates the key for the next part of a long request, with a full lookup. @throws ApiError as `requireApiKey` */
export async function renewApiKey(c: RequestContext, isolate: Isolate, { hash }: ApiKey): Promise<KeyRecord> {
  const { state } = await lookUp(c, isolate, hash);
  return requireUsable(c, isolate, state, "verify");
}

/**
 * Revalidates the key after the body was read, which may have taken long, from this isolate's memory only.
 * @throws ApiError as `requireApiKey`
 */
export function requireApiKeyStill(c: RequestContext, isolate: Isolate, { hash, key }: ApiKey, use: KeyUse): KeyRecord {
  const state = isolate.keyCache.recall(hash);
  return state === undefined || state === key ? key : requireUsable(c, isolate, state, use);
}

/** Whether to check the credential as an API key, on calls that accept either. */
export function bringsApiKey(c: RequestContext): boolean {
  return !isSessionLike(bearerToken(c));
}

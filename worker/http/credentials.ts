import { findSession } from "../accounts/sessions.ts";
import type { Session } from "../accounts/sessions.ts";
import type { Isolate } from "../io.ts";
import type { LookUp } from "../keys/cache/key-cache.ts";
import type { KeyRecord } from "../keys/cache/record.ts";
import { ApiError } from "../platform/errors.ts";
import { isActive } from "../subscriptions/subscription.ts";
import type { RequestContext } from "./context.ts";
import { isFromAnotherOrigin } from "./origins.ts";
import { checkBackstop } from "./limits.ts";
import { setHeader } from "./response.ts";

/** The credential of `Authorization: Bearer`. @throws ApiError 401 */
function bearerToken(c: RequestContext): string {
  const token = /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "")?.[1];
  if (token === undefined) throw new ApiError("UNAUTHENTICATED");
  return token;
}

/** Whether a credential is meant as an API key. */
function isKeyLike(token: string): boolean {
  return /^ch_(test|live)_/.test(token);
}

const TAKES_A_SESSION = "This call takes the session token of a logged-in account, and an API key was sent.";
const TAKES_A_KEY = "This call takes an API key, which begins with ch_test_ or ch_live_, and a session token was sent.";

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
  // Anybody can compute a checksum: made-up keys must not cost a lookup each.
  const onMiss = () => checkBackstop(c, isolate, "keys");
  return isolate.keyCache.lookUp(hash, { kv: edge, db, waitUntil, onMiss });
}

/** What a request with an API key works with. */
export interface ApiKey {
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly key: KeyRecord;
}

/** What a key is used for: `account` asks about it, which needs no subscription. */
export type KeyUse = "verify" | "account";

/** @throws ApiError 401 or 403 for a key that must not be used now */
function requireUsable(c: RequestContext, isolate: Isolate, record: LookUp["record"], use: KeyUse): KeyRecord {
  if (record === null) throw new ApiError("INVALID_API_KEY");
  if (record.revoked) throw new ApiError("API_KEY_REVOKED");
  c.get("state").key = record;
  if (record.expiresAt !== null && record.expiresAt <= isolate.now()) throw new ApiError("API_KEY_EXPIRED");
  if (record.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
  if (record.mode === "test") return record;
  if (isFromAnotherOrigin(c)) throw new ApiError("BROWSER_ORIGIN_REFUSED");
  if (use === "verify" && !isActive(record.subscription, isolate.now())) throw new ApiError("SUBSCRIPTION_INACTIVE");
  return record;
}

/**
 * The API key of the request: it exists, is not revoked, has not expired and, if live, has an active subscription and was not sent
 * from another site's page, where anybody could read it. `Server-Timing` says where it was found.
 * @throws ApiError 401, 403, or 503 when it cannot be looked up
 */
export async function requireApiKey(c: RequestContext, isolate: Isolate, use: KeyUse): Promise<ApiKey> {
  const key = bearerToken(c);
  const hash = isolate.hashOf(key);
  if (hash === null) {
    // Three parts with dots between them, as a JWT has.
    const isSession = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(key);
    throw new ApiError("INVALID_API_KEY", isSession ? { message: TAKES_A_KEY } : {});
  }
  const { source, awaited, record } = await lookUp(c, isolate, hash);
  c.get("state").keySource = source;
  setHeader(c, "Server-Timing", `key;desc="${source}", awaited;desc="${awaited}"`);
  return { hash, key: requireUsable(c, isolate, record, use) };
}

/** The same key for the next part of a long request, looked up as for a new one. @throws ApiError as `requireApiKey` */
export async function renewApiKey(c: RequestContext, isolate: Isolate, { hash }: ApiKey): Promise<KeyRecord> {
  const { record } = await lookUp(c, isolate, hash);
  return requireUsable(c, isolate, record, "verify");
}

/**
 * The same key once the body has been read, which may have taken long: as this isolate knows it by now, without asking anybody.
 * @throws ApiError as `requireApiKey`
 */
export function requireApiKeyStill(c: RequestContext, isolate: Isolate, { hash, key }: ApiKey, use: KeyUse): KeyRecord {
  const record = isolate.keyCache.recall(hash);
  return record === undefined || record === key ? key : requireUsable(c, isolate, record, use);
}

/** Whether the request brings an API key, where a session would do too. */
export function bringsApiKey(c: RequestContext): boolean {
  return isKeyLike(bearerToken(c));
}

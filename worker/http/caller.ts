import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { requireRecentPassword } from "../accounts/confirm-password.ts";
import { readSessionToken } from "../accounts/sessions.ts";
import type { Session, SessionToken } from "../accounts/sessions.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import { dashboardKey } from "../verification/dashboard-key.ts";
import type { RequestContext } from "./context.ts";
import { hasSessionToken, recheckApiKey, requireApiKey, requireSession, requireSessionToken } from "./credentials.ts";
import type { AcceptsKey, FoundKey } from "./credentials.ts";
import type { Admitted, Read } from "./input.ts";
import { checkAddress, checkSessionBackstop, countCall, countRequest } from "./limits.ts";
import type { CountedRequest } from "./limits.ts";

/** A caller with a key whose request has been counted. */
interface KeyVisitor extends FoundKey {
  readonly kind: "key";
  readonly counted: CountedRequest | null;
}

/** Who calls, as known before the body is read. That may take long, so a session's row is read after it. */
export type Visitor =
  | KeyVisitor
  | { readonly kind: "session"; readonly token: SessionToken }
  | { readonly kind: "anyone" };

/** Who calls, with the key's or the session's state after the body was read. */
export type Caller =
  | KeyVisitor
  | { readonly kind: "session"; readonly session: Session }
  /** The dashboard's bulk check or Try it, which is counted like a key of its account. */
  | {
      readonly kind: "dashboard";
      readonly session: Session;
      readonly key: KeyRecord;
      readonly counted: CountedRequest | null;
    }
  | { readonly kind: "anyone" };

/** The caller's key, and its request counted. @throws ApiError as `requireApiKey` and `countRequest` */
export async function identifyKey(c: RequestContext, accepts: AcceptsKey): Promise<KeyVisitor> {
  const found = await requireApiKey(c, accepts);
  return { kind: "key", ...found, counted: countRequest(c, found.key) };
}

async function identifySession(c: RequestContext): Promise<Visitor> {
  const token = requireSessionToken(c);
  await checkSessionBackstop(c);
  return { kind: "session", token: await readSessionToken(c.get("io"), token) };
}

/**
 * The step before the body: who calls, and whether that caller has room for a request.
 * @throws ApiError 401, 403, 429, or 503
 */
export async function identify(c: RequestContext, endpoint: Endpoint): Promise<Visitor> {
  switch (endpoint.credential) {
    case "key":
      return identifyKey(c, endpoint);
    case "session":
      return identifySession(c);
    case "any":
      return hasSessionToken(c) ? identifySession(c) : identifyKey(c, endpoint);
    case "none":
      await checkAddress(c, endpoint.rate);
      return { kind: "anyone" };
  }
}

/** The key as it is after the body was read. @throws ApiError as `requireApiKey` */
export function admitKey(c: RequestContext, accepts: AcceptsKey, { visitor }: Read<KeyVisitor>): KeyVisitor {
  const key = recheckApiKey(c, visitor, accepts);
  return key === visitor.key ? visitor : { ...visitor, key };
}

async function admitSession(c: RequestContext, endpoint: Endpoint, token: SessionToken): Promise<Caller> {
  const session = await requireSession(c, token);
  if (endpoint.credential === "session" && endpoint.rate === "requests by account") {
    const key = await dashboardKey(c.get("io"), session.account, endpoint.sandbox === true ? "test" : "live");
    c.set("key", key);
    return { kind: "dashboard", session, key, counted: countRequest(c, key) };
  }
  countCall(c, session);
  if (endpoint.password === "recent") requireRecentPassword(c.get("io"), session);
  return { kind: "session", session };
}

/**
 * The step after the body: whether the caller may still act, and the count of a session's call.
 * @throws ApiError 401, 403, 429, or 503
 */
export async function admit(c: RequestContext, endpoint: Endpoint, read: Read<Visitor>): Promise<Admitted<Caller>> {
  const { visitor, text } = read;
  switch (visitor.kind) {
    case "key":
      return { caller: admitKey(c, endpoint, { visitor, text }), text };
    case "session":
      return { caller: await admitSession(c, endpoint, visitor.token), text };
    case "anyone":
      return { caller: visitor, text };
  }
}

import type { ErrorCode } from "../../contract/errors.ts";
import { ApiError } from "../platform/errors.ts";
import type { RequestContext } from "./context.ts";
import { respond, setHeaders } from "./response.ts";

/** For pages of any origin. */
const ANY_ORIGIN = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "X-Request-Id,Data-Version,RateLimit,RateLimit-Policy,Retry-After,Server-Timing",
};

const PREFLIGHT = {
  ...ANY_ORIGIN,
  "Access-Control-Allow-Methods": "GET,POST",
  "Access-Control-Allow-Headers": "Authorization,Content-Type,Idempotency-Key,User-Agent",
  "Access-Control-Max-Age": "86400",
  Vary: "Access-Control-Request-Headers",
};

/** Responds to a preflight: pages of any origin may call this path. */
export function preflight(c: RequestContext): Response {
  setHeaders(c, PREFLIGHT);
  return respond(c, null, 204);
}

/**
 * Lets pages of any origin call and read the response, errors included. No cookies are involved: the key is the
 * credential, and `requireApiKey` rejects live keys from pages that may not use them.
 */
export function allowAnyOrigin(c: RequestContext): void {
  // Servers, which are most callers, send no Origin and don't need browser headers.
  if (c.req.header("Origin") !== undefined) setHeaders(c, ANY_ORIGIN);
}

/**
 * Lets only pages of a key's allowed origins call and read the response. Programs can send any `Origin`, so limits have
 * to back this up.
 * @param origins as browsers send them
 * @throws ApiError 403 for any other `Origin`, and without one. Any page can read that.
 */
export function requireAllowedOrigin(c: RequestContext, origins: readonly string[]): void {
  setHeaders(c, { Vary: "Origin" });
  const origin = c.req.header("Origin");
  if (origin === undefined || !origins.includes(origin)) throw new ApiError("ORIGIN_NOT_ALLOWED");
  setHeaders(c, { "Access-Control-Allow-Origin": origin });
}

/** The called origin, from the Host header; null if that is not a host. */
export function calledOrigin(c: RequestContext): string | null {
  return URL.canParse(c.req.url) ? new URL(c.req.url).origin : null;
}

/** Whether another site's page sent this. Servers send no Origin. */
export function isFromAnotherOrigin(c: RequestContext): boolean {
  const origin = c.req.header("Origin");
  return origin !== undefined && origin !== calledOrigin(c);
}

/** This machine's names. A local page may use any of them, whichever is configured. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** The origins that one of our addresses covers; empty for an invalid address. */
function originsOf(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { protocol, hostname, port, origin } = new URL(address);
  if (!LOOPBACK.includes(hostname)) return [origin];
  return LOOPBACK.map((name) => `${protocol}//${name}${port === "" ? "" : `:${port}`}`);
}

/**
 * Both the called address and the configured one are ours: they differ behind a proxy, such as that of `npm run dev`.
 */
function isOwn(c: RequestContext, origin: string): boolean {
  return [c.req.url, c.get("io").config.origin].some((address) => originsOf(address).includes(origin));
}

/**
 * Protects what only this machine may see. Another site's name may lead here (DNS rebinding), and its pages may send
 * forms here.
 * @throws ApiError 404 unless a local page or program called one of this machine's names
 */
export function requireLoopback(c: RequestContext): void {
  const origin = c.req.header("Origin");
  const isLocal = URL.canParse(c.req.url) && LOOPBACK.includes(new URL(c.req.url).hostname);
  if (!isLocal || (origin !== undefined && !isOwn(c, origin))) throw new ApiError("NOT_FOUND");
}

/**
 * The origin that a passkey must have been used on: the configured one. The Host header never counts. In development,
 * pages of this machine have others.
 */
export function passkeyOrigin(c: RequestContext): string {
  const { origin, httpsOnly } = c.get("io").config;
  const sent = c.req.header("Origin");
  const isLocal = !httpsOnly && sent !== undefined && originsOf(sent).length > 1;
  return isLocal ? sent : new URL(origin).origin;
}

/**
 * Whether one of our own pages sent this, judging by headers. Browsers set them and pages can't change them, but
 * programs can, so limits have to back this up. Without an Origin, Sec-Fetch-Site must be same-origin; older browsers
 * send an Origin and no Sec-Fetch-Site.
 */
function isFromOwnPage(c: RequestContext): boolean {
  const origin = c.req.header("Origin");
  const site = c.req.header("Sec-Fetch-Site");
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined ? site === "same-origin" : isOwn(c, origin);
}

/** Rejects requests from other sites' pages and from programs. @throws ApiError with this code */
export function requireOwnPage(c: RequestContext, code: ErrorCode): void {
  if (!isFromOwnPage(c)) throw new ApiError(code);
}

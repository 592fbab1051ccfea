import { cors } from "hono/cors";
import type { ErrorCode } from "../../contract/errors.ts";
import { ApiError } from "../platform/errors.ts";
import type { RequestContext, Serve } from "./context.ts";
import { setHeader } from "./response.ts";

const PREFLIGHT_SECONDS = 86_400;
const EXPOSED_HEADERS = ["X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After", "Server-Timing"];

const EXPOSED = EXPOSED_HEADERS.join(",");

const preflight = cors({
  origin: "*",
  allowMethods: ["GET", "POST"],
  allowHeaders: ["Authorization", "Content-Type", "Idempotency-Key", "User-Agent"],
  exposeHeaders: EXPOSED_HEADERS,
  maxAge: PREFLIGHT_SECONDS,
});

function originHeader(c: RequestContext): string | undefined {
  const state = c.get("state");
  return state.origin === null ? (state.origin = c.req.header("Origin")) : state.origin;
}

/**
 * Lets pages of any origin call and read the response, errors included. No cookies are involved: the key is the credential, and
 * `requireApiKey` keeps live ones out of pages.
 */
export function allowAnyOrigin(c: RequestContext): void {
  // Servers, which are most callers, send none, and have no use for what only browsers read.
  if (originHeader(c) === undefined) return;
  setHeader(c, "Access-Control-Allow-Origin", "*");
  setHeader(c, "Access-Control-Expose-Headers", EXPOSED);
}

/** Says of a path for pages of any origin what they may send. */
export const answerPreflight: Serve = async (c) => (await preflight(c, async () => {})) as Response;

/** The origin that was called, by its Host header; null where that names no host. */
export function calledOrigin(c: RequestContext): string | null {
  return URL.canParse(c.req.url) ? new URL(c.req.url).origin : null;
}

/** Whether another site's page sent this. Servers send no Origin. */
export function isFromAnotherOrigin(c: RequestContext): boolean {
  const origin = originHeader(c);
  return origin !== undefined && origin !== calledOrigin(c);
}

/** The names of this machine. A local page may be open under any of them, whichever is configured. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** The origins that an address of ours covers: none when it is no address. */
function originsOf(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { protocol, hostname, port, origin } = new URL(address);
  if (!LOOPBACK.includes(hostname)) return [origin];
  return LOOPBACK.map((name) => `${protocol}//${name}${port === "" ? "" : `:${port}`}`);
}

/** Ours are the address that was called and the configured one: they differ behind a proxy, such as that of `npm run dev`. */
function isOwn(c: RequestContext, origin: string): boolean {
  return [c.req.url, c.get("state").io.config.origin].some((address) => originsOf(address).includes(origin));
}

/** Where the page is that sent this: its Origin where that is ours, else the configured one. */
export function pageOrigin(c: RequestContext): string {
  const origin = originHeader(c);
  return origin !== undefined && isOwn(c, origin) ? origin : new URL(c.get("state").io.config.origin).origin;
}

/**
 * Whether one of our own pages sent this, as far as the headers tell: browsers set them and no page can change them, but a program
 * can, so limits have to back this up. Without an Origin the browser has to name the site as ours; older browsers send an Origin and
 * no Sec-Fetch-Site.
 */
function isFromOwnPage(c: RequestContext): boolean {
  const origin = originHeader(c);
  const site = c.req.header("Sec-Fetch-Site");
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined ? site === "same-origin" : isOwn(c, origin);
}

/** Refuses with this error what none of our own pages sent: other sites must not use what is meant for ours. */
export function requireOwnPage(c: RequestContext, code: ErrorCode): void {
  if (!isFromOwnPage(c)) throw new ApiError(code);
}

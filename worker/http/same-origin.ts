import type { Context, MiddlewareHandler } from "hono";
import { ApiError } from "../api-error.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import type { AppEnv } from "../env.ts";

/** The names of this machine. A local page may be open under any of them, whichever is configured. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** The origins that an address of ours stands for: none when it is no address. */
function originsOf(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { protocol, hostname, port, origin } = new URL(address);
  if (!LOOPBACK.includes(hostname)) return [origin];
  return LOOPBACK.map((name) => `${protocol}//${name}${port === "" ? "" : `:${port}`}`);
}

/** Ours are the address that was called and the configured one: they differ behind a proxy, such as that of `npm run dev`. */
function isOwn(c: Context<AppEnv>, origin: string): boolean {
  return [c.req.url, c.get("config").origin].some((address) => originsOf(address).includes(origin));
}

/**
 * Whether one of our own pages sent this, as far as the headers tell: browsers set them and no page can change them. Without an
 * Origin the browser has to say by itself that it was one of ours; older browsers send an Origin and no Sec-Fetch-Site.
 */
function isSameOrigin(c: Context<AppEnv>): boolean {
  const origin = c.req.header("Origin");
  const site = c.req.header("Sec-Fetch-Site");
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined ? site === "same-origin" : isOwn(c, origin);
}

/**
 * Lets a request pass that one of our own pages sent, and answers others with this error. It keeps other sites from using what is meant
 * for ours; a program can forge the headers, so limits have to stand behind it.
 * @throws ApiError with the code given.
 */
export function requireSameOrigin(code: ErrorCode): MiddlewareHandler<AppEnv> {
  return async function sameOrigin(c, next) {
    if (!isSameOrigin(c)) throw new ApiError(code);
    await next();
  };
}

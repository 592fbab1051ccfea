import type { Context, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../api-error.ts";

const PREFLIGHT_SECONDS = 86_400;
const EXPOSED_HEADERS = ["X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After", "Server-Timing"];

/**
 * Lets pages of any origin call and read the answer, refusals included. No cookies are involved: the key is the credential, and
 * `refuseLiveKeyInBrowser` keeps live ones out of pages.
 */
export function allowAnyOrigin(): MiddlewareHandler<AppEnv> {
  const preflight = cors({
    origin: "*",
    allowMethods: ["POST"],
    allowHeaders: ["Authorization", "Content-Type", "Idempotency-Key", "User-Agent"],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
  return async function anyOrigin(c, next) {
    if (c.req.method === "OPTIONS") return preflight(c, next);
    // Before there is an answer: Hono's own makes an empty one first, which is then copied into the real one.
    c.header("Access-Control-Allow-Origin", "*");
    c.header("Access-Control-Expose-Headers", EXPOSED_HEADERS.join(","));
    await next();
  };
}

/**
 * A live key in a page is a leaked key: anybody who opens the page can read it. Our own pages, where its owner tries it, are the
 * exception. Servers send no Origin.
 * @throws ApiError 403 BROWSER_ORIGIN_REFUSED.
 */
export function refuseLiveKeyInBrowser(c: Context<AppEnv>): void {
  const origin = c.req.header("Origin");
  if (origin === undefined || origin === new URL(c.req.url).origin) return;
  if (c.get("apiKey").mode === "live") throw new ApiError("BROWSER_ORIGIN_REFUSED");
}

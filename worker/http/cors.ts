import type { Context, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../api-error.ts";

const PREFLIGHT_SECONDS = 86_400;

/**
 * Lets pages of any origin call and read the answer, refusals included. No cookies are involved: the key is the credential, and
 * `refuseLiveKeyInBrowser` keeps live ones out of pages.
 */
export function allowAnyOrigin(): MiddlewareHandler<AppEnv> {
  return cors({
    origin: "*",
    allowMethods: ["POST"],
    allowHeaders: ["Authorization", "Content-Type", "Idempotency-Key", "User-Agent"],
    exposeHeaders: ["X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After", "Server-Timing"],
    maxAge: PREFLIGHT_SECONDS,
  });
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

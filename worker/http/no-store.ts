import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../env.ts";

/** Keeps answers, which are about somebody's number or account, out of every cache. A route may say otherwise first. */
export function noStore(): MiddlewareHandler<AppEnv> {
  return async function cacheControl(c, next) {
    await next();
    // On the answer itself: `c.header` would copy it.
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
  };
}

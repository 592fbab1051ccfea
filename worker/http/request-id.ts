import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../env.ts";
import { newId } from "../random.ts";

/** Gives each request an id of our own making, in `X-Request-Id` and in the log. A caller's own id is not trusted. */
export function requestIds(): MiddlewareHandler<AppEnv> {
  return async function requestId(c, next) {
    const id = newId("req");
    c.set("requestId", id);
    await next();
    // On the answer itself: `c.header` would copy it.
    c.res.headers.set("X-Request-Id", id);
  };
}

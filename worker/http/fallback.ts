import type { Hono, NotFoundHandler } from "hono";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../api-error.ts";

/** The methods that have a handler at this path. Middleware, which stands for all methods, does not count. */
function methodsAt(app: Hono<AppEnv>, path: string): string[] {
  const methods = new Set(app.routes.map((route) => route.method));
  methods.delete("ALL");
  const found = [...methods].filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  );
  // Hono answers HEAD with the handler of GET.
  return found.includes("GET") ? [...found, "HEAD"] : found;
}

/** A path without a route is a 404; a path whose routes have other methods is a 405 that lists them. */
export function answerUnrouted(app: Hono<AppEnv>): NotFoundHandler<AppEnv> {
  return (c) => {
    const allowed = methodsAt(app, c.req.path);
    if (allowed.length === 0) throw new ApiError("NOT_FOUND");
    throw new ApiError("METHOD_NOT_ALLOWED", {
      message: `This address answers to ${allowed.join(", ")}, not to ${c.req.method}.`,
      headers: { Allow: allowed.join(", ") },
    });
  };
}

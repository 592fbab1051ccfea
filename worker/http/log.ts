import { DrizzleQueryError } from "drizzle-orm";
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { AppEnv } from "../env.ts";
import { causeOf, logLine } from "../log.ts";

/**
 * One JSON line a request. It names the route's pattern, never the path, query or body: those may hold a phone number, a key or a
 * token.
 */
export function logRequests(): MiddlewareHandler<AppEnv> {
  return async function logRequest(c, next) {
    const started = Date.now();
    await next();
    const status = c.res.status;
    logLine(status >= 500 ? "error" : "info", "request", {
      request_id: c.get("requestId"),
      method: c.req.method,
      // Where nothing matched, the last pattern is that of the middleware.
      route: routePath(c, -1).endsWith("*") ? null : routePath(c, -1),
      status,
      code: c.get("errorCode"),
      duration_ms: Date.now() - started,
    });
  };
}

/** Logs an unforeseen failure in full, without the parameters of a database query, which may be personal. */
export function logFailure(requestId: string, thrown: unknown): void {
  const error = causeOf(thrown);
  const details = error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
  const query = thrown instanceof DrizzleQueryError ? thrown.query : undefined;
  logLine("error", "failure", { request_id: requestId, ...details, query });
}

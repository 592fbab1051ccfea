import type { ErrorHandler, Hono, NotFoundHandler } from "hono";
import { ERRORS } from "../../contract/errors.ts";
import type { ErrorBody } from "../../contract/errors.ts";
import { ApiError } from "../platform/errors.ts";
import type { AppEnv, RequestContext } from "./context.ts";
import { logFailure } from "./requests.ts";

/** What responses of a status carry unless the error says otherwise. */
const STANDARD_HEADERS: Partial<Record<number, Record<string, string>>> = {
  401: { "WWW-Authenticate": "Bearer" },
  503: { "Retry-After": "5" },
};

/** Turns anything thrown into `{error, code}`. What nobody foresaw is logged in full and returned in general terms. */
export const handleError: ErrorHandler<AppEnv> = (thrown, c) => {
  if (!(thrown instanceof ApiError)) logFailure(c.get("requestId"), thrown);
  const error = thrown instanceof ApiError ? thrown : new ApiError("INTERNAL_ERROR");
  const { fields, headers, quota } = error.details;
  const { status } = ERRORS[error.code];
  const body: ErrorBody = {
    error: error.message,
    code: error.code,
    ...(fields && { fields }),
    ...(quota && { quota }),
  };
  c.set("errorCode", error.code);
  return c.json(body, status, { ...STANDARD_HEADERS[status], ...headers });
};

/** The methods that have a handler at this path. Middleware, which stands for all methods, does not count. */
function methodsAt(app: Hono<AppEnv>, path: string): string[] {
  const methods = new Set(app.routes.map((route) => route.method));
  methods.delete("ALL");
  const found = [...methods].filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  );
  // Hono serves HEAD with the handler of GET.
  return found.includes("GET") ? [...found, "HEAD"] : found;
}

/** A path without a route is a 404; a path whose routes have other methods is a 405 that lists them. */
export function refuseUnrouted(app: Hono<AppEnv>): NotFoundHandler<AppEnv> {
  return (c) => {
    const allowed = methodsAt(app, c.req.path);
    if (allowed.length === 0) throw new ApiError("NOT_FOUND");
    throw methodNotAllowed(c, allowed);
  };
}

/** The 405 that lists what the path allows. */
export function methodNotAllowed(c: RequestContext, allowed: readonly string[]): ApiError {
  return new ApiError("METHOD_NOT_ALLOWED", {
    message: `This path allows ${allowed.join(", ")}, not ${c.req.method}.`,
    headers: { Allow: allowed.join(", ") },
  });
}

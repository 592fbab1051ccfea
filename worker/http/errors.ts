import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { DrizzleQueryError } from "drizzle-orm";
import { TrieRouter } from "hono/router/trie-router";
import type { RouterRoute } from "hono/types";
import { ERRORS } from "../../contract/errors.ts";
import type { ErrorBody } from "../../contract/errors.ts";
import { KeysUnavailableError } from "../key-cache/key-cache.ts";
import { ApiError } from "../platform/errors.ts";
import { causeOf, logLine } from "../platform/log.ts";
import type { RequestContext } from "./context.ts";
import { allowAnyOrigin } from "./origins.ts";
import { respondJson, setHeaders } from "./response.ts";

/** Headers of responses with a status, unless the error overrides them. */
const HEADERS_BY_STATUS: Partial<Record<number, Record<string, string>>> = {
  401: { "WWW-Authenticate": "Bearer" },
  503: { "Retry-After": "5" },
};

/** Logs an unexpected failure in full, except database query parameters, which may be personal data. */
export function logFailure(requestId: string, thrown: unknown): void {
  const error = causeOf(thrown);
  const details = error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
  const query = thrown instanceof DrizzleQueryError ? thrown.query : undefined;
  logLine("error", "failure", { request_id: requestId, ...details, query });
}

interface Described {
  readonly error: ApiError;
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;
}

function apiErrorOf(thrown: unknown): ApiError | null {
  if (thrown instanceof ApiError) return thrown;
  return thrown instanceof KeysUnavailableError ? new ApiError("TEMPORARILY_UNAVAILABLE") : null;
}

/** The response to anything thrown. Unexpected errors are logged in full and reported in general terms. */
export function describeError(c: RequestContext, thrown: unknown): Described {
  const known = apiErrorOf(thrown);
  if (known === null) logFailure(c.get("requestId"), thrown);
  const error = known ?? new ApiError("INTERNAL_ERROR");
  const { fields, quota, secondFactor } = error.details;
  const body = {
    error: error.message,
    code: error.code,
    ...(fields && { fields }),
    ...(secondFactor && { second_factor: secondFactor }),
    ...(quota && { quota }),
  };
  const { status } = ERRORS[error.code];
  return { error, status, body, headers: { ...HEADERS_BY_STATUS[status], ...error.details.headers } };
}

/** Turns anything thrown into `{error, code}`. */
export function handleError(thrown: unknown, c: RequestContext): Response {
  const { error, status, body, headers } = describeError(c, thrown);
  c.set("errorCode", error.code);
  // Whatever its route set before.
  setHeaders(c, { "Cache-Control": "no-store", ...headers });
  const { policy } = error.details;
  // A rejection would report r=0, but some may be left.
  if (policy !== undefined)
    c.set("limits", [...(c.get("limits") ?? []), { policy, state: { ...policy, allowed: true } }]);
  return respondJson(c, body, status);
}

const PATHS: ReadonlySet<string> = new Set(ENDPOINTS.map(({ path }) => path));

/** The response to a request without a route: 405 for a path that has some for other methods, else 404. */
export function rejectPath(routes: readonly RouterRoute[]) {
  const declared = new TrieRouter<readonly RouterRoute[]>();
  const own = routes.filter(({ method }) => method !== "ALL");
  for (const [path, group] of Map.groupBy(own, (route) => route.path)) declared.add("ALL", path, group);
  return function rejectRequest(c: RequestContext): Response {
    const [found] = declared.match("ALL", c.req.path)[0];
    return handleError(found === undefined ? notFound(c) : wrongMethod(c, found[0]), c);
  };
}

/** Names the path that lacks its base path. */
function notFound(c: RequestContext): ApiError {
  const versioned = `/api/v1${c.req.path}`;
  const message = PATHS.has(versioned) ? `No such endpoint. Use ${versioned}.` : undefined;
  return new ApiError("NOT_FOUND", { message });
}

function wrongMethod(c: RequestContext, routes: readonly RouterRoute[]): ApiError {
  c.set("route", routes[0]?.path);
  const methods = routes.map(({ method }) => method);
  // A path that supports preflights lets any page read its errors too.
  if (methods.includes("OPTIONS")) allowAnyOrigin(c);
  const others = methods.filter((method) => method !== "OPTIONS");
  // Hono serves HEAD with the GET handler.
  const allowed = others.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return methodNotAllowed(c, allowed);
}

/** The 405 that lists a path's methods. */
export function methodNotAllowed(c: RequestContext, allowed: readonly string[]): ApiError {
  const methods = new Intl.ListFormat("en-US", { type: "disjunction" }).format(allowed);
  return new ApiError("METHOD_NOT_ALLOWED", {
    message: `Use ${methods} for this path, not ${c.req.method}.`,
    headers: { Allow: allowed.join(", ") },
  });
}

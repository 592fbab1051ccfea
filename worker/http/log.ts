import { DrizzleQueryError } from "drizzle-orm";
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { AppEnv } from "../env.ts";
import { causeOf, logLine } from "../log.ts";

/** How many numbers a call was about, and how many of them were valid and, in the sandbox, delivered. */
export interface AnsweredNumbers {
  readonly numbers: number;
  readonly successful: number;
}

/**
 * What became of a request, in a word: the code of an error or of a sandbox scenario; for a number `valid` or `invalid`, for a batch
 * `answered`; `ok` for everything else.
 */
function outcomeOf(c: Context<AppEnv>): string {
  const code = c.get("errorCode");
  if (code !== undefined) return code;
  const answered = c.get("answered");
  if (answered === undefined) return c.res.ok ? "ok" : "refused";
  if (answered.numbers !== 1) return "answered";
  return answered.successful === 1 ? "valid" : "invalid";
}

/** Where the key was found: in this isolate's memory, checked or not, in KV, in D1, or not looked for. */
function keySourceOf(c: Context<AppEnv>): string {
  const source = c.get("keySource") ?? "none";
  return source === "memory" ? "isolate" : source;
}

/** The data centre that took the request; the platform says which. */
function coloOf(c: Context<AppEnv>): string | undefined {
  return (c.req.raw as { readonly cf?: { readonly colo?: string } }).cf?.colo;
}

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
      outcome: outcomeOf(c),
      duration_ms: Date.now() - started,
      key_source: keySourceOf(c),
      mode: c.get("apiKey")?.mode,
      ...c.get("answered"),
      colo: coloOf(c),
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

import { DrizzleQueryError } from "drizzle-orm";
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { createIo } from "../io.ts";
import type { Isolate } from "../io.ts";
import type { KeyRecord } from "../keys/cache/record.ts";
import { regionOf } from "../verification/metering.ts";
import { clientAddress } from "../limits/client-address.ts";
import { ConfigError } from "../platform/config.ts";
import { ApiError } from "../platform/errors.ts";
import { causeOf, logLine } from "../platform/log.ts";
import { newId } from "../platform/random.ts";
import type { AppEnv, RequestContext } from "./context.ts";

/**
 * What became of a request, in a word: the code of an error or of a sandbox scenario; for a number `valid` or `invalid`, for a batch
 * `answered`; `ok` for everything else.
 */
function outcomeOf(c: RequestContext): string {
  const code = c.get("errorCode");
  if (code !== undefined) return code;
  const answered = c.get("answered");
  if (answered === undefined) return c.res.ok ? "ok" : "refused";
  if (answered.numbers !== 1) return "answered";
  return answered.successful === 1 ? "valid" : "invalid";
}

/** Where the key was found: in this isolate's memory, checked or not, in KV, in D1, or not looked for. */
function keySourceOf(c: RequestContext): string {
  const source = c.get("keySource") ?? "none";
  return source === "memory" ? "isolate" : source;
}

/** What the platform knows of where a request comes from, and which data center took it. */
export function placeOf(c: RequestContext): Place {
  return (c.req.raw as { readonly cf?: Place }).cf ?? {};
}

interface Place {
  readonly colo?: string;
  readonly continent?: string;
  readonly country?: string;
}

/** Has the account's owner see a call whose key was known. */
function noteActivity(c: RequestContext, isolate: Isolate, key: KeyRecord, startedAt: number): void {
  const { status } = c.res;
  const at = isolate.now();
  if (!isolate.sampling.isDue(key.userId, status, at)) return;
  const { queues, waitUntil } = c.get("io");
  const { colo = null, continent } = placeOf(c);
  const request = { queue: queues.usage, ledgers: isolate.env.LEDGER, waitUntil };
  const operation = c.get("operation") ?? "unknown";
  const code = c.get("errorCode") ?? null;
  const country = c.get("country") ?? null;
  const numbers = c.get("numbers") ?? 0;
  const caller = { user: key.userId, near: regionOf(continent) };
  const id = c.get("requestId");
  const took = Math.max(0, at - startedAt);
  isolate.sampling.note(request, caller, [at, id, key.id, operation, status, code, country, numbers, took, colo]);
}

/**
 * Gives each request an id of our own making, since a caller's own is not trusted, and writes one JSON line about it. The line names
 * the route's pattern, never the path, query or body: those may hold a phone number, a key or a token. Responses stay out of caches
 * unless the route says otherwise.
 */
export function trackRequests(isolate: Isolate): MiddlewareHandler<AppEnv> {
  return async function trackRequest(c, next) {
    const started = isolate.now();
    const requestId = newId("req");
    c.set("requestId", requestId);
    await next();
    // On the response itself: `c.header` would copy it.
    const { headers, status } = c.res;
    headers.set("X-Request-Id", requestId);
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
    logLine(status >= 500 ? "error" : "info", "request", {
      request_id: requestId,
      method: c.req.method,
      // Where nothing matched, the last pattern is that of the middleware.
      route: routePath(c, -1).endsWith("*") ? null : routePath(c, -1),
      status,
      outcome: outcomeOf(c),
      duration_ms: isolate.now() - started,
      key_source: keySourceOf(c),
      mode: c.get("key")?.mode,
      ...c.get("answered"),
      colo: placeOf(c).colo,
    });
    const key = c.get("key");
    if (key !== undefined) noteActivity(c, isolate, key, started);
  };
}

/** Makes the request's `io`. Without a safe configuration nothing is served, and the log says what to set. */
export function openIo(isolate: Isolate): MiddlewareHandler<AppEnv> {
  return async function requestIo(c, next) {
    try {
      const io = createIo(isolate, {
        address: clientAddress(c.req.header("CF-Connecting-IP")),
        waitUntil: (work) => c.executionCtx.waitUntil(work),
      });
      c.set("io", io);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      logFailure(c.get("requestId"), error);
      throw new ApiError("TEMPORARILY_UNAVAILABLE", { message: "The service has not been set up completely." });
    }
    await next();
  };
}

/** Logs an unforeseen failure in full, without the parameters of a database query, which may be personal. */
export function logFailure(requestId: string, thrown: unknown): void {
  const error = causeOf(thrown);
  const details = error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
  const query = thrown instanceof DrizzleQueryError ? thrown.query : undefined;
  logLine("error", "failure", { request_id: requestId, ...details, query });
}

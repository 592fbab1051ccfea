import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { browserName } from "../accounts/browser-name.ts";
import type { Device } from "../accounts/browser-name.ts";
import { createIo } from "../io.ts";
import type { Isolate } from "../io.ts";
import type { KeyRecord } from "../keys/cache/record.ts";
import { originOf } from "../platform/site.ts";
import { clientAddress } from "../limits/client-address.ts";
import { ConfigError } from "../platform/config.ts";
import { ApiError } from "../platform/errors.ts";
import { logLine } from "../platform/log.ts";
import { newId } from "../platform/random.ts";
import type { AppEnv, RequestContext } from "./context.ts";
import { handleError, logFailure } from "./errors.ts";
import { completeResponse } from "./response.ts";
import { requireHttps } from "./security.ts";

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

/** The pattern of what was asked for, which names nobody; null where nothing matched but the middleware of all paths. */
function routeOf(c: RequestContext): string | null {
  const route = c.get("route") ?? routePath(c, -1);
  return route.endsWith("*") ? null : route;
}

/** Has the account's owner see a call whose key was known. */
export function noteActivity(c: RequestContext, isolate: Isolate, key: KeyRecord, startedAt: number): void {
  const { status } = c.res;
  const at = isolate.now();
  if (!isolate.sampling.isDue(key.userId, status, at)) return;
  const { queues, waitUntil } = c.get("io");
  const { colo = null, region } = isolate.site(c.req.raw);
  const request = { queue: queues.usage, ledgers: isolate.env.LEDGER, waitUntil };
  const operation = c.get("operation") ?? "unknown";
  const code = c.get("errorCode") ?? null;
  const country = c.get("country") ?? null;
  const numbers = c.get("numbers") ?? 0;
  const caller = { user: key.userId, near: region };
  const id = c.get("requestId");
  const took = Math.max(0, at - startedAt);
  isolate.sampling.note(request, caller, [at, id, key.id, operation, status, code, country, numbers, took, colo]);
}

/** What a request comes from. The platform says which country; "XX" and "T1" are none. */
function deviceOf(c: RequestContext): Device {
  const { country = "XX" } = originOf(c.req.raw);
  return {
    browser: browserName(c.req.header("User-Agent")),
    country: /^(?!XX)[A-Z]{2}$/.test(country) ? country : null,
  };
}

/**
 * Makes the request's `io`. Without a safe configuration nothing is served, and the log says what to set; nor is anything over plain
 * http in production.
 */
function openRequest(c: RequestContext, isolate: Isolate): void {
  try {
    const io = createIo(isolate, {
      address: () => clientAddress(c.req.header("CF-Connecting-IP")),
      device: () => deviceOf(c),
      waitUntil: (work) => c.executionCtx.waitUntil(work),
    });
    c.set("io", io);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    logFailure(c.get("requestId"), error);
    throw new ApiError("TEMPORARILY_UNAVAILABLE", { message: "The service isn't fully configured." });
  }
  requireHttps(c);
}

/**
 * Gives each request an id of our own making, since a caller's own is not trusted, opens it, and writes one JSON line about it. The line
 * names the route's pattern, never the path, query or body: those may hold a phone number, a key or a token. Responses stay out of
 * caches unless the route says otherwise.
 */
export function trackRequests(isolate: Isolate): MiddlewareHandler<AppEnv> {
  return async function trackRequest(c, next) {
    const started = isolate.now();
    const requestId = newId("req");
    c.set("requestId", requestId);
    c.set("headers", { "X-Request-Id": requestId });
    try {
      openRequest(c, isolate);
      await next();
    } catch (error) {
      // Only of opening: Hono hands what a route throws to the app's handler of errors.
      c.res = await handleError(error as Error, c);
    }
    const { status } = completeResponse(c);
    logLine(status >= 500 ? "error" : "info", "request", {
      request_id: requestId,
      method: c.req.method,
      route: routeOf(c),
      status,
      outcome: outcomeOf(c),
      duration_ms: isolate.now() - started,
      key_source: keySourceOf(c),
      mode: c.get("key")?.mode,
      ...c.get("answered"),
      colo: isolate.site(c.req.raw).colo,
    });
    const key = c.get("key");
    if (key !== undefined && c.get("isStream") === undefined) noteActivity(c, isolate, key, started);
  };
}

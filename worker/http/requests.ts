import { browserName } from "../accounts/device.ts";
import { createIo } from "../io.ts";
import type { Device, Isolate } from "../io.ts";
import { countryOf } from "../platform/place.ts";
import { clientAddress } from "../limits/client-address.ts";
import { ConfigError } from "../platform/config.ts";
import { ApiError } from "../platform/errors.ts";
import { logLine } from "../platform/log.ts";
import { newId } from "../platform/random.ts";
import { meterRequest } from "../verification/metering.ts";
import type { Middleware, RequestContext } from "./context.ts";
import { handleError, logFailure } from "./errors.ts";
import { requireHttps, SECURITY_HEADERS } from "./security.ts";

/** Headers of every response unless its route overrides them. */
const RESPONSE_HEADERS = { ...SECURITY_HEADERS, "Cache-Control": "no-store" };

/**
 * The outcome of a request: the code of an error or sandbox scenario; `valid` or `invalid` for a number, `answered` for
 * a batch, `ok` for everything else.
 */
function outcomeOf(c: RequestContext): string {
  const [errorCode, answered] = [c.get("errorCode"), c.get("answered")];
  if (errorCode !== undefined) return errorCode;
  if (answered === undefined) return c.res.status < 400 ? "ok" : "rejected";
  if (answered.numbers !== 1) return "answered";
  return answered.successful === 1 ? "valid" : "invalid";
}

/** Where the key was found: in this isolate's memory (checked or not), in KV, in D1, or not looked up. */
function keySourceOf(c: RequestContext): string {
  const source = c.get("keySource");
  return source === "memory" ? "isolate" : (source ?? "none");
}

/** Adds a call with a known key to the activity its owner sees. */
export function noteActivity(c: RequestContext, status: number, startedAt: number): void {
  const [key, isolate] = [c.get("key"), c.get("isolate")];
  if (key === undefined) return;
  const at = isolate.now();
  const { colo = null, region: near } = isolate.place(c.req.raw);
  const sample = {
    at,
    request_id: c.get("requestId"),
    key_id: key.id,
    mode: key.mode,
    operation: c.get("operation") ?? "unknown",
    status,
    code: c.get("errorCode") ?? null,
    country: c.get("country") ?? null,
    numbers: c.get("numbers") ?? 0,
    fields: c.get("fields") ?? [],
    duration_ms: Math.max(0, at - startedAt),
    data_center: colo,
  };
  isolate.meter.note(meterRequest(isolate, c.get("io")), { user: key.userId, near }, sample);
}

/**
 * Gives each request its `io` and our own id, since a caller's is not trusted, and writes one JSON line about it. The
 * line has the route's pattern, never the path, query, or body, which may contain a phone number, key, or token.
 */
export function logRequests(isolate: Isolate): Middleware {
  return async function logRequest(c, next) {
    const startedAt = isolate.now();
    const requestId = newId("req");
    c.set("isolate", isolate);
    c.set("requestId", requestId);
    c.set("headers", { "X-Request-Id": requestId, ...RESPONSE_HEADERS });
    try {
      openRequest(c);
      await next();
    } catch (error) {
      c.res = handleError(error, c);
    }
    const { status } = c.res;
    const answered = c.get("answered");
    logLine(status >= 500 ? "error" : "info", "request", {
      request_id: requestId,
      method: c.req.method,
      route: c.get("route") ?? null,
      status,
      outcome: outcomeOf(c),
      duration_ms: isolate.now() - startedAt,
      key_source: keySourceOf(c),
      key_id: c.get("key")?.id,
      mode: c.get("key")?.mode,
      numbers: answered?.numbers,
      successful: answered?.successful,
      colo: isolate.place(c.req.raw).colo,
    });
    if (!c.get("isStream")) noteActivity(c, status, startedAt);
  };
}

/** The device a request came from. */
function deviceOf(c: RequestContext): Device {
  return { browser: browserName(c.req.header("User-Agent")), country: countryOf(c.req.raw) };
}

/**
 * Creates the request's `io`. Rejects everything when the configuration is unsafe, logging what to set, and plain http
 * in production.
 */
function openRequest(c: RequestContext): void {
  try {
    const io = createIo(c.get("isolate"), {
      address: clientAddress(c.req.header("CF-Connecting-IP")),
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

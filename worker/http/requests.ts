import { browserName } from "../accounts/device.ts";
import { createIo } from "../io.ts";
import type { Device, Isolate } from "../io.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import { originOf } from "../platform/site.ts";
import { clientAddress } from "../limits/client-address.ts";
import { ConfigError } from "../platform/config.ts";
import { ApiError } from "../platform/errors.ts";
import { logLine } from "../platform/log.ts";
import { newId } from "../platform/random.ts";
import { meterRequest } from "../verification/metering.ts";
import { requestHeader, RequestState } from "./context.ts";
import type { RequestContext, Serve } from "./context.ts";
import { handleError, logFailure } from "./errors.ts";
import { completeResponse } from "./response.ts";
import { requireHttps } from "./security.ts";

/**
 * The outcome of a request: the code of an error or sandbox scenario; `valid` or `invalid` for a number, `answered` for
 * a batch, `ok` for everything else.
 */
function outcomeOf({ errorCode, answered }: RequestState, status: number): string {
  if (errorCode !== undefined) return errorCode;
  if (answered === undefined) return status < 400 ? "ok" : "rejected";
  if (answered.numbers !== 1) return "answered";
  return answered.successful === 1 ? "valid" : "invalid";
}

/** Where the key was found: in this isolate's memory (checked or not), in KV, in D1, or not looked up. */
function keySourceOf({ keySource }: RequestState): string {
  return keySource === "memory" ? "isolate" : (keySource ?? "none");
}

/** Adds a call with a known key to the activity its owner sees. */
export function noteActivity(
  c: RequestContext,
  isolate: Isolate,
  key: KeyRecord,
  { status, startedAt }: { readonly status: number; readonly startedAt: number },
): void {
  const at = isolate.now();
  const { io, requestId, operation = "unknown", errorCode: code = null, country, numbers } = c.get("state");
  const { colo = null, region: near } = isolate.site(c.req.raw);
  const duration = Math.max(0, at - startedAt);
  const sample = { at, requestId, key: key.id, operation, status, code, country, numbers, duration, colo };
  isolate.meter.note(meterRequest(isolate, io), { user: key.userId, near }, sample);
}

/** The device a request came from. The platform supplies the country; "XX" and "T1" are placeholders. */
function deviceOf(c: RequestContext): Device {
  const { country = "XX" } = originOf(c.req.raw);
  return {
    browser: browserName(requestHeader(c, "User-Agent")),
    country: /^(?!XX)[A-Z]{2}$/.test(country) ? country : null,
  };
}

/**
 * Creates the request's `io`. Rejects everything when the configuration is unsafe, logging what to set, and plain http
 * in production.
 */
function openRequest(c: RequestContext, isolate: Isolate, state: RequestState): void {
  try {
    state.io = createIo(isolate, {
      address: () => clientAddress(requestHeader(c, "CF-Connecting-IP")),
      device: () => deviceOf(c),
      waitUntil: (work) => c.executionCtx.waitUntil(work),
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    logFailure(state.requestId, error);
    throw new ApiError("TEMPORARILY_UNAVAILABLE", { message: "The service isn't fully configured." });
  }
  requireHttps(c);
}

/**
 * Serves a route. Assigns each request our own id, since a caller's is not trusted, opens it, and writes one JSON line
 * about it. The line has the route's pattern, never the path, query, or body, which may contain a phone number, key, or
 * token. Responses are not cacheable unless the route allows it.
 * @param route its pattern, which identifies no one; null if nothing matched
 */
export function tracked(
  isolate: Isolate,
  route: string | null,
  serve: Serve,
): (c: RequestContext) => Promise<Response> {
  return async function serveTracked(c) {
    const startedAt = isolate.now();
    const state = new RequestState(newId("req"), c.req.raw.headers);
    c.set("state", state);
    let response: Response;
    try {
      openRequest(c, isolate, state);
      response = completeResponse(state, await serve(c));
    } catch (error) {
      response = handleError(error, c);
    }
    const { status } = response;
    const { key, answered } = state;
    logLine(status >= 500 ? "error" : "info", "request", {
      request_id: state.requestId,
      method: c.req.method,
      route,
      status,
      outcome: outcomeOf(state, status),
      duration_ms: isolate.now() - startedAt,
      key_source: keySourceOf(state),
      mode: key?.mode,
      numbers: answered?.numbers,
      successful: answered?.successful,
      colo: isolate.site(c.req.raw).colo,
    });
    if (key !== undefined && !state.isStream) noteActivity(c, isolate, key, { status, startedAt });
    return response;
  };
}

import { browserName } from "../accounts/browser-name.ts";
import type { Device } from "../accounts/browser-name.ts";
import { createIo } from "../io.ts";
import type { Isolate } from "../io.ts";
import type { KeyRecord } from "../keys/cache/record.ts";
import type { Sample } from "../ledger/part.ts";
import { originOf } from "../platform/site.ts";
import { clientAddress } from "../limits/client-address.ts";
import { ConfigError } from "../platform/config.ts";
import { ApiError } from "../platform/errors.ts";
import { logLine } from "../platform/log.ts";
import { newId } from "../platform/random.ts";
import { RequestState } from "./context.ts";
import type { RequestContext, Serve } from "./context.ts";
import { handleError, logFailure } from "./errors.ts";
import { completeResponse } from "./response.ts";
import { requireHttps } from "./security.ts";

/**
 * What became of a request, in a word: the code of an error or of a sandbox scenario; for a number `valid` or `invalid`, for a batch
 * `answered`; `ok` for everything else.
 */
function outcomeOf({ errorCode, answered }: RequestState, status: number): string {
  if (errorCode !== undefined) return errorCode;
  if (answered === undefined) return status < 400 ? "ok" : "refused";
  if (answered.numbers !== 1) return "answered";
  return answered.successful === 1 ? "valid" : "invalid";
}

/** Where the key was found: in this isolate's memory, checked or not, in KV, in D1, or not looked for. */
function keySourceOf({ keySource }: RequestState): string {
  return keySource === "memory" ? "isolate" : (keySource ?? "none");
}

/** Has the account's owner see a call whose key was known. */
export function noteActivity(
  c: RequestContext,
  isolate: Isolate,
  key: KeyRecord,
  { status, startedAt }: { readonly status: number; readonly startedAt: number },
): void {
  const at = isolate.now();
  if (!isolate.sampling.isDue(key.userId, status, at)) return;
  const { io, requestId, operation = "unknown", errorCode = null, country, numbers } = c.get("state");
  const { colo = null, region } = isolate.site(c.req.raw);
  const request = { queue: io.queues.usage, ledgers: isolate.env.LEDGER, waitUntil: io.waitUntil };
  const caller = { user: key.userId, near: region };
  const took = Math.max(0, at - startedAt);
  const sample: Sample = [at, requestId, key.id, operation, status, errorCode, country, numbers, took, colo];
  isolate.sampling.note(request, caller, sample);
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
function openRequest(c: RequestContext, isolate: Isolate, state: RequestState): void {
  try {
    state.io = createIo(isolate, {
      address: () => clientAddress(c.req.header("CF-Connecting-IP")),
      device: () => deviceOf(c),
      waitUntil: (work) => c.executionCtx.waitUntil(work),
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    logFailure(state.requestId, error);
    throw new ApiError("TEMPORARILY_UNAVAILABLE", { message: "The service is not fully configured." });
  }
  requireHttps(c);
}

async function responseTo(c: RequestContext, isolate: Isolate, state: RequestState, serve: Serve): Promise<Response> {
  try {
    openRequest(c, isolate, state);
    return completeResponse(state, await serve(c));
  } catch (error) {
    return handleError(error, c);
  }
}

/**
 * Serves a route. Gives each request an id of our own making, since a caller's own is not trusted, opens it, and writes one JSON line
 * about it. The line names the route's pattern, never the path, query or body: those may hold a phone number, a key or a token.
 * Responses stay out of caches unless the route says otherwise.
 * @param route its pattern, which names nobody; null where nothing matched
 */
export function tracked(
  isolate: Isolate,
  route: string | null,
  serve: Serve,
): (c: RequestContext) => Promise<Response> {
  return async function serveTracked(c) {
    const startedAt = isolate.now();
    const state = new RequestState(newId("req"));
    c.set("state", state);
    const response = await responseTo(c, isolate, state, serve);
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

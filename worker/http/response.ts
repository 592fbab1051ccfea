import { rateLimitHeaders } from "../limits/rate/headers.ts";
import type { RequestContext, RequestState } from "./context.ts";
import { SECURITY_HEADERS } from "./security.ts";

/** Headers of every response unless its route overrides them. */
const STANDARD = new Headers({ ...SECURITY_HEADERS, "Cache-Control": "no-store" });

/**
 * Adds headers to the standard ones in a single object that is reused for every response: `Response` copies it. Objects
 * allocated per response would survive until the next full GC, and the slowest requests are the ones that wait for it.
 */
export function createReusedHeaders(standard: Headers): (particular: Readonly<Record<string, string>>) => Headers {
  const headers = new Headers(standard);
  /** What the last response added to the standard ones: setting a value takes longer than comparing it. */
  const added = new Map<string, string>();
  return function withParticular(particular) {
    for (const name of added.keys()) {
      if (name in particular) continue;
      const value = standard.get(name);
      if (value === null) headers.delete(name);
      else headers.set(name, value);
      added.delete(name);
    }
    for (const name in particular) {
      const value = particular[name]!;
      if (added.get(name) === value) continue;
      headers.set(name, value);
      added.set(name, value);
    }
    return headers;
  };
}

const headersOfNone = createReusedHeaders(STANDARD);
const headersOfJson = createReusedHeaders(new Headers([...STANDARD, ["Content-Type", "application/json"]]));

/** Sets a header of the response, whether `respond` or the route creates it. */
export function setHeader(c: RequestContext, name: string, value: string): void {
  c.get("state").headers[name] = value;
}

/** Adds a metric to `Server-Timing`. */
export function addTiming(c: RequestContext, metric: string): void {
  const { "Server-Timing": before } = c.get("state").headers;
  setHeader(c, "Server-Timing", before === undefined ? metric : `${before}, ${metric}`);
}

/** The request-specific headers of the response. */
function particularOf({ headers, standings }: RequestState): Readonly<Record<string, string>> {
  return standings === undefined ? headers : Object.assign(headers, rateLimitHeaders(standings));
}

/** A response with this status and a JSON body or none. */
export function respond(c: RequestContext, status: number, body: object | undefined): Response {
  const state = c.get("state");
  const particular = particularOf(state);
  const response =
    body === undefined
      ? new Response(null, { status, headers: headersOfNone(particular) })
      : new Response(JSON.stringify(body), { status, headers: headersOfJson(particular) });
  state.response = response;
  return response;
}

/** Adds missing headers to a response that its route created. */
export function completeResponse(state: RequestState, response: Response): Response {
  if (response === state.response) return response;
  for (const [name, value] of headersOfNone(particularOf(state))) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

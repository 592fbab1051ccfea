import { rateLimitHeaders } from "../limits/rate/headers.ts";
import type { RequestContext, RequestState } from "./context.ts";
import { SECURITY_HEADERS } from "./security.ts";

/** What a response carries unless its route says otherwise. */
const STANDARD = new Headers({ ...SECURITY_HEADERS, "Cache-Control": "no-store" });

/**
 * Adds headers to standard ones, all in one object that is used again and again: `Response` copies what it is made with. An object for
 * each response would last until the runtime's next full collection, and the slowest requests are those that wait for one.
 */
export function createReusedHeaders(standard: Headers): (particular: Readonly<Record<string, string>>) => Headers {
  const headers = new Headers(standard);
  let last: Readonly<Record<string, string>> = {};
  return function withParticular(particular) {
    for (const name in last) {
      if (name in particular) continue;
      const value = standard.get(name);
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    for (const name in particular) headers.set(name, particular[name]!);
    last = particular;
    return headers;
  };
}

const headersOfNone = createReusedHeaders(STANDARD);
const headersOfJson = createReusedHeaders(new Headers([...STANDARD, ["Content-Type", "application/json"]]));

/** Sets a header of the response that `respond` will make, or that the route makes itself. */
export function setHeader(c: RequestContext, name: string, value: string): void {
  c.get("state").headers[name] = value;
}

/** What is particular about the headers of the request's response. */
function particularOf({ headers, standings }: RequestState): Readonly<Record<string, string>> {
  return standings === undefined ? headers : Object.assign(headers, rateLimitHeaders(standings));
}

/** The response of this status, with a body of JSON or with none. */
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

/** Adds what a response lacks that its route has made itself. */
export function completeResponse(state: RequestState, response: Response): Response {
  if (response === state.response) return response;
  for (const [name, value] of headersOfNone(particularOf(state))) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

import { rateLimitHeaders } from "../limits/rate/headers.ts";
import type { RequestContext } from "./context.ts";
import { SECURITY_HEADERS } from "./security.ts";

/**
 * What a response carries unless its route says otherwise. It is a plain object until the one `Response` is made: each change of a real
 * one is a call into the runtime.
 */
export function startHeaders(requestId: string): Record<string, string> {
  return { ...SECURITY_HEADERS, "Cache-Control": "no-store", "X-Request-Id": requestId };
}

/** Sets a header of the response that `respond` will make, or that the route makes itself. */
export function setHeader(c: RequestContext, name: string, value: string): void {
  c.get("headers")[name] = value;
}

/** The headers so far, with where the caller is within its limits. */
function headersOf(c: RequestContext): Record<string, string> {
  const headers = c.get("headers");
  const standings = c.get("standings");
  return standings === undefined ? headers : Object.assign(headers, rateLimitHeaders(...standings));
}

/** The response of this status, with a body of JSON or with none. */
export function respond(c: RequestContext, status: number, body: object | undefined): Response {
  const headers = headersOf(c);
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  c.set("response", response);
  return response;
}

/** Adds what a response lacks that its route has made itself. */
export function completeResponse(c: RequestContext): Response {
  const { res } = c;
  if (res === c.get("response")) return res;
  // On the response itself: `c.header` would copy it.
  for (const [name, value] of Object.entries(headersOf(c))) if (!res.headers.has(name)) res.headers.set(name, value);
  return res;
}

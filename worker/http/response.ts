import { rateLimitHeaders } from "../limits/rate/headers.ts";
import type { RequestContext } from "./context.ts";

/**
 * Sets headers of the response, whether a route or an error makes it. They replace those of the same name, which has to
 * be in the same case.
 */
export function setHeaders(c: RequestContext, headers: Readonly<Record<string, string>>): void {
  Object.assign(c.get("headers"), headers);
}

/**
 * Makes the response, with the headers set so far and those that report the caller's position within its limits.
 * @param type its Content-Type
 */
export function respond(c: RequestContext, body: BodyInit | null, status = 200, type?: string): Response {
  const limits = c.get("limits");
  if (limits !== undefined) setHeaders(c, rateLimitHeaders(limits));
  if (type !== undefined) setHeaders(c, { "Content-Type": type });
  return new Response(body, { status, headers: c.get("headers") });
}

export function respondJson(c: RequestContext, body: unknown, status = 200): Response {
  return respond(c, JSON.stringify(body), status, "application/json");
}

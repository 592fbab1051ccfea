import type { MiddlewareHandler } from "hono";
import { ApiError } from "../platform/errors.ts";
import type { AppEnv } from "./context.ts";
import { LOOPBACK } from "./origins.ts";

/** What every response of the worker carries unless its route says otherwise. `web/public/_headers` has those of the site's files. */
const HEADERS = Object.entries({
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
});

export const secureResponses: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  // On the response itself: `c.header` would copy it.
  const { headers } = c.res;
  for (const [name, value] of HEADERS) if (!headers.has(name)) headers.set(name, value);
};

/**
 * Refuses plain http in production, except on this machine. Never redirects: a client that follows redirects would send its key in
 * clear text with every call, and nobody would notice.
 */
export const requireHttps: MiddlewareHandler<AppEnv> = async (c, next) => {
  const isAllowed =
    c.req.url.startsWith("https:") || !c.get("io").config.httpsOnly || LOOPBACK.includes(new URL(c.req.url).hostname);
  if (!isAllowed) throw new ApiError("HTTPS_REQUIRED");
  await next();
};

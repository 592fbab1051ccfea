import { ApiError } from "../platform/errors.ts";
import type { RequestContext } from "./context.ts";

/**
 * Headers of every worker response unless its route overrides them. `web/public/_headers` has those of static files.
 */
export const SECURITY_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
};

/** This machine's names. */
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/;

/**
 * Rejects plain http in production, except on this machine. Never redirects: a client that follows redirects would
 * silently send its key in clear text with every call.
 */
export function requireHttps(c: RequestContext): void {
  const { url } = c.req;
  if (url.startsWith("https:") || !c.get("io").config.httpsOnly || LOCAL.test(url)) return;
  throw new ApiError("HTTPS_REQUIRED");
}

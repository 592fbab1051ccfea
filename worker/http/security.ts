import { ApiError } from "../platform/errors.ts";
import type { RequestContext } from "./context.ts";

/** What every response of the worker carries unless its route says otherwise. `web/public/_headers` has those of the site's files. */
export const SECURITY_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** This machine, by its names. */
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/;

/**
 * Refuses plain http in production, except on this machine. Never redirects: a client that follows redirects would send its key in
 * clear text with every call, and nobody would notice.
 */
export function requireHttps(c: RequestContext): void {
  const { url } = c.req;
  if (url.startsWith("https:") || !c.get("state").io.config.httpsOnly || LOCAL.test(url)) return;
  throw new ApiError("HTTPS_REQUIRED");
}

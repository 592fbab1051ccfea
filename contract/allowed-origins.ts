import * as v from "valibot";
import { MAX_ALLOWED_ORIGINS } from "./limits.ts";

const ORIGIN_RULE = "Must be an origin, such as https://shop.example or http://localhost:3000";

/** The longest origin: a scheme, the longest name in DNS, and a port. */
const MAX_ORIGIN_LENGTH = "https://".length + 253 + ":65535".length;

/** A host as browsers write it: a name without wildcards or a final dot, or an IPv6 address. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])$/;

/** Hosts that lead to the visitor's own machine. */
const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * An origin as browsers send it in `Origin`: lowercase, in Punycode, and without a default port. Accepts a final slash,
 * as copied from an address bar. Only this machine's pages may use http.
 * @returns null if the text isn't an origin, or has a path, a wildcard, or anything else
 */
export function readOrigin(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  const { protocol, hostname, origin } = new URL(text);
  if (!HOST.test(hostname) || origin.length > MAX_ORIGIN_LENGTH) return null;
  return protocol === "https:" || LOOPBACK.test(hostname) ? origin : null;
}

/** Up to ten origins as browsers send them, each once. */
export const AllowedOrigins = v.pipe(
  v.array(
    v.pipe(
      v.string(ORIGIN_RULE),
      v.check((text) => readOrigin(text) !== null, ORIGIN_RULE),
      v.transform((text) => readOrigin(text)!),
    ),
    "Must be an array of origins",
  ),
  v.maxLength(MAX_ALLOWED_ORIGINS, `Must have at most ${MAX_ALLOWED_ORIGINS} origins`),
  v.transform((origins) => [...new Set(origins)]),
);

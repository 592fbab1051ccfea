/** A numeric parameter of a header's first item, such as `r` in `"requests";r=59;t=60`. */
function parameterOf(header: string | null, name: string): number | null {
  const [item = ""] = (header ?? "").split(",");
  const found = new RegExp(`;\\s*${name}=(\\d+)\\s*(?:;|$)`).exec(item);
  return found === null ? null : Number(found[1]);
}

/** What `RateLimit` and `RateLimit-Policy` say about a key. Null for missing values. */
export interface RateLimit {
  /** Requests left. */
  readonly remaining: number | null;
  /** Seconds until more are available. */
  readonly seconds: number | null;
  /** The total. */
  readonly limit: number | null;
}

/** Reads the two headers; the order of their parameters is free (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitOf(headers: Headers): RateLimit {
  const current = headers.get("RateLimit");
  return {
    remaining: parameterOf(current, "r"),
    seconds: parameterOf(current, "t"),
    limit: parameterOf(headers.get("RateLimit-Policy"), "q"),
  };
}

/** Seconds from `Retry-After`; null if missing or a date, which the API does not send. */
export function retryAfterOf(headers: Headers): number | null {
  const text = headers.get("Retry-After") ?? "";
  return /^\d+$/.test(text) ? Number(text) : null;
}

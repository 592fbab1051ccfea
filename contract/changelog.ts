/** A version of the API and what changed for callers. */
interface ApiVersion {
  /** A new field, value, or call raises the second part, a fix the third. The first is that of the path, `/api/v1`. */
  readonly version: `1.${number}.${number}`;
  /** The day it was first served: `2026-11-22`. */
  readonly date: string;
  /** Sentences, with code in backticks. */
  readonly changes: readonly string[];
  /** The result fields it added. */
  readonly fields?: readonly string[];
}

/** The newest version, the OpenAPI document's `info.version`. Apart from the list, which stays out of the worker's bundle. */
export const API_VERSION = "1.0.0";

/**
 * Every version of the API, newest first. The OpenAPI document has the first one's version, and the docs list all of
 * them.
 */
export const API_CHANGELOG: readonly [ApiVersion, ...ApiVersion[]] = [
  {
    version: API_VERSION,
    date: "2026-11-22",
    changes: [
      "`POST /api/v1/verify` verifies one number, and so does its alias `POST /verify`. `POST /api/v1/verify/batch` verifies a list.",
      "`expect_country`, `accept_types`, and `reject_unallocated` in a request set `accepted` and `rejected_because` in the result.",
      "Results include `suggestion` for a probable typo and `short_code` for a number that can't be dialed from abroad.",
      "`POST /api/v1/verify/stream` verifies lines of JSON as you send them, and `/mcp` lets AI assistants verify numbers.",
      "Calls with an API key accept an `Idempotency-Key`, and responses include `RateLimit` and `RateLimit-Policy`.",
      "A live key with `allowed_origins` verifies single numbers from web pages of those origins, with eight fields in the result.",
      "`GET /api/v1/account/quota` returns the remaining quota for a key.",
      "`GET /api/v1/health`, `GET /api/v1/status`, and `GET /api/v1/openapi.json` need no key.",
      "The OpenAPI document has a named schema for every request body and a type for each constant, calls the error body `Problem`, and uses open enums in responses.",
    ],
    fields: [
      "valid",
      "number",
      "local_format",
      "international_format",
      "rfc3966",
      "country_prefix",
      "national_number",
      "country_code",
      "country_name",
      "location",
      "carrier",
      "line_type",
      "line_type_source",
      "number_type",
      "extension",
      "possible",
      "reason",
      "suggestion",
      "candidates",
      "short_code",
      "time_zones",
      "carrier_source",
      "allocation",
      "number_portability",
      "deliverability",
      "reachability",
      "accepted",
      "rejected_because",
      "status",
    ],
  },
];

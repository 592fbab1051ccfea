/** A version of the API: what callers can do since then, or have to know. */
interface ApiVersion {
  /** A new field, value or call raises the second part, a correction the third. The first is that of the path, `/api/v1`. */
  readonly version: `1.${number}.${number}`;
  /** The day it was first served: `2026-11-22`. */
  readonly date: string;
  /** Sentences, with code in backticks. */
  readonly changes: readonly string[];
}

/** Every version of the API, newest first. The OpenAPI document has the version of the first, and the docs show them all. */
export const API_CHANGELOG: readonly [ApiVersion, ...ApiVersion[]] = [
  {
    version: "1.0.0",
    date: "2026-11-22",
    changes: [
      "`POST /api/v1/verify` verifies one number, and so does its alias `POST /verify`. `POST /api/v1/verify/batch` verifies a list.",
      "`expect_country` and `accept_types` in a request set `accepted` and `rejected_because` in the result.",
      "A result has `suggestion` for a number that was probably mistyped, and `short_code` for a number that is not dialed from abroad.",
      "Calls with an API key take an `Idempotency-Key`, and their responses carry `RateLimit` and `RateLimit-Policy`.",
      "`GET /api/v1/account/quota` says with a key what is left of the quota.",
      "`GET /api/v1/health`, `GET /api/v1/status` and `GET /api/v1/openapi.json` need no key.",
      "The OpenAPI document names every request body, calls the body of an error `Problem`, gives each constant a type, and lists the values of a response without closing the list.",
    ],
  },
];

/** What the OpenAPI document says of itself. */
export const API_VERSION = API_CHANGELOG[0].version;

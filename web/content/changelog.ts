import { API_VERSION } from "../../contract/origin.ts";

/** Something callers can now do. */
interface ApiChange {
  /** "Lists" */
  readonly title: string;
  /** Sentences, with code in backticks. */
  readonly text: string;
}

/** A version of the API and what changed for callers. */
interface ApiVersion {
  /** A new field, value, or call raises the second part, a fix the third. The first is that of the path, `/api/v1`. */
  readonly version: `1.${number}.${number}`;
  /** The day it was first served: `2026-11-22`. */
  readonly date: string;
  /** What it is about, in a phrase. */
  readonly title: string;
  /** The same, in a sentence or two. */
  readonly summary: string;
  readonly changes: readonly ApiChange[];
  /** The result fields it added. */
  readonly fields?: readonly string[];
}

/** The day the newest version was first served. Apart from the list, which pages of the dashboard don't load. */
export const API_VERSION_DATE = "2026-11-22";

/**
 * Every version of the API, newest first. The OpenAPI document has the first one's version, and the docs list all of
 * them.
 */
export const API_CHANGELOG: readonly [ApiVersion, ...ApiVersion[]] = [
  {
    version: API_VERSION,
    date: API_VERSION_DATE,
    title: "A phone number, read by its numbering plan",
    summary:
      "The first version. Send a number as it was typed, and learn whether it can exist, where it's from, who was given its range, and what kind of line it is. An invalid number is a result with a reason. We never store a number.",
    changes: [
      {
        title: "One number",
        text: "`POST /api/v1/verify` verifies a number, and so does its alias `POST /verify`.",
      },
      {
        title: "Lists",
        text: "`POST /api/v1/verify/batch` returns a list's results in one response, and `POST /api/v1/verify/stream` a line for each number as you send it.",
      },
      {
        title: "Typos",
        text: "`suggestion` is the number someone probably meant, and `short_code` explains a number that can't be dialed from abroad.",
      },
      {
        title: "Your rules",
        text: "Send `expect_country`, `accept_types`, `accept_line_types`, or `reject_unallocated`, and `accepted` and `rejected_because` tell you whether to take the number. In the US, where the plan can't tell mobile numbers from landlines, `accept_line_types` uses what the range's holder tells.",
      },
      {
        title: "Retries and limits",
        text: "With an `Idempotency-Key`, a retry counts once. `RateLimit` and `RateLimit-Policy` tell you what's left this minute, and `GET /api/v1/account/quota` what's left of your plan.",
      },
      {
        title: "Test keys",
        text: "A test key returns the same results as a live one, and `status` for a valid number. Only nine sandbox numbers, and single inputs of fewer than six digits, are errors.",
      },
      {
        title: "Web pages",
        text: "A live key with `allowed_origins` verifies single numbers from pages of those origins, with eight fields in the result.",
      },
      { title: "Assistants", text: "`/mcp` lets AI assistants verify numbers." },
      {
        title: "Without a key",
        text: "`GET /api/v1/countries` lists every country for a picker. `GET /api/v1/health`, `GET /api/v1/status`, and `GET /api/v1/openapi.json` describe the service.",
      },
      {
        title: "Generated clients",
        text: "The OpenAPI document has a named schema for every request body and a type for each constant, and its response enums are open, so new values don't break a client.",
      },
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

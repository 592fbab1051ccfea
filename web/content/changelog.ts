import { API_VERSION } from "../../contract/origin.ts";

/** Something callers can now do. */
interface ApiChange {
  readonly tag: "API" | "Data" | "Dashboard" | "SDK";
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
        tag: "API",
        title: "One number or many",
        text: "`POST /api/v1/verify`, also `POST /verify`, verifies a number, `POST /api/v1/verify/batch` a list in one response, and `POST /api/v1/verify/stream` a list of any length, line by line.",
      },
      {
        tag: "API",
        title: "Typos",
        text: "`suggestion` is the number someone probably meant.",
      },
      {
        tag: "API",
        title: "Your conditions",
        text: "Name the country and the kinds of line you accept, and `accepted` says yes or no. In the US, that uses what the range's holder tells.",
      },
      {
        tag: "API",
        title: "Retries and limits",
        text: "With an `Idempotency-Key`, a retry counts once. `GET /api/v1/account/quota` returns what's left of your plan.",
      },
      {
        tag: "API",
        title: "Keys for tests and web pages",
        text: "A test key gets the results of a live one, and nine sandbox numbers fail on purpose. A live key with allowed origins verifies numbers from your pages.",
      },
      {
        tag: "API",
        title: "Machines and assistants",
        text: "The OpenAPI document generates a client, and `/mcp` lets AI assistants verify numbers. Neither `GET /api/v1/countries` nor `GET /api/v1/status` needs a key.",
      },
      {
        tag: "Data",
        title: "Registers",
        text: "In six countries, public registers say who was given a range, and whether anyone was.",
      },
      {
        tag: "SDK",
        title: "Seven languages",
        text: "JavaScript, Python, PHP, Ruby, Go, Java, and Dart, without dependencies, and a command that verifies a list.",
      },
      {
        tag: "Dashboard",
        title: "Bulk verify",
        text: "Drop in a CSV or Excel file, and get it back with the results added.",
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

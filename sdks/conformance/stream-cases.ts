import type { Case, ErrorOutcome, Played } from "./case.ts";

/** The sandbox's rejection of a line, and one caused by a field. */
const REJECTED = { error: "Network is forbidden.", code: "REJECTED_NETWORK", http_status: 400, ended: false };
const INVALID = { error: "Not valid.", code: "VALIDATION_FAILED", http_status: 400, ended: false };
const NO_COUNTRY = { country: "No numbering plan is known for AQ" };

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `+55119876${String(index).padStart(5, "0")}`);
}

/** The line that ends a stream. */
function ending(status: number, code: string, more: object = {}): object {
  return { error: "A message.", code, line: 2, http_status: status, ended: true, ...more };
}

/** Cases of `lookup_stream`. `resultOf` returns a result for any number. */
export function streamCases(resultOf: (number: string) => object): Case[] {
  const outcomeOf = (number: string) => ({ result: resultOf(number) });

  /** A stream of three numbers, some of which have results. */
  function three(id: string, title: string, played: readonly Played[], came: number, endedBy?: ErrorOutcome): Case {
    const numbers = numbered(3);
    return {
      id: `stream-${id}`,
      title: `a stream ${title}`,
      call: { method: "lookup_stream", numbers },
      played,
      outcome: { results: numbers.slice(0, came).map(outcomeOf), ...(endedBy && { ended_by: endedBy }) },
    };
  }

  const [first = "", second = "", third = ""] = numbered(3);
  const whole = [first, second, third].map(resultOf);
  const unusable = { type: "server", code: "UNEXPECTED_RESPONSE", status: 200, request_id: "req_standin" } as const;
  const limited = { error: "Too many requests.", code: "RATE_LIMITED" };
  const many = numbered(2_100);
  const long = numbered(100_000);
  const quota = { limit: 100, used: 100, remaining: 0 };
  return [
    {
      id: "stream-order",
      title: "a stream sends 500 numbers per request, keeps its order, and reuses connections",
      call: { method: "lookup_stream", numbers: many },
      played: "echo",
      connections: 3,
      outcome: { results: many.map(outcomeOf) },
    },
    {
      id: "stream-abort",
      title: "an abandoned stream sends nothing more",
      call: { method: "lookup_stream", numbers: many, take: 3 },
      played: "echo",
      outcome: { results: many.slice(0, 3).map(outcomeOf) },
    },
    {
      id: "stream-empty",
      title: "an empty stream sends nothing",
      call: { method: "lookup_stream", numbers: [] },
      played: "echo",
      outcome: { results: [] },
    },
    {
      id: "stream-options",
      title: "a number's own options override the stream's",
      call: {
        method: "lookup_stream",
        numbers: [
          "11 98765-4321",
          { number: "020 7946 0018", country: "GB", expect_country: "GB" },
          { number: "+351912345678" },
        ],
        country: "BR",
        expect_country: "BR",
        accept_types: ["mobile"],
        reject_unallocated: true,
      },
      played: [{ lines: whole }],
      outcome: { results: [first, second, third].map(outcomeOf) },
    },
    {
      id: "stream-long",
      title: "a stream of 100,000 numbers keeps its order, and no results",
      call: { method: "lookup_stream", numbers: long, tally: true },
      played: "echo",
      outcome: { tally: { counted: long.length } },
    },
    {
      ...three(
        "errors",
        "has errors of single numbers in position",
        [{ lines: ["", { ...REJECTED, line: 1 }, { ...INVALID, line: 2, fields: NO_COUNTRY }, "", whole[2]!] }],
        0,
      ),
      outcome: {
        results: [
          {
            error: {
              type: "verification_failed",
              code: "REJECTED_NETWORK",
              status: 400,
              request_id: "req_standin",
            },
          },
          { error: { type: "invalid_request", code: "VALIDATION_FAILED", status: 400, fields: NO_COUNTRY } },
          outcomeOf(third),
        ],
      },
    },
    three(
      "quota",
      "ends with a used-up quota's error",
      [{ lines: [whole[0]!, ending(402, "QUOTA_EXCEEDED", { quota })] }],
      1,
      { type: "quota", code: "QUOTA_EXCEEDED", status: 402, quota },
    ),
    three(
      "lookups",
      "ends with the seconds to wait when the daily lookups are used up",
      [{ lines: [whole[0]!, ending(429, "RATE_LIMITED", { retry_after: 40_000 })] }],
      1,
      { type: "rate_limit", code: "RATE_LIMITED", status: 429, retry_after: 40_000 },
    ),
    three(
      "limited",
      "ended by a limit isn't resent, however short the wait",
      [{ lines: [whole[0]!, ending(429, "RATE_LIMITED", { retry_after: 1 })] }],
      1,
      { type: "rate_limit", code: "RATE_LIMITED", status: 429, retry_after: 1 },
    ),
    three(
      "failed",
      "ended by an error of the service's isn't resent: it may have been counted",
      [{ lines: [whole[0]!, ending(500, "INTERNAL_ERROR")] }],
      1,
      { type: "server", code: "INTERNAL_ERROR", status: 500 },
    ),
    three(
      "revoked",
      "ends with an error when the key is revoked midway",
      [{ lines: [whole[0]!, whole[1]!, ending(401, "API_KEY_REVOKED", { line: 3 })] }],
      2,
      { type: "authentication", code: "API_KEY_REVOKED", status: 401 },
    ),
    three(
      "continues",
      "ended by the service continues from the first number without a result",
      [
        { lines: [whole[0]!, ending(503, "TEMPORARILY_UNAVAILABLE", { retry_after: 1 })] },
        { from: 1, lines: whole.slice(1), after_ms: 1_000, before_ms: 20_000 },
      ],
      3,
    ),
    {
      ...three(
        "waits",
        "waits out a limit before its first line, like any call",
        [
          {
            status: 429,
            headers: { "Retry-After": "1", "X-Request-Id": "req_first", "Data-Version": null },
            json: limited,
          },
          { lines: whole, after_ms: 1_000, before_ms: 20_000 },
        ],
        3,
      ),
      responses: [
        { status: 429, request_id: "req_first", data_version: null, attempt: 1, rate_limits: {} },
        { status: 200, request_id: "req_standin", data_version: "9.0.43+3f9c1a", attempt: 2, rate_limits: {} },
      ],
    },
    three(
      "too-long",
      "waits no longer than allowed",
      [{ status: 429, headers: { "Retry-After": "61" }, json: limited }],
      0,
      { type: "rate_limit", code: "RATE_LIMITED", status: 429, retry_after: 61 },
    ),
    three(
      "rejected",
      "that is rejected is an error",
      [{ status: 401, json: { error: "No.", code: "INVALID_API_KEY" } }],
      0,
      { type: "authentication", code: "INVALID_API_KEY", status: 401 },
    ),
    three("fewer", "with fewer lines than numbers is an error", [{ lines: whole.slice(0, 2) }], 2, unusable),
    three("more", "with more lines than numbers is an error", [{ lines: [...whole, whole[0]!] }], 3, unusable),
    three("truncated", "whose last line is cut off is an error", [{ lines: [whole[0]!, '{"valid": tr'] }], 1, unusable),
    {
      ...three(
        "broken",
        "that breaks is an error and isn't resent: it may have been counted",
        [{ lines: whole.slice(0, 1), broken: "short_body" }],
        0,
        { type: "connection", code: "CONNECTION_FAILED", status: null },
      ),
      call: { method: "lookup_stream", numbers: [first] },
    },
    three(
      "reset",
      "whose connection breaks before a response is an error and isn't resent: it may have been counted",
      [{ broken: "reset" }],
      0,
      { type: "connection", code: "CONNECTION_FAILED", status: null },
    ),
    {
      ...three("slow", "may take longer than the timeout of a call", [{ lines: whole, slow_ms: 1_200 }], 3),
      client: { timeout_ms: 800 },
    },
  ];
}

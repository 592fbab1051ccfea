import {
  AuthenticationError,
  InvalidRequestError,
  QuotaError,
  RateLimitError,
  ServerError,
  VerificationFailedError,
} from "./errors.js";
import type { ChecklineError } from "./errors.js";
import type { Deliverability, LookupResult, ShortCode, Suggestion } from "./result.js";

/** A whole answer of the service, or of whoever stands before it. */
export interface Answer {
  /** Null where a browser hides it, as it does with redirects. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** Seconds of `Retry-After`, where it is a whole number of at most nine digits. */
  readonly retryAfter: number | null;
  /** The body's JSON, or undefined where it is none. */
  readonly body: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function truth(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function deliverabilityOf(value: unknown): Deliverability | null {
  const fields = fieldsOf(value);
  return fields && { sms: text(fields["sms"]), voice: text(fields["voice"]), flags: texts(fields["flags"]) };
}

function suggestionOf(value: unknown): Suggestion | null {
  const fields = fieldsOf(value);
  return fields && { number: text(fields["number"]), reason: text(fields["reason"]) };
}

function shortCodeOf(value: unknown): ShortCode | null {
  const fields = fieldsOf(value);
  return fields && { cost: text(fields["cost"]), emergency: truth(fields["emergency"]) };
}

/** The result that the service's JSON says, or null where it says none. */
export function resultOf(body: unknown): LookupResult | null {
  const fields = fieldsOf(body);
  if (typeof fields?.["valid"] !== "boolean") return null;
  return {
    valid: fields["valid"],
    number: text(fields["number"]),
    localFormat: text(fields["local_format"]),
    internationalFormat: text(fields["international_format"]),
    countryPrefix: text(fields["country_prefix"]),
    countryCode: text(fields["country_code"]),
    countryName: text(fields["country_name"]),
    location: text(fields["location"]),
    carrier: text(fields["carrier"]),
    lineType: text(fields["line_type"]),
    numberType: text(fields["number_type"]),
    extension: text(fields["extension"]),
    possible: truth(fields["possible"]),
    reason: text(fields["reason"]),
    suggestion: suggestionOf(fields["suggestion"]),
    shortCode: shortCodeOf(fields["short_code"]),
    timeZones: texts(fields["time_zones"]),
    carrierSource: text(fields["carrier_source"]),
    numberPortability: truth(fields["number_portability"]),
    deliverability: deliverabilityOf(fields["deliverability"]),
    reachability: text(fields["reachability"]),
    accepted: truth(fields["accepted"]),
    rejectedBecause: text(fields["rejected_because"]),
    status: text(fields["status"]),
  };
}

interface Problem {
  readonly message: string;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What the service's JSON says went wrong, or null where it says nothing of the kind. */
function problemOf(body: unknown): Problem | null {
  const answer = fieldsOf(body);
  if (typeof answer?.["error"] !== "string" || typeof answer["code"] !== "string") return null;
  const named = Object.entries(fieldsOf(answer["fields"]) ?? {});
  const fields = named.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return { message: answer["error"], code: answer["code"], fields: Object.fromEntries(fields) };
}

/** The items of a batch's answer in order, or null where it is not one with `count` of them. */
export function itemsOf({ body, requestId }: Answer, count: number): (LookupResult | VerificationFailedError)[] | null {
  const results = fieldsOf(body)?.["results"];
  if (!Array.isArray(results) || results.length !== count) return null;
  const items = results.map((item) => {
    const fields = fieldsOf(item);
    const message = text(fields?.["error"]);
    if (message === null) return resultOf(item);
    return new VerificationFailedError(message, { code: text(fields?.["code"]) ?? "UNEXPECTED_ANSWER", requestId });
  });
  return items.every((item) => item !== null) ? items : null;
}

/** What the sandbox's failing scenarios have as their code. */
const SANDBOX_CODES: ReadonlySet<string> = new Set([
  "REJECTED_NETWORK",
  "REJECTED_FORMAT",
  "REJECTED_PREFIX_MISSING",
  "REJECTED_SUBSCRIBER_ABSENT",
  "REJECTED_UNKNOWN_SUBSCRIBER",
  "REJECTED_UNDELIVERABLE",
  "UNDELIVERABLE_NOT_DELIVERED",
  "TEMPORARY_FAILURE",
  "SERVICE_UNAVAILABLE",
]);

/** The error for an answer that is no success, or cannot be used as one. */
export function errorOf({ status, requestId, retryAfter, body }: Answer): ChecklineError {
  if (status === null || status < 400) {
    const redirected = status === null || status >= 300;
    const message = redirected ? "The answer is a redirect, which is not followed." : "The answer cannot be used.";
    return new ServerError(message, { code: "UNEXPECTED_ANSWER", status, requestId });
  }
  const problem = problemOf(body);
  const message = problem?.message ?? `The answer, of status ${status}, is not the service's.`;
  const details = { code: problem?.code ?? "UNEXPECTED_ANSWER", status, requestId };
  if (status >= 500) return new ServerError(message, details);
  if (status === 401 || status === 403) return new AuthenticationError(message, details);
  if (status === 402) return new QuotaError(message, details);
  if (status === 429) return new RateLimitError(message, { ...details, retryAfter });
  if (status === 400 && SANDBOX_CODES.has(details.code)) return new VerificationFailedError(message, details);
  return new InvalidRequestError(message, { ...details, fields: problem?.fields ?? {} });
}

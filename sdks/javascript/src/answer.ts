import {
  AuthenticationError,
  InvalidRequestError,
  QuotaError,
  RateLimitError,
  ServerError,
  VerificationFailedError,
} from "./errors.js";
import type { ChecklineError } from "./errors.js";
import type { Deliverability, LookupResult, Quota, ResponseInfo, ShortCode, Suggestion } from "./result.js";

/** A complete response from the service, or from a proxy in front of it. */
export interface Answer {
  readonly response: ResponseInfo;
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number | null;
  /** The body's JSON, or undefined if it isn't JSON. */
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

function count(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

function deliverabilityOf(value: unknown): Deliverability {
  const fields = fieldsOf(value) ?? {};
  return {
    sms: text(fields["sms"]) ?? "unknown",
    voice: text(fields["voice"]) ?? "unknown",
    flags: texts(fields["flags"]),
  };
}

function suggestionOf(value: unknown): Suggestion | null {
  const [number, reason] = [text(fieldsOf(value)?.["number"]), text(fieldsOf(value)?.["reason"])];
  return number === null || reason === null ? null : { number, reason };
}

function shortCodeOf(value: unknown): ShortCode | null {
  const [cost, emergency] = [text(fieldsOf(value)?.["cost"]), truth(fieldsOf(value)?.["emergency"])];
  return cost === null || emergency === null ? null : { cost, emergency };
}

/** The quota in the service's JSON, or null. */
export function quotaOf(value: unknown): Quota | null {
  const fields = fieldsOf(value);
  const used = count(fields?.["used"]);
  if (!fields || used === null) return null;
  return {
    plan: text(fields["plan"]),
    limit: count(fields["limit"]),
    used,
    remaining: count(fields["remaining"]),
    resetsAt: text(fields["resets_at"]),
    keyCap: quotaOf(fields["key_cap"]),
  };
}

/** The result in the service's JSON, or null. */
export function resultOf(body: unknown, response: ResponseInfo): LookupResult | null {
  const fields = fieldsOf(body);
  if (typeof fields?.["valid"] !== "boolean") return null;
  const result: Omit<LookupResult, "response"> = {
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
    numberType: text(fields["number_type"]) ?? "unknown",
    extension: text(fields["extension"]),
    possible: truth(fields["possible"]) ?? fields["valid"],
    reason: text(fields["reason"]),
    suggestion: suggestionOf(fields["suggestion"]),
    shortCode: shortCodeOf(fields["short_code"]),
    timeZones: texts(fields["time_zones"]),
    carrierSource: text(fields["carrier_source"]) ?? "original_allocation",
    numberPortability: truth(fields["number_portability"]),
    deliverability: deliverabilityOf(fields["deliverability"]),
    reachability: text(fields["reachability"]) ?? "not_checked",
    accepted: truth(fields["accepted"]),
    rejectedBecause: text(fields["rejected_because"]),
    status: text(fields["status"]),
  };
  // Not enumerable: copies and JSON contain only what is known about the number.
  return Object.defineProperty(result, "response", { value: response }) as LookupResult;
}

interface Problem {
  readonly message: string;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly quota: Quota | null;
}

/** The problem in the service's JSON, or null. */
function problemOf(body: unknown): Problem | null {
  const answer = fieldsOf(body);
  if (typeof answer?.["error"] !== "string" || typeof answer["code"] !== "string") return null;
  const named = Object.entries(fieldsOf(answer["fields"]) ?? {});
  const fields = named.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return {
    message: answer["error"],
    code: answer["code"],
    fields: Object.fromEntries(fields),
    quota: quotaOf(answer["quota"]),
  };
}

/** The items of a batch's response in order, or null if it doesn't have `length` of them. */
export function itemsOf({ body, response }: Answer, length: number): (LookupResult | VerificationFailedError)[] | null {
  const results = fieldsOf(body)?.["results"];
  if (!Array.isArray(results) || results.length !== length) return null;
  const items = results.map((item) => {
    const fields = fieldsOf(item);
    const message = text(fields?.["error"]);
    if (message === null) return resultOf(item, response);
    const code = text(fields?.["code"]) ?? "UNEXPECTED_RESPONSE";
    return new VerificationFailedError(message, { code, requestId: response.requestId });
  });
  return items.every((item) => item !== null) ? items : null;
}

/** The codes of the sandbox's failing scenarios. */
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

/** The error for a response that is not a success, or is unusable. */
export function errorOf({ response: { status, requestId }, retryAfter, body }: Answer): ChecklineError {
  if (status === null || status < 400) {
    const redirected = status === null || status >= 300;
    const message = redirected ? "The response is a redirect, which is not followed." : "The response cannot be used.";
    return new ServerError(message, { code: "UNEXPECTED_RESPONSE", status, requestId });
  }
  const problem = problemOf(body);
  const message = problem?.message ?? `The response, of status ${status}, is not the service's.`;
  const details = { code: problem?.code ?? "UNEXPECTED_RESPONSE", status, requestId };
  if (status >= 500) return new ServerError(message, details);
  if (status === 401 || status === 403) return new AuthenticationError(message, details);
  if (status === 402) return new QuotaError(message, { ...details, quota: problem?.quota ?? null });
  if (status === 429) return new RateLimitError(message, { ...details, retryAfter });
  if (status === 400 && SANDBOX_CODES.has(details.code)) return new VerificationFailedError(message, details);
  return new InvalidRequestError(message, { ...details, fields: problem?.fields ?? {} });
}

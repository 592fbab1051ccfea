import {
  AuthenticationError,
  InvalidRequestError,
  QuotaError,
  RateLimitError,
  ServerError,
  VerificationFailedError,
} from "./errors.js";
import type { ChecklineError } from "./errors.js";
import { count, fieldsOf, text } from "./json.js";
import { readResult } from "./lookup-result.js";
import type { LookupResult } from "./lookup-result.js";
import type { Quota, ResponseInfo } from "./result.js";

/** A complete response from the service, or from a proxy in front of it. */
export interface Answer {
  readonly response: ResponseInfo;
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number | null;
  /** The body's JSON, or undefined if it isn't JSON. */
  readonly body: unknown;
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
  const result = readResult(body);
  // Not enumerable: copies and JSON contain only what is known about the number.
  return result && (Object.defineProperty(result, "response", { value: response }) as LookupResult);
}

/** The result of a single call, or null. With a test key, that of an input that is too short is in a 400. */
export function onlyResultOf({ body, response }: Answer): LookupResult | null {
  if (response.status === 400) return resultOf(fieldsOf(body)?.["result"], response);
  return response.status === 200 ? resultOf(body, response) : null;
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
  const results = response.status === 200 ? fieldsOf(body)?.["results"] : null;
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

/** The message about a response that isn't the service's; its status is null if a browser hides a redirect. */
export function unexpectedResponse(status: number | null): string {
  const redirect = status === null || (status >= 300 && status < 400) ? ": redirects aren't followed" : "";
  return `Unexpected response${status === null ? "" : ` (HTTP ${status})`}${redirect}.`;
}

/** The error for a response that is not a success, or is unusable. */
export function errorOf({ response, retryAfter, body }: Answer): ChecklineError {
  const { status, requestId } = response;
  if (status === null || status < 400) {
    return new ServerError(unexpectedResponse(status), { code: "UNEXPECTED_RESPONSE", status, requestId });
  }
  const problem = problemOf(body);
  const message = problem?.message ?? unexpectedResponse(status);
  const details = { code: problem?.code ?? "UNEXPECTED_RESPONSE", status, requestId };
  if (status >= 500) return new ServerError(message, details);
  if (status === 401 || status === 403) return new AuthenticationError(message, details);
  if (status === 402) return new QuotaError(message, { ...details, quota: problem?.quota ?? null });
  if (status === 429) return new RateLimitError(message, { ...details, retryAfter });
  if (status === 400 && SANDBOX_CODES.has(details.code)) return new VerificationFailedError(message, details);
  return new InvalidRequestError(message, { ...details, fields: problem?.fields ?? {} });
}

export { Checkline } from "./client.js";
export type { CallOptions, ChecklineOptions, ListOptions, StreamedNumber, StreamOptions } from "./client.js";
export {
  AuthenticationError,
  ChecklineError,
  ConnectionError,
  InvalidRequestError,
  QuotaError,
  RateLimitError,
  ServerError,
  VerificationFailedError,
} from "./errors.js";
export type { ErrorDetails } from "./errors.js";
export type { ByteReader, ByteStream, Fetch, FetchInit, FetchResponse } from "./request.js";
export type {
  Deliverability,
  DeliverabilityFlag,
  InvalidReason,
  Likelihood,
  LineType,
  LookupResult,
  NumberType,
  RejectionReason,
  ShortCode,
  ShortCodeCost,
  Suggestion,
  SuggestionReason,
} from "./lookup-result.js";
export type { Quota, RateLimit, ResponseInfo, VerifyResult } from "./result.js";

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
  Quota,
  RateLimit,
  RejectionReason,
  ResponseInfo,
  ShortCode,
  ShortCodeCost,
  Suggestion,
  SuggestionReason,
  VerifyResult,
} from "./result.js";

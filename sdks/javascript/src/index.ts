export { Checkline } from "./client.js";
export type { CallOptions, ChecklineOptions, ListOptions, NumberInput, PhoneNumber, StreamOptions } from "./client.js";
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
export {
  AllocationState,
  DeliverabilityFlag,
  InvalidReason,
  Likelihood,
  LineType,
  LineTypeSource,
  NumberType,
  RejectionReason,
  ShortCodeCost,
  SuggestionReason,
} from "./lookup-result.js";
export type {
  Allocation,
  Deliverability,
  InvalidResult,
  LookupResult,
  ShortCode,
  Suggestion,
  ValidResult,
} from "./lookup-result.js";
export type { Quota, RateLimit, ResponseInfo, VerifyResult } from "./result.js";

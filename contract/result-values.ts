/** The values of result fields. Without schemas, so the engine loads alone. */

/** libphonenumber's PhoneNumberType, in lowercase. */
export const NUMBER_TYPES = [
  "fixed_line",
  "mobile",
  "fixed_line_or_mobile",
  "toll_free",
  "premium_rate",
  "shared_cost",
  "voip",
  "personal_number",
  "pager",
  "uan",
  "voicemail",
  "unknown",
] as const;
export type NumberType = (typeof NUMBER_TYPES)[number];

/** The simplified line type. Null in a result if nothing published tells. */
export const LINE_TYPES = ["mobile", "fixed", "voip"] as const;
export type LineType = (typeof LINE_TYPES)[number];

/** Where a line type comes from: the numbering plan's ranges, or what kind of company the range was allocated to. */
export const LINE_TYPE_SOURCES = ["numbering_plan", "original_allocation"] as const;
export type LineTypeSource = (typeof LINE_TYPE_SOURCES)[number];

/** Whether a regulator's register lists a number's range as assigned to a company. */
export const ALLOCATION_STATES = ["assigned", "unassigned", "unknown"] as const;
export type AllocationState = (typeof ALLOCATION_STATES)[number];

/** Why a number is invalid. */
export const INVALID_REASONS = [
  "NOT_A_NUMBER",
  "MULTIPLE_NUMBERS",
  "MASKED",
  "LETTERS",
  "DIGITS_LOST",
  "MISSING_COUNTRY_CODE",
  "INVALID_COUNTRY_CODE",
  "TOO_SHORT",
  "TOO_LONG",
  "INVALID_LENGTH",
  "LOCAL_ONLY",
  "UNASSIGNED_RANGE",
  "SHORT_CODE",
] as const;
export type InvalidReason = (typeof INVALID_REASONS)[number];

/** How a suggested number differs from the one sent. */
export const SUGGESTION_REASONS = [
  "MISSING_PLUS",
  "CALLING_CODE_TWICE",
  "TRUNK_PREFIX_KEPT",
  "NUMBERING_PLAN_CHANGED",
  "MOBILE_PREFIX",
  "OVERSEAS_CODE",
  "LEADING_ZERO_LOST",
  "AREA_CODE_MISSING",
  "PLUS_BEFORE_NATIONAL",
  "LETTER_FOR_DIGIT",
  "SERVICE_CODE_KEPT",
] as const;
export type SuggestionReason = (typeof SUGGESTION_REASONS)[number];

/** What a call to a short code costs, according to the data. */
export const SHORT_CODE_COSTS = ["toll_free", "standard_rate", "premium_rate", "unknown"] as const;
export type ShortCodeCost = (typeof SHORT_CODE_COSTS)[number];

/** Why a number doesn't meet the request's conditions. */
export const REJECTION_REASONS = ["INVALID_NUMBER", "OTHER_COUNTRY", "OTHER_TYPE", "NOT_ALLOCATED"] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** Observations that affect whether a message or call will arrive. */
export const DELIVERABILITY_FLAGS = [
  "reserved_for_fiction",
  "not_allocated",
  "premium_rate",
  "toll_free",
  "shared_cost",
  "non_geographic",
  "repeated_digits",
  "trailing_zeros",
  "trailing_words",
  "spreadsheet_damage",
  "short_code",
  "emergency",
] as const;
export type DeliverabilityFlag = (typeof DELIVERABILITY_FLAGS)[number];

export const LIKELIHOODS = ["likely", "unlikely", "unknown"] as const;
export type Likelihood = (typeof LIKELIHOODS)[number];

import { FLAGS, REASONS, REJECTIONS, SUGGESTIONS } from "./reasons.ts";

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
export type InvalidReason = keyof typeof REASONS;
export const INVALID_REASONS = Object.keys(REASONS) as readonly InvalidReason[];

/** How a suggested number differs from the one sent. */
export type SuggestionReason = keyof typeof SUGGESTIONS;
export const SUGGESTION_REASONS = Object.keys(SUGGESTIONS) as readonly SuggestionReason[];

/** What a call to a short code costs, according to the data. */
export const SHORT_CODE_COSTS = ["toll_free", "standard_rate", "premium_rate", "unknown"] as const;
export type ShortCodeCost = (typeof SHORT_CODE_COSTS)[number];

/** Why a number doesn't meet the request's conditions. */
export type RejectionReason = keyof typeof REJECTIONS;
export const REJECTION_REASONS = Object.keys(REJECTIONS) as readonly RejectionReason[];

/** Observations that affect whether a message or call will arrive. */
export type DeliverabilityFlag = keyof typeof FLAGS;
export const DELIVERABILITY_FLAGS = Object.keys(FLAGS) as readonly DeliverabilityFlag[];

export const LIKELIHOODS = ["likely", "unlikely", "unknown"] as const;
export type Likelihood = (typeof LIKELIHOODS)[number];

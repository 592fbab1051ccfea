/** What remains of a limit. */
export interface RateLimit {
  /** The remaining count. */
  readonly remaining: number;
  /** Seconds until the limit resets. */
  readonly resetSeconds: number;
}

/** Describes a response. It contains neither the number nor the key, so you can log it. */
export interface ResponseInfo {
  /** Null if a browser hides it, as with redirects. */
  readonly status: number | null;
  /** `X-Request-Id`, for support. */
  readonly requestId: string | null;
  /** The attempt of the call, from 1. */
  readonly attempt: number;
  /** From sending the request to the end of the body. */
  readonly durationMs: number;
  /** What remains of each per-minute limit, by name: `requests` and `numbers`. Empty if the response has none. */
  readonly rateLimits: Readonly<Record<string, RateLimit>>;
}

/** The values known today, and any that a later version of the API adds. */
type Open<Known extends string> = Known | (string & {});

export type LineType = Open<"mobile" | "fixed" | "voip">;

export type NumberType = Open<
  | "fixed_line"
  | "mobile"
  | "fixed_line_or_mobile"
  | "toll_free"
  | "premium_rate"
  | "shared_cost"
  | "voip"
  | "personal_number"
  | "pager"
  | "uan"
  | "voicemail"
  | "unknown"
>;

export type InvalidReason = Open<
  | "NOT_A_NUMBER"
  | "MISSING_COUNTRY_CODE"
  | "INVALID_COUNTRY_CODE"
  | "TOO_SHORT"
  | "TOO_LONG"
  | "INVALID_LENGTH"
  | "LOCAL_ONLY"
  | "UNASSIGNED_RANGE"
  | "SHORT_CODE"
>;

export type SuggestionReason = Open<
  "MISSING_PLUS" | "CALLING_CODE_TWICE" | "TRUNK_PREFIX_KEPT" | "NUMBERING_PLAN_CHANGED" | "MOBILE_PREFIX"
>;

export type ShortCodeCost = Open<"toll_free" | "standard_rate" | "premium_rate" | "unknown">;

export type RejectionReason = Open<"INVALID_NUMBER" | "OTHER_COUNTRY" | "OTHER_TYPE">;

export type Likelihood = Open<"likely" | "unlikely" | "unknown">;

export type DeliverabilityFlag = Open<
  | "reserved_for_fiction"
  | "premium_rate"
  | "toll_free"
  | "shared_cost"
  | "non_geographic"
  | "repeated_digits"
  | "trailing_zeros"
  | "trailing_words"
  | "short_code"
  | "emergency"
>;

/** An estimate of how reachable a number is, based on the numbering plan. No network is queried. */
export interface Deliverability {
  /** Whether this type of number receives text messages. */
  readonly sms: Likelihood;
  /** Whether this type of number receives calls. */
  readonly voice: Likelihood;
  /** The reasons behind the estimates, and other warning signs. */
  readonly flags: readonly DeliverabilityFlag[];
}

/** A number the user may have meant. Ask before you use it. */
export interface Suggestion {
  /** A valid number in E.164. */
  readonly number: string;
  /** How the number sent differs from it. */
  readonly reason: SuggestionReason;
}

/** Describes a short code. */
export interface ShortCode {
  /** What a call costs. */
  readonly cost: ShortCodeCost;
  /** Whether it reaches an emergency service. */
  readonly emergency: boolean;
}

/** The short result of a verification. */
export interface VerifyResult {
  /** Whether the number is in a range assigned by its country's numbering plan. */
  readonly valid: boolean;
  /** The carrier the range was first allocated to. A ported number may have moved to another. */
  readonly carrier: string | null;
}

/** The state of a quota, counted in successful live verifications. */
export interface Quota {
  /** Null without a subscription, and in a key's cap and an error. */
  readonly plan: Open<"trial" | "pro"> | null;
  /** Null if there is no limit. */
  readonly limit: number | null;
  readonly used: number;
  /** Null if there is no limit. */
  readonly remaining: number | null;
  /** When the quota resets, in ISO 8601; null if it doesn't. */
  readonly resetsAt: string | null;
  /** The calling key's monthly cap; null without one. */
  readonly keyCap: Quota | null;
}

/** The full result for one number. Unknown values are null. */
export interface LookupResult extends VerifyResult {
  /** The number in E.164, as we understood it. */
  readonly number: string | null;
  /** How the number is written within its country; null if invalid. */
  readonly localFormat: string | null;
  /** How the number is written for callers abroad; null if invalid. */
  readonly internationalFormat: string | null;
  /** The calling code with its plus sign, for example `+55`. */
  readonly countryPrefix: string | null;
  /** ISO 3166-1 alpha-2; null for calling codes that don't belong to a country. */
  readonly countryCode: string | null;
  /** The country's English name. */
  readonly countryName: string | null;
  /** The area a geographic number was assigned to, or the country name if the plan has nothing more specific. */
  readonly location: string | null;
  /** Null if the numbering plan can't tell mobile from landline. */
  readonly lineType: LineType | null;
  /** The numbering plan's own, more specific type. */
  readonly numberType: NumberType;
  /** The extension in the input, digits only. */
  readonly extension: string | null;
  /** Whether the number is valid, or at least has a length the country's numbering plan uses. */
  readonly possible: boolean;
  /** Why the number is invalid; null if valid. */
  readonly reason: InvalidReason | null;
  /** The number the user may have meant, if there is exactly one. */
  readonly suggestion: Suggestion | null;
  /** Null unless `reason` is `SHORT_CODE`. */
  readonly shortCode: ShortCode | null;
  /** IANA time zones the number may be in; empty if invalid. */
  readonly timeZones: readonly string[];
  /** Where `carrier` comes from: the original allocation of the range, not a live network query. */
  readonly carrierSource: Open<"original_allocation">;
  /** Whether mobile numbers can move between carriers in this country; null without a country. */
  readonly numberPortability: boolean | null;
  readonly deliverability: Deliverability;
  /** We never contact the handset. */
  readonly reachability: Open<"not_checked">;
  /** Whether the number meets the call's `expectCountry` and `acceptTypes`; null without either. */
  readonly accepted: boolean | null;
  /** Why the number isn't accepted. */
  readonly rejectedBecause: RejectionReason | null;
  /** The sandbox's delivery status; null with a live key. */
  readonly status: Open<"DELIVERED_TO_HANDSET"> | null;
  /** The response that contained the result. It isn't enumerable, so JSON and copies omit it. */
  readonly response: ResponseInfo;
}

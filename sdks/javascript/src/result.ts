/** What remains of a limit. */
export interface RateLimit {
  /** The remaining count. */
  readonly remaining: number;
  /** Seconds until more are available. */
  readonly resetSeconds: number;
}

/** A response's metadata. Contains neither the number nor the key, so it is safe to log. */
export interface ResponseInfo {
  /** Null if a browser hides it, as it does for redirects. */
  readonly status: number | null;
  /** `X-Request-Id`, for support requests. */
  readonly requestId: string | null;
  /** The attempt number within its call, starting at 1. */
  readonly attempt: number;
  /** From sending the request to the end of the body. */
  readonly durationMs: number;
  /** What is left of each per-minute limit, by name: `requests` and `numbers`. Empty if the response doesn't say. */
  readonly rateLimits: Readonly<Record<string, RateLimit>>;
}

/** The values known today, plus any that a later version of the service may add. */
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

/** What the numbering plan says about reaching a number. No network is queried. */
export interface Deliverability {
  /** Whether this type of number receives text messages. */
  readonly sms: Likelihood;
  /** Whether this type of number receives calls. */
  readonly voice: Likelihood;
  /** The reasons behind the estimates, and other warning signs. */
  readonly flags: readonly DeliverabilityFlag[];
}

/** The number the user may have meant. Ask before you use it. */
export interface Suggestion {
  /** A valid number in E.164. */
  readonly number: string;
  /** How the number sent differs from it. */
  readonly reason: SuggestionReason;
}

/** Details about a short code. */
export interface ShortCode {
  /** What a call costs. */
  readonly cost: ShortCodeCost;
  /** Whether it reaches an emergency service. */
  readonly emergency: boolean;
}

/** A verification in brief. */
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
  /** Null if unlimited. */
  readonly limit: number | null;
  readonly used: number;
  /** Null if unlimited. */
  readonly remaining: number | null;
  /** When it resets, in ISO 8601; null if it doesn't. */
  readonly resetsAt: string | null;
  /** The calling key's monthly cap; null without one. */
  readonly keyCap: Quota | null;
}

/** Everything the service knows about a number. Unknown fields are null. */
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
  /** The number the user may have meant, if exactly one fits. */
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
  /** The response that contained the result. Not enumerable, so JSON and copies omit it. */
  readonly response: ResponseInfo;
}

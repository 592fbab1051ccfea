import type { InvalidReason, NumberType } from "../../contract/result-values.ts";
import { NO_COUNTRY_REGION } from "../../worker/phone/number.ts";
import { atStart, entirely } from "../../worker/phone/plan-table.ts";

/** A rule for one number type: lengths are checked before the pattern, as in libphonenumber. */
export interface TypeRule {
  readonly type: NumberType;
  /** Matches whole national numbers once anchored. */
  readonly pattern: string;
  readonly lengths: readonly number[];
}

/**
 * A region's numbering plan, as compiled by `npm run data`. Every pattern except the prefixes matches a whole national
 * number.
 */
export interface Plan {
  /** ISO 3166-1 alpha-2, or "001" for a calling code without a country. */
  readonly region: string;
  readonly callingCode: string;
  readonly nationalNumber: RegExp;
  readonly lengths: readonly number[];
  readonly localOnlyLengths: readonly number[];
  /** What is dialed before a calling code, anchored at the start; null for none. */
  readonly internationalPrefix: RegExp | null;
  /** What is dialed before a national number, carrier codes included, anchored at the start. */
  readonly nationalPrefix: RegExp | null;
  /** Replacement for the match of nationalPrefix, with $1 for its groups. */
  readonly nationalPrefixTransform: string | null;
  /** If present, it alone decides whether a number of a shared calling code belongs to this region. */
  readonly leadingDigits: RegExp | null;
  /** Every type but fixed line and mobile, in libphonenumber's order of precedence. */
  readonly specialTypes: readonly TypeRule[];
  readonly fixedLine: TypeRule | null;
  /** Null also where mobileIsFixedLine. */
  readonly mobile: TypeRule | null;
  /** Whether mobile and fixed-line ranges are the same, as in North America. */
  readonly mobileIsFixedLine: boolean;
}

/** [pattern, format, leading digits, national prefix rule, national prefix optional, international format] */
export type RawFormat = readonly [
  pattern: string,
  format: string,
  leadingDigits?: readonly string[] | 0,
  nationalPrefixRule?: string | 0,
  nationalPrefixOptional?: 0 | 1,
  internationalFormat?: string | 0,
];

/** The formats of a calling code, as `formattingOf` returns them. */
export interface Formatting {
  readonly formats: readonly RawFormat[];
  /** What is written before an extension. */
  readonly extensionPrefix: string;
}

type RawType = readonly [pattern: string, lengths?: readonly number[]] | 0 | null;

/**
 * One region in libphonenumber-js's metadata version 4 (see its METADATA.md); both 0 and a missing value mean "none".
 */
type RawPlan = readonly [
  callingCode: string,
  internationalPrefix: string | 0,
  nationalNumber: string,
  lengths: readonly number[],
  formats?: readonly RawFormat[] | 0,
  nationalPrefix?: string | 0,
  nationalPrefixRule?: string | 0,
  nationalPrefixForParsing?: string | 0,
  nationalPrefixTransform?: string | 0,
  nationalPrefixOptional?: 0 | 1,
  leadingDigits?: string | 0,
  types?: readonly RawType[] | 0,
  preferredInternationalPrefix?: string | 0,
  extensionPrefix?: string | 0,
];

/** The metadata of a release of libphonenumber-js. */
export interface Metadata {
  readonly country_calling_codes: Readonly<Record<string, readonly string[]>>;
  readonly countries: Readonly<Record<string, RawPlan>>;
  readonly nonGeographic: Readonly<Record<string, RawPlan>>;
}

/**
 * The special types in libphonenumber's order of precedence, with their names in Google's metadata and their positions
 * in libphonenumber-js's.
 */
export const SPECIAL_TYPES = [
  ["premium_rate", "premiumRate", 3],
  ["toll_free", "tollFree", 2],
  ["shared_cost", "sharedCost", 9],
  ["voip", "voip", 8],
  ["personal_number", "personalNumber", 4],
  ["pager", "pager", 7],
  ["uan", "uan", 6],
  ["voicemail", "voicemail", 5],
] as const satisfies readonly (readonly [NumberType, string, number])[];

/** Parses the plans of a release of libphonenumber-js. Its metadata lacks lengths that are only dialed locally. */
export function readPlans(
  { country_calling_codes, countries, nonGeographic }: Metadata,
  localOnlyLengthsOf: (callingCode: string, region: string) => readonly number[],
) {
  /** Every calling code, digits only, in ascending order. */
  function callingCodes(): string[] {
    return Object.keys({ ...country_calling_codes, ...nonGeographic });
  }

  /** Every plan behind a calling code, the main region's first; empty for an unknown one. */
  function plansOfCallingCode(callingCode: string): readonly Plan[] {
    return idsOf(callingCode).map(planOf);
  }

  /**
   * A calling code's formats: the main region's rules, for all regions that share the code. Each format
   * has its own national prefix rule; the field for a common one is empty for every region in this metadata.
   */
  function formattingOf(callingCode: string): Formatting {
    const raw = rawOf(idsOf(callingCode)[0] ?? "");
    return { formats: raw?.[4] || [], extensionPrefix: raw?.[13] || " ext. " };
  }

  /** Regions, or the calling code itself if it has no country. */
  function idsOf(callingCode: string): readonly string[] {
    if (Object.hasOwn(country_calling_codes, callingCode)) return country_calling_codes[callingCode]!;
    return Object.hasOwn(nonGeographic, callingCode) ? [callingCode] : [];
  }

  function rawOf(id: string): RawPlan | undefined {
    return countries[id] ?? nonGeographic[id];
  }

  function planOf(id: string): Plan {
    const raw = rawOf(id)!;
    const region = Object.hasOwn(countries, id) ? id : NO_COUNTRY_REGION;
    return compilePlan(region, raw, localOnlyLengthsOf(raw[0], region));
  }

  return { callingCodes, plansOfCallingCode, formattingOf };
}

/** The problem with a national number of this many digits; null when the plan has complete numbers of that length. */
export function lengthProblem(plan: Plan, length: number): InvalidReason | null {
  if (plan.localOnlyLengths.includes(length)) return "LOCAL_ONLY";
  if (plan.lengths.includes(length)) return null;
  if (length < plan.lengths[0]!) return "TOO_SHORT";
  return length > plan.lengths.at(-1)! ? "TOO_LONG" : "INVALID_LENGTH";
}

function compilePlan(region: string, raw: RawPlan, localOnlyLengths: readonly number[]): Plan {
  const types = raw[11] || [];
  const rule = (type: NumberType, index: number): TypeRule | null => {
    const entry = types[index];
    return entry ? { type, pattern: entry[0], lengths: entry[1] ?? raw[3] } : null;
  };
  // The metadata represents "the same as fixed lines" as an empty pattern.
  const mobileIsFixedLine = types[1] ? types[1][0] === "" : false;
  return {
    region,
    callingCode: raw[0],
    nationalNumber: entirely(raw[2]),
    lengths: raw[3],
    // Possibly of another release: a length that has complete numbers now is not local only.
    localOnlyLengths: localOnlyLengths.filter((length) => !raw[3].includes(length)),
    internationalPrefix: atStart(raw[1]),
    nationalPrefix: atStart(raw[7] || raw[5]),
    nationalPrefixTransform: raw[8] || null,
    leadingDigits: atStart(raw[10]),
    specialTypes: SPECIAL_TYPES.flatMap(([type, , index]) => rule(type, index) ?? []),
    fixedLine: rule("fixed_line", 0),
    mobile: mobileIsFixedLine ? null : rule("mobile", 1),
    mobileIsFixedLine,
  };
}

/** A plan's pattern without the anchors added here. */
export function patternOf(compiled: RegExp): string {
  return compiled.source.replace(/^\^\(\?:(.*?)\)\$?$/, "$1");
}

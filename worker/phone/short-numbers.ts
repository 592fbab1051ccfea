import type { ShortCodeCost } from "../../contract/result-values.ts";
import table from "./data/short-numbers.json" with { type: "json" };

export interface ShortNumber {
  /** What dialing it costs, according to Google's data. */
  readonly cost: ShortCodeCost;
  /** Whether it reaches the police, fire department, or ambulance. */
  readonly emergency: boolean;
}

/**
 * By country: patterns of all its short numbers, then emergency, toll-free, standard rate, and premium rate ones. Empty
 * or absent means none.
 */
export type ShortNumberPatterns = Readonly<Record<string, readonly string[]>>;

const patterns: ShortNumberPatterns = table;

/** Matches nothing. */
const NOTHING = "(?!)";

/** Compiled on first use of a country. */
const compiled = new Map<string, readonly RegExp[]>();

/**
 * Google's short number data on digits as dialed in a country, null if they are not a short number there. Same as
 * ShortNumberInfo's isValidShortNumberForRegion, getExpectedCostForRegion, and isEmergencyNumber.
 *
 * @param digits ASCII digits without calling code or prefix: "116117".
 * @param country uppercase ISO 3166-1 alpha-2.
 */
export function shortNumber(digits: string, country: string): ShortNumber | null {
  const [all, emergencies, tollFree, standardRate, premiumRate] = patternsOf(country);
  const emergency = emergencies?.test(digits) ?? false;
  if (!emergency && !all?.test(digits)) return null;
  if (premiumRate?.test(digits)) return { cost: "premium_rate", emergency };
  if (standardRate?.test(digits)) return { cost: "standard_rate", emergency };
  return { cost: emergency || tollFree?.test(digits) ? "toll_free" : "unknown", emergency };
}

function patternsOf(country: string): readonly RegExp[] {
  let ofCountry = compiled.get(country);
  if (ofCountry === undefined && Object.hasOwn(patterns, country)) {
    ofCountry = patterns[country]!.map((pattern) => new RegExp(`^(?:${pattern || NOTHING})$`));
    compiled.set(country, ofCountry);
  }
  return ofCountry ?? [];
}

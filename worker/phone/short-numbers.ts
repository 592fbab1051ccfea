import type { ShortCodeCost } from "../../contract/result-values.ts";
import table from "./data/short-numbers.json" with { type: "json" };

export interface ShortNumber {
  /** What dialing it costs, as far as Google's data says. */
  readonly cost: ShortCodeCost;
  /** Whether it reaches the police, a fire brigade or an ambulance. */
  readonly emergency: boolean;
}

/** By country: patterns of all its short numbers, of emergency, toll-free, standard rate and premium rate ones. Empty and absent: none. */
export type ShortNumberPatterns = Readonly<Record<string, readonly string[]>>;

const patterns: ShortNumberPatterns = table;

/** Matches no text. */
const NOTHING = "(?!)";

/** Compiled when a country is first asked for. */
const compiled = new Map<string, readonly RegExp[]>();

/**
 * What Google's short number data knows about digits as they are dialed in a country, null when they are no short number there. As
 * ShortNumberInfo's isValidShortNumberForRegion, getExpectedCostForRegion and isEmergencyNumber.
 *
 * @param digits ASCII digits without calling code or prefix: "116117".
 * @param country Upper-case ISO 3166-1 alpha-2.
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

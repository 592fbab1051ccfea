import type { LineType, NumberType, VerificationResult } from "../../contract/verification.ts";
import { countryName } from "./countries.ts";
import { deliverability } from "./deliverability.ts";
import { formatE164, formatInternational, formatNational } from "./format.ts";
import { carrier, location, timeZones } from "./geography.ts";
import type { PhoneTables } from "./geography.ts";
import { type Classification, NO_COUNTRY_REGION, type PhoneNumber } from "./number.ts";
import { classify } from "./numbering-plan.ts";
import { parseNumber } from "./parse.ts";
import { numberPortability } from "./portability.ts";

/** The libphonenumber release whose numbering plans the pinned libphonenumber-js carries. */
export const NUMBERING_PLAN_VERSION = "9.0.40";

/** A plus sign and 15 digits (ITU-T E.164, 6.1). */
const MAX_E164_LENGTH = 16;

/** Only types that say how the line is connected have a line type: the rest would be a guess. */
const LINE_TYPE_OF: Partial<Record<NumberType, LineType>> = { mobile: "mobile", fixed_line: "fixed", voip: "voip" };

const NOTHING_READ: VerificationResult = {
  valid: false,
  number: null,
  local_format: null,
  international_format: null,
  country_prefix: null,
  country_code: null,
  country_name: null,
  location: null,
  carrier: null,
  line_type: null,
  number_type: "unknown",
  extension: null,
  possible: false,
  reason: null,
  time_zones: [],
  carrier_source: "original_allocation",
  number_portability: null,
  deliverability: { sms: "unlikely", voice: "unlikely", flags: [] },
  reachability: "not_checked",
};

/** What only a valid number has: how it is written, and what its range was assigned to. */
function validFacts(number: PhoneNumber, { region, type }: Classification, tables: PhoneTables) {
  const assigned = { number, region, type };
  return {
    local_format: formatNational(number),
    international_format: formatInternational(number),
    location: location(assigned, tables, countryName),
    carrier: carrier(assigned, tables),
    line_type: LINE_TYPE_OF[type] ?? null,
    time_zones: timeZones(assigned, tables),
  };
}

function describe(number: PhoneNumber, tables: PhoneTables): VerificationResult {
  const classification = classify(number);
  const { valid, possible, reason, region, type } = classification;
  const e164 = formatE164(number);
  return {
    ...NOTHING_READ,
    valid,
    number: e164.length <= MAX_E164_LENGTH ? e164 : null,
    country_prefix: `+${number.callingCode}`,
    country_code: region === NO_COUNTRY_REGION ? null : region,
    country_name: countryName(region),
    number_type: type,
    extension: number.extension,
    possible,
    reason,
    number_portability: numberPortability(region),
    deliverability: deliverability(number, classification),
    ...(valid && validFacts(number, classification, tables)),
  };
}

/**
 * Makes the function that verifies one number against the numbering plans and these tables. It does no I/O, keeps nothing and
 * never throws: input that is no number is an answer with `valid: false` and a reason.
 *
 * `country` is the upper-case ISO 3166-1 alpha-2 country that a number in national format belongs to.
 */
export function createVerifier(tables: PhoneTables): (input: string, country?: string) => VerificationResult {
  return function verify(input, country) {
    const parsed = parseNumber(input, country);
    if (parsed.ok) return describe(parsed.number, tables);
    return { ...NOTHING_READ, reason: parsed.reason };
  };
}

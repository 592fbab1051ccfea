import type { LineType, NumberType, VerificationResult } from "../../contract/verification.ts";
import { countryName } from "./countries.ts";
import { deliverability } from "./deliverability.ts";
import { formatE164, formats } from "./format.ts";
import { carrier, location, type PhoneTables, timeZones } from "./geography.ts";
import { type Classification, NO_COUNTRY_REGION, type PhoneNumber } from "./number.ts";
import { classify } from "./numbering-plan.ts";
import { parseNumber } from "./parse.ts";
import type { PlanTable } from "./plan-table.ts";
import { numberPortability } from "./portability.ts";
import { readClean } from "./read-clean.ts";

/** The libphonenumber release whose numbering plans the pinned libphonenumber-js carries. */
export const NUMBERING_PLAN_VERSION = "9.0.40";

/** All that is asked about a number. */
export interface EngineTables extends PhoneTables {
  readonly plans: PlanTable;
}

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

/** Formats and what the range was assigned to are there for valid numbers only. */
function describe(number: PhoneNumber, classification: Classification, tables: EngineTables): VerificationResult {
  const { valid, possible, reason, region, type } = classification;
  const e164 = formatE164(number);
  const assigned = { number, region, type };
  const written = valid ? formats(number, tables.plans) : null;
  // Every field in place: spreading one object over another takes as long as all the rest.
  return {
    valid,
    number: e164.length <= MAX_E164_LENGTH ? e164 : null,
    local_format: written && written.national,
    international_format: written && written.international,
    country_prefix: `+${number.callingCode}`,
    country_code: region === NO_COUNTRY_REGION ? null : region,
    country_name: countryName(region),
    location: valid ? location(assigned, tables, countryName) : null,
    carrier: valid ? carrier(assigned, tables) : null,
    line_type: LINE_TYPE_OF[type] ?? null,
    number_type: type,
    extension: number.extension,
    possible,
    reason,
    time_zones: valid ? timeZones(assigned, tables) : [],
    carrier_source: "original_allocation",
    number_portability: numberPortability(region),
    deliverability: deliverability(number, classification),
    reachability: "not_checked",
  };
}

/**
 * Makes the function that verifies one number against the numbering plans and these tables. It does no I/O, keeps nothing and
 * never throws: input that is no number is an answer with `valid: false` and a reason.
 *
 * `country` is the upper-case ISO 3166-1 alpha-2 country that a number in national format belongs to.
 */
export function createVerifier(tables: EngineTables): (input: string, country?: string) => VerificationResult {
  return function verify(input, country) {
    const clean = readClean(input, tables.plans);
    if (clean !== null) return describe(clean.number, clean.classification, tables);
    const parsed = parseNumber(input, country);
    if (parsed.ok) return describe(parsed.number, classify(parsed.number, tables.plans), tables);
    return { ...NOTHING_READ, reason: parsed.reason };
  };
}

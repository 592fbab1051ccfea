import { MAX_NUMBER_LENGTH } from "../../contract/limits.ts";
import type { InvalidReason, LineType, NumberType } from "../../contract/result-values.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import { countryName } from "./countries.ts";
import { deliverability, shortCodeDeliverability } from "./deliverability.ts";
import { formatE164, formats } from "./format.ts";
import { assignedNumber, carrier, location, type PhoneTables, timeZones } from "./geography.ts";
import { hasLeadingPlus, isViable, toDigits, withoutTrailingWords } from "./normalize.ts";
import { MAX_E164_DIGITS, NO_COUNTRY_REGION } from "./number.ts";
import { classify } from "./numbering-plan.ts";
import { parseNumber } from "./parse.ts";
import type { PlanTable } from "./plan-table.ts";
import { numberPortability } from "./portability.ts";
import { type CleanNumber, readClean } from "./read-clean.ts";
import { type ShortNumber, shortNumber } from "./short-numbers.ts";
import { mayLackPlus, suggest } from "./suggest.ts";

/** The data for verifying a number. */
export interface EngineTables extends PhoneTables {
  readonly plans: PlanTable;
}

/** Including the plus sign. */
const MAX_E164_LENGTH = 1 + MAX_E164_DIGITS;

/** Only types that determine how the line is connected; anything else would be a guess. */
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
  suggestion: null,
  short_code: null,
  time_zones: [],
  carrier_source: "original_allocation",
  number_portability: null,
  deliverability: { sms: "unlikely", voice: "unlikely", flags: [] },
  reachability: "not_checked",
  accepted: null,
  rejected_because: null,
};

/** Only valid numbers have formats and assignment details. */
function describe(
  { number, e164, classification }: CleanNumber,
  suggestion: VerificationResult["suggestion"],
  tables: EngineTables,
): VerificationResult {
  const { valid, possible, reason, region, type } = classification;
  const { callingCode } = number;
  const assigned = valid ? assignedNumber({ callingCode, e164, region, type }) : null;
  const written = valid ? formats(number, tables.plans) : null;
  // Lists every field: spreading one object over another would double the time.
  return {
    valid,
    number: e164.length <= MAX_E164_LENGTH ? e164 : null,
    local_format: written && written.national,
    international_format: written && written.international,
    country_prefix: `+${callingCode}`,
    country_code: region === NO_COUNTRY_REGION ? null : region,
    country_name: countryName(region),
    location: assigned && location(assigned, tables, countryName),
    carrier: assigned && carrier(assigned, tables),
    line_type: LINE_TYPE_OF[type] ?? null,
    number_type: type,
    extension: number.extension,
    possible,
    reason,
    suggestion,
    short_code: null,
    time_zones: assigned ? timeZones(assigned, tables) : [],
    carrier_source: "original_allocation",
    number_portability: numberPortability(region),
    deliverability: deliverability(number, classification),
    reachability: "not_checked",
    accepted: null,
    rejected_because: null,
  };
}

interface ShortCode extends ShortNumber {
  /** The country it's dialed in, uppercase ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** A star and a few digits: a service of the caller's network. */
const STAR_CODE = /^\*\d{2,5}$/;

/** The short code that an input is in a country; null for other input, or without a country. Never throws. */
function dialledShortCode(input: string, country: string | undefined): ShortCode | null {
  if (country === undefined) return null;
  const dialled = input.trim().replace(/^tel:/i, "");
  // No short code is longer, even with separators.
  if (dialled.length > 20 || hasLeadingPlus(dialled)) return null;
  if (STAR_CODE.test(dialled)) return { country, cost: "unknown", emergency: false };
  if (!isViable(dialled) || /[^\p{Nd}\p{Zs}().-]/u.test(dialled)) return null;
  const known = shortNumber(toDigits(dialled), country);
  return known === null ? null : { country, ...known };
}

/** A short code isn't a phone number: it has no calling code and works only in its country. */
function describeShortCode({ country, cost, emergency }: ShortCode): VerificationResult {
  return {
    ...NOTHING_READ,
    country_code: country,
    country_name: countryName(country),
    reason: "SHORT_CODE",
    short_code: { cost, emergency },
    deliverability: shortCodeDeliverability(emergency),
  };
}

type Reading = CleanNumber & { readonly wordsDropped: boolean };

function readAs(input: string, country: string | undefined, plans: PlanTable): Reading | InvalidReason {
  const clean = readClean(input, plans);
  if (clean !== null) return { ...clean, wordsDropped: false };
  const parsed = parseNumber(input, country, plans);
  if (!parsed.ok) return parsed.reason;
  const { number } = parsed;
  return { number, e164: formatE164(number), classification: classify(number, plans), wordsDropped: false };
}

/** Drops words after a number ("… Fax") if it's valid without them. Otherwise, they'd count as vanity letters. */
function read(input: string, country: string | undefined, plans: PlanTable): Reading | InvalidReason {
  const asWritten = readAs(input, country, plans);
  const withoutWords = withoutTrailingWords(input);
  if (withoutWords === null) return asWritten;
  const alone = readAs(withoutWords, country, plans);
  if (typeof alone === "string" || !alone.classification.valid) return asWritten;
  const sameWithWords = typeof asWritten !== "string" && asWritten.e164 === alone.e164;
  return sameWithWords ? asWritten : { ...alone, wordsDropped: true };
}

/**
 * Creates the function that verifies a number against these tables. It does no I/O, keeps no state, and never throws:
 * input that isn't a number returns `valid: false` and a reason.
 *
 * `country` is the country for numbers in national format, uppercase ISO 3166-1 alpha-2.
 */
export function createVerifier(tables: EngineTables): (input: string, country?: string) => VerificationResult {
  const { plans } = tables;

  function verifyDialled(input: string, country: string | undefined): VerificationResult {
    // The rest takes more than linear time.
    if (input.length > MAX_NUMBER_LENGTH) return { ...NOTHING_READ, reason: "TOO_LONG" };
    const reading = read(input, country, plans);
    if (typeof reading === "string") {
      const shortCode = dialledShortCode(input, country);
      if (shortCode !== null) return describeShortCode(shortCode);
      return { ...NOTHING_READ, reason: reading, suggestion: suggest({ input, country, number: null }, plans) };
    }
    const { number, classification, wordsDropped } = reading;
    if (!classification.valid) {
      const shortCode = dialledShortCode(input, country);
      return shortCode === null
        ? describe(reading, suggest({ input, country, number }, plans), tables)
        : describeShortCode(shortCode);
    }
    const suggestion = mayLackPlus(input, number) ? suggest({ input, country, number }, plans) : null;
    const result = describe(reading, suggestion, tables);
    if (wordsDropped) result.deliverability.flags.push("trailing_words");
    return result;
  }

  return function verify(input, country) {
    const clean = readClean(input, plans);
    return clean?.classification.valid ? describe(clean, null, tables) : verifyDialled(input, country);
  };
}

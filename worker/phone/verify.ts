import { MAX_NUMBER_LENGTH } from "../../contract/limits.ts";
import type { InvalidReason, LineType, NumberType } from "../../contract/result-values.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import { countryName } from "./countries.ts";
import { deliverability, shortCodeDeliverability } from "./deliverability.ts";
import { formatE164, formats } from "./format.ts";
import { carrier, location, type PhoneTables, timeZones } from "./geography.ts";
import { hasLeadingPlus, isViable, toDigits, withoutTrailingWords } from "./normalize.ts";
import { type Classification, type E164Number, MAX_E164_DIGITS, NO_COUNTRY_REGION } from "./number.ts";
import { classify } from "./numbering-plan.ts";
import { parseNumber } from "./parse.ts";
import type { PlanTable } from "./plan-table.ts";
import { numberPortability } from "./portability.ts";
import { readClean } from "./read-clean.ts";
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

/** What an input was found to be. */
interface Finding {
  /** Null for a short code, and if the input isn't a number. */
  readonly number: E164Number | null;
  readonly classification: Classification;
  readonly shortCode?: ShortNumber;
  readonly suggestion?: VerificationResult["suggestion"];
  readonly wordsDropped?: boolean;
}

function notANumber(reason: InvalidReason, region: string | null = null): Finding {
  return {
    number: null,
    classification: { valid: false, possible: false, reason, region, type: "unknown" },
  };
}

/** Builds every result. Only valid numbers have formats and assignment details. */
function describe(
  { number, classification, shortCode, suggestion, wordsDropped }: Finding,
  tables: EngineTables,
): VerificationResult {
  const { valid, possible, reason, region, type } = classification;
  const known = valid ? number : null;
  const assigned = known && { callingCode: known.callingCode, e164: known.e164, region, type };
  const written = known && formats(known, tables.plans);
  const inE164 = number !== null && number.e164.length <= MAX_E164_LENGTH ? number : null;
  const reach = shortCode ? shortCodeDeliverability(shortCode.emergency) : deliverability(number, classification);
  if (wordsDropped) reach.flags.push("trailing_words");
  return {
    valid,
    number: inE164 && inE164.e164,
    local_format: written && written.national,
    international_format: written && written.international,
    rfc3966: written && written.rfc3966,
    country_prefix: number && `+${number.callingCode}`,
    national_number: inE164 && inE164.nationalNumber,
    country_code: region === NO_COUNTRY_REGION ? null : region,
    country_name: countryName(region),
    location: assigned && location(assigned, tables, countryName),
    carrier: assigned && carrier(assigned, tables),
    line_type: LINE_TYPE_OF[type] ?? null,
    number_type: type,
    extension: number && number.extension,
    possible,
    reason,
    suggestion: suggestion ?? null,
    short_code: shortCode ?? null,
    time_zones: assigned ? timeZones(assigned, tables) : [],
    carrier_source: "original_allocation",
    number_portability: number && numberPortability(region),
    deliverability: reach,
    reachability: "not_checked",
    accepted: null,
    rejected_because: null,
  };
}

/** A star and a few digits: a service of the caller's network. */
const STAR_CODE = /^\*\d{2,5}$/;

/** The short code that an input is in a country; null for other input, or without a country. Never throws. */
function dialledShortCode(input: string, country: string | undefined): ShortNumber | null {
  if (country === undefined) return null;
  const dialled = input.trim().replace(/^tel:/i, "");
  // No short code is longer, even with separators.
  if (dialled.length > 20 || hasLeadingPlus(dialled)) return null;
  if (STAR_CODE.test(dialled)) return { cost: "unknown", emergency: false };
  if (!isViable(dialled) || /[^\p{Nd}\p{Zs}().-]/u.test(dialled)) return null;
  return shortNumber(toDigits(dialled), country);
}

function readAs(input: string, country: string | undefined, plans: PlanTable): Finding {
  const clean = readClean(input, plans);
  if (clean !== null) return clean;
  const parsed = parseNumber(input, country, plans);
  if (!parsed.ok) return notANumber(parsed.reason);
  const { number } = parsed;
  return { number: { ...number, e164: formatE164(number) }, classification: classify(number, plans) };
}

/** Drops words after a number ("… Fax") if it's valid without them. Otherwise, they'd count as vanity letters. */
function read(input: string, country: string | undefined, plans: PlanTable): Finding {
  const asWritten = readAs(input, country, plans);
  const withoutWords = withoutTrailingWords(input);
  if (withoutWords === null) return asWritten;
  const alone = readAs(withoutWords, country, plans);
  if (!alone.classification.valid || asWritten.number?.e164 === alone.number?.e164) return asWritten;
  return { ...alone, wordsDropped: true };
}

function find(input: string, country: string | undefined, plans: PlanTable): Finding {
  const clean = readClean(input, plans);
  if (clean?.classification.valid) return clean;
  // The rest takes more than linear time.
  if (input.length > MAX_NUMBER_LENGTH) return notANumber("TOO_LONG");
  const reading = read(input, country, plans);
  const { number, classification } = reading;
  if (!classification.valid) {
    // It isn't a phone number: it has no calling code and works only in its country.
    const shortCode = dialledShortCode(input, country);
    if (shortCode !== null) return { ...notANumber("SHORT_CODE", country), shortCode };
  } else if (number !== null && !mayLackPlus(input, number)) {
    return reading;
  }
  return { ...reading, suggestion: suggest({ input, country, number }, plans) };
}

/**
 * Creates the function that verifies a number against these tables. It does no I/O, keeps no state, and never throws:
 * input that isn't a number returns `valid: false` and a reason.
 *
 * `country` is the country for numbers in national format, uppercase ISO 3166-1 alpha-2.
 */
export function createVerifier(tables: EngineTables): (input: string, country?: string) => VerificationResult {
  return (input, country) => describe(find(input, country, tables.plans), tables);
}

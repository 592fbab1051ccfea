import { MAX_NUMBER_LENGTH } from "../../contract/limits.ts";
import { REGISTERS } from "../../contract/registers.ts";
import type { DeliverabilityFlag, LineType, LineTypeSource, NumberType } from "../../contract/result-values.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import { allocationOf, type Found, findHolding, type Registers } from "./allocation.ts";
import { countryName } from "../../contract/country-names.ts";
import { deliverability, shortCodeDeliverability, withoutAllocation } from "./deliverability.ts";
import { formats } from "./format.ts";
import { type AssignedNumber, carrier, location, type PhoneTables, timeZones } from "./geography.ts";
import { hasLeadingPlus, isViable, toDigits, withoutTrailingWords } from "./normalize.ts";
import { MAX_E164_DIGITS, NO_COUNTRY_REGION } from "./number.ts";
import type { PlanTable } from "./plan-table.ts";
import { numberPortability } from "./portability.ts";
import { readClean } from "./read-clean.ts";
import { notANumber, type NumberRead, readNumber } from "./read-number.ts";
import { interpret } from "./reading.ts";
import { type ShortNumber, shortNumber } from "./short-numbers.ts";
import { hasOverseasCode, mayBeAnother, suggest } from "./suggest.ts";

/** The data for verifying a number. */
export interface EngineTables extends PhoneTables {
  readonly plans: PlanTable;
  readonly registers: Registers;
}

/** Including the plus sign. */
const MAX_E164_LENGTH = 1 + MAX_E164_DIGITS;

/** Only types that determine how the line is connected; anything else would be a guess. */
const LINE_TYPE_OF: Partial<Record<NumberType, LineType>> = { mobile: "mobile", fixed_line: "fixed", voip: "voip" };

/** What an input was found to be. The number is null for a short code too. */
interface Finding extends NumberRead {
  readonly candidates?: readonly string[];
  readonly shortCode?: ShortNumber;
  readonly suggestion?: VerificationResult["suggestion"];
  /** Flags for what was changed to read the number. */
  readonly repairs?: readonly DeliverabilityFlag[];
}

/** A number's line type and where that comes from. The numbering plan comes first: what it says outlives porting. */
export function lineTypeOf(type: NumberType, found: Found | null): [LineType | null, LineTypeSource | null] {
  const planned = LINE_TYPE_OF[type];
  if (planned !== undefined) return [planned, "numbering_plan"];
  const lineType = type === "fixed_line_or_mobile" && found !== null ? found.holding.line_type : null;
  return [lineType, lineType && REGISTERS[found!.country].lineTypes];
}

/** Builds every result. Only valid numbers have formats and assignment details. */
function describe(
  { number, classification, candidates, shortCode, suggestion, repairs }: Finding,
  tables: EngineTables,
  day: string,
): VerificationResult {
  const { valid, possible, reason, region, type } = classification;
  const known = valid ? number : null;
  const assigned: AssignedNumber | null = known && { callingCode: known.callingCode, e164: known.e164, region, type };
  const written = known && formats(known, tables.plans);
  const inE164 = number !== null && number.e164.length <= MAX_E164_LENGTH ? number : null;
  let reach = shortCode ? shortCodeDeliverability(shortCode.emergency) : deliverability(number, classification);
  const listed = assigned && findHolding(assigned, tables.registers);
  // Nobody is given a number for fiction.
  const found = listed !== null && reach.flags.includes("reserved_for_fiction") ? null : listed;
  const allocation = found && allocationOf(found.register, found.holding, day);
  const [line_type, line_type_source] = lineTypeOf(type, found);
  const isFree = allocation?.status === "unassigned";
  if (isFree) reach = withoutAllocation(reach);
  if (repairs) reach.flags.push(...repairs);
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
    carrier: isFree ? null : (found?.holding.carrier ?? (assigned && carrier(assigned, tables))),
    line_type,
    line_type_source,
    number_type: type,
    extension: number && number.extension,
    possible,
    reason,
    suggestion: suggestion ?? null,
    candidates: candidates ? [...candidates] : [],
    short_code: shortCode ?? null,
    time_zones: assigned ? timeZones(assigned, tables) : [],
    carrier_source: "original_allocation",
    allocation,
    number_portability: number && numberPortability(region),
    deliverability: reach,
    reachability: "not_checked",
    accepted: null,
    rejected_because: null,
  };
}

const ANY_DIGIT = /\p{Nd}/u;

/** A star and a few digits: a service of the caller's network. */
const STAR_CODE = /^\*\d{2,5}$/;

/** The short code that an input is in a country; null for other input, or without a country. Never throws. */
function dialedShortCode(input: string, country: string | undefined): ShortNumber | null {
  if (country === undefined) return null;
  const dialed = input.trim().replace(/^tel:/i, "");
  // No short code is longer, even with separators.
  if (dialed.length > 20 || hasLeadingPlus(dialed)) return null;
  if (STAR_CODE.test(dialed)) return { cost: "unknown", emergency: false };
  if (!isViable(dialed) || /[^\p{Nd}\p{Zs}().-]/u.test(dialed)) return null;
  return shortNumber(toDigits(dialed), country);
}

/** Drops words after a number ("… Fax") if it's valid without them. Otherwise, they'd count as vanity letters. */
function read(input: string, country: string | undefined, plans: PlanTable): Finding {
  const asWritten = readNumber(input, country, plans);
  const withoutWords = withoutTrailingWords(input);
  if (withoutWords === null) return asWritten;
  const alone = readNumber(withoutWords, country, plans);
  if (!alone.classification.valid || asWritten.number?.e164 === alone.number?.e164) return asWritten;
  return { ...alone, repairs: ["trailing_words"] };
}

function find(input: string, country: string | undefined, plans: PlanTable): Finding {
  const clean = readClean(input, plans);
  if (clean?.classification.valid && !hasOverseasCode(clean.number)) return clean;
  // The rest takes more than linear time.
  if (input.length > MAX_NUMBER_LENGTH) return notANumber("TOO_LONG");
  if (!ANY_DIGIT.test(input)) return notANumber("NOT_A_NUMBER");
  const { text, rules, reason, candidates, corrected } = interpret(input, country, plans);
  if (reason !== null) {
    const digits = corrected === null ? null : readNumber(corrected, country, plans);
    const meant = digits?.classification.valid ? digits.number : null;
    const suggestion = meant && { number: meant.e164, reason: "LETTER_FOR_DIGIT" as const };
    return { ...notANumber(reason), candidates, suggestion };
  }
  const reading = read(text, country, plans);
  const found = rules.includes("spreadsheet") ? { ...reading, repairs: ["spreadsheet_damage" as const] } : reading;
  const { number, classification } = found;
  if (!classification.valid) {
    // It isn't a phone number: it has no calling code and works only in its country.
    const shortCode = dialedShortCode(text, country);
    if (shortCode !== null) return { ...notANumber("SHORT_CODE", country), shortCode };
  } else if (number !== null && !mayBeAnother(text, number)) {
    return found;
  }
  return { ...found, suggestion: suggest({ input: text, country, number }, plans) };
}

/**
 * Creates the function that verifies a number against these tables. It does no I/O and never throws: other input is
 * invalid, with a reason. `country` is for numbers in national format, uppercase ISO 3166-1 alpha-2. `day` is today in
 * UTC, "2026-11-26": an old register no longer calls numbers unassigned.
 */
export function createVerifier(
  tables: EngineTables,
): (input: string, country: string | undefined, day: string) => VerificationResult {
  return (input, country, day) => describe(find(input, country, tables.plans), tables, day);
}

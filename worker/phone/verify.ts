import { MAX_NUMBER_LENGTH } from "../../contract/limits.ts";
import { REGISTERS } from "../../contract/registers.ts";
import type { DeliverabilityFlag, LineType, LineTypeSource, NumberType } from "../../contract/result-values.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import { allocationOf, type Found, findHolding, type Registers } from "./allocation.ts";
import { countryName } from "../../contract/country-names.ts";
import { deliverability, shortCodeDeliverability, withoutAllocation } from "./deliverability.ts";
import { formats } from "./format.ts";
import { type AssignedNumber, carrier, location, type PhoneTables, timeZones } from "./geography.ts";
import { MAX_E164_DIGITS, NO_COUNTRY_REGION } from "./number.ts";
import type { PlanTable } from "./plan-table.ts";
import { numberPortability } from "./portability.ts";
import { readClean } from "./read-clean.ts";
import { notANumber, type NumberRead, readNumber } from "./read-number.ts";
import { readText } from "./reader/read-text.ts";
import type { ShortNumber } from "./short-numbers.ts";
import { hasOverseasCode, keepsZero, mayBeAnother, suggest } from "./suggest.ts";

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

/** A number's carrier: the brand of who was given its range, and where no register names anyone, Google's. */
export function carrierOf(
  assigned: AssignedNumber,
  found: Found | null,
  tables: Pick<PhoneTables, "carrier">,
): string | null {
  return found === null || found.holding.holder === null ? carrier(assigned, tables) : found.holding.carrier;
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
    carrier: isFree ? null : assigned && carrierOf(assigned, found, tables),
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

function find(input: string, country: string | undefined, plans: PlanTable): Finding {
  const clean = readClean(input, plans);
  if (clean?.classification.valid && !hasOverseasCode(clean.number) && !keepsZero(input, clean.number)) return clean;
  // The rest takes more than linear time.
  if (input.length > MAX_NUMBER_LENGTH) return notANumber("TOO_LONG");
  if (!ANY_DIGIT.test(input)) return notANumber("NOT_A_NUMBER");
  const { rules, found, text, flags, candidates, shortCode, corrected } = readText(input, country, plans);
  const { number, classification } = found;
  const finding = { ...found, candidates, repairs: flags, ...(shortCode && { shortCode }) };
  if (corrected !== null) {
    const digits = readNumber(corrected, country, plans);
    if (!digits.classification.valid) return finding;
    return { ...finding, suggestion: { number: digits.number!.e164, reason: "LETTER_FOR_DIGIT" } };
  }
  const decided = rules.at(-1);
  if (decided !== "plain" && decided !== "joined") return finding;
  if (classification.valid && number !== null && !mayBeAnother(text, number)) return finding;
  return { ...finding, suggestion: suggest({ input: text, country, number }, plans) };
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

import { MAX_NUMBER_LENGTH } from "../../contract/limits.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import { allocationOf, type Found, findHolding, type Registers } from "./allocation.ts";
import { countryName } from "../../contract/country-names.ts";
import { deliverability, shortCodeDeliverability, withoutAllocation } from "./deliverability.ts";
import { formats } from "./format.ts";
import { type AssignedNumber, carrier, location, type PhoneTables, timeZones } from "./geography.ts";
import { lineTypeOf } from "./line-type.ts";
import { MAX_E164_DIGITS, NO_COUNTRY_REGION } from "./number.ts";
import type { PlanTable } from "./plan-table.ts";
import { numberPortability } from "./portability.ts";
import { readClean } from "./read-clean.ts";
import { notANumber } from "./reader/read-number.ts";
import { readText } from "./reader/read-text.ts";
import { NOTHING_ELSE, type Said } from "./reader/reading.ts";
import { hasOverseasCode, keepsZero } from "./reader/suggest.ts";

/** The data for verifying a number. */
export interface EngineTables extends PhoneTables {
  readonly plans: PlanTable;
  readonly registers: Registers;
}

/** Including the plus sign. */
const MAX_E164_LENGTH = 1 + MAX_E164_DIGITS;

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
  { found: { number, classification }, candidates, shortCode, suggestion, flags }: Said,
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
  const [line_type, line_type_source] = lineTypeOf(assigned, found);
  const isFree = allocation?.status === "unassigned";
  if (isFree) reach = withoutAllocation(reach);
  reach.flags.push(...flags);
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
    suggestion,
    candidates: [...candidates],
    short_code: shortCode,
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

function find(input: string, country: string | undefined, plans: PlanTable): Said {
  const clean = readClean(input, plans);
  if (clean?.classification.valid && !hasOverseasCode(clean.number) && !keepsZero(input, clean.number))
    return { ...NOTHING_ELSE, found: clean };
  // The rest takes more than linear time.
  if (input.length > MAX_NUMBER_LENGTH) return { ...NOTHING_ELSE, found: notANumber("TOO_LONG") };
  if (!ANY_DIGIT.test(input)) return { ...NOTHING_ELSE, found: notANumber("NOT_A_NUMBER") };
  return readText(input, country, plans);
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

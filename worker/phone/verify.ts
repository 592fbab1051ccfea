import { MAX_NUMBER_LENGTH } from "../../contract/limits.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import { allocationOf, findHolding, type Listing, type Registers } from "./allocation.ts";
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
import { NO_EXTRAS, type TextRead } from "./reader/reading.ts";
import { hasOverseasCode, keepsZero } from "./reader/suggest.ts";

/** The data for verifying a number. */
export interface EngineTables extends PhoneTables {
  readonly plans: PlanTable;
  readonly registers: Registers;
}

/** Including the plus sign. */
const MAX_E164_LENGTH = 1 + MAX_E164_DIGITS;

/**
 * A number's carrier: the brand of the company that was given its range or, where no register speaks, the name in Google's
 * list. A range that a register gives to nobody has none on any day, even once the register is too old to call it free.
 */
export function carrierOf(
  assigned: AssignedNumber,
  listing: Listing | null,
  tables: Pick<PhoneTables, "carrier">,
): string | null {
  if (listing === null) return carrier(assigned, tables);
  const { country, holding } = listing;
  // A pooled US code is assigned without a word on who has each of its blocks.
  const isSilent = country === "US" && holding.status === "assigned" && holding.holder === null;
  return isSilent ? carrier(assigned, tables) : holding.carrier;
}

/** Builds every result. Only valid numbers have formats and assignment details. */
function describe(
  { found: { number, classification }, candidates, shortCode, suggestion, flags }: TextRead,
  tables: EngineTables,
  day: string,
): VerificationResult {
  const { valid, possible, reason, region, type } = classification;
  const known = valid ? number : null;
  const assigned: AssignedNumber | null = known && { callingCode: known.callingCode, e164: known.e164, region, type };
  const written = known && formats(known, tables.plans);
  const inE164 = number !== null && number.e164.length <= MAX_E164_LENGTH ? number : null;
  let reach = shortCode ? shortCodeDeliverability(shortCode.emergency) : deliverability(number, classification);
  // Nobody is given a number for fiction.
  const isFiction = reach.flags.includes("reserved_for_fiction");
  const listing = isFiction ? null : assigned && findHolding(assigned, tables.registers);
  const allocation = listing && allocationOf(listing.register, listing.holding, day);
  const [line_type, line_type_source] = lineTypeOf(assigned, listing);
  if (allocation?.status === "unassigned") reach = withoutAllocation(reach);
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
    carrier: assigned && carrierOf(assigned, listing, tables),
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

function find(input: string, country: string | undefined, plans: PlanTable): TextRead {
  const clean = readClean(input, plans);
  if (clean?.classification.valid && !hasOverseasCode(clean.number) && !keepsZero(input, clean.number))
    return { ...NO_EXTRAS, found: clean };
  // The rest takes more than linear time.
  if (input.length > MAX_NUMBER_LENGTH) return { ...NO_EXTRAS, found: notANumber("TOO_LONG") };
  if (!ANY_DIGIT.test(input)) return { ...NO_EXTRAS, found: notANumber("NOT_A_NUMBER") };
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

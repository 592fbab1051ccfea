import countryZones from "./data/country-zones.json" with { type: "json" };
import type { NumberType } from "../../contract/result-values.ts";
import { type E164Number, NO_COUNTRY_REGION } from "./number.ts";
import { openPrefixTable, type PrefixTable } from "./prefix-table.ts";

/** A valid number with its region and type. The functions here accept only valid numbers. */
export interface AssignedNumber extends Pick<E164Number, "callingCode" | "e164"> {
  /** ISO 3166-1 alpha-2, or "001" for calling codes without a country, or null. */
  readonly region: string | null;
  readonly type: NumberType;
}

/** Data by prefix of calling code and national number: libphonenumber's, and our own table of time zones. */
export interface PhoneTables {
  readonly carrier: PrefixTable;
  readonly location: PrefixTable;
  /** tzdb names joined with `&`, only for areas of COUNTRIES_WITH_AREAS. */
  readonly timeZones: PrefixTable;
}

/** Mexico, Argentina, Brazil, Indonesia, and China also assign mobile numbers by area (PhoneNumberUtil.GEO_MOBILE_COUNTRIES). */
const GEOGRAPHICAL_MOBILE_CALLING_CODES: ReadonlySet<string> = new Set(["52", "54", "55", "62", "86"]);

/** The digits before a mobile number's area code (PhoneNumberUtil.MOBILE_TOKEN_MAPPINGS). */
const MOBILE_TOKENS: ReadonlyMap<string, string> = new Map([["54", "9"]]);

/** tzdb names by country, for its numbers without an area. */
const ZONES: Readonly<Record<string, readonly string[]>> = countryZones;

/** Countries with areas in the table of time zones: those with several zones, and Turkey, whose +90 392 is Northern Cyprus. */
const COUNTRIES_WITH_AREAS: ReadonlySet<string> = new Set(
  "AR AU BR CA CD CL CN CY DE EC ES FM GL ID KI KZ MH MN MX MY NZ PF PG PS PT RU TR UA US UZ".split(" "),
);

/** Opens the three tables that `npm run data` writes. @throws SyntaxError for other text */
export function openTables(texts: Record<keyof PhoneTables, string>): PhoneTables {
  return {
    carrier: openPrefixTable(texts.carrier),
    location: openPrefixTable(texts.location),
    timeZones: openPrefixTable(texts.timeZones),
  };
}

/**
 * The carrier whose range it is, by Google's list and today's name; null if unknown, or if numbers of its type have none.
 * Equals PhoneNumberToCarrierMapper.getNameForNumber on the same table.
 */
export function carrier({ e164, type }: AssignedNumber, tables: Pick<PhoneTables, "carrier">): string | null {
  if (type !== "mobile" && type !== "fixed_line_or_mobile" && type !== "pager") return null;
  return tables.carrier.lookup(digitsOf(e164));
}

/**
 * The English name of the number's area, otherwise of its country, otherwise null. Equals
 * PhoneNumberOfflineGeocoder.getDescriptionForNumber, except that Google returns no country for a number that is valid in
 * several regions of its calling code, such as toll-free +1 800. For that, pass null as `region`.
 */
export function location(
  assigned: AssignedNumber,
  tables: Pick<PhoneTables, "location">,
  countryName: (region: string) => string | null,
): string | null {
  const { callingCode, region, type } = assigned;
  if (type === "unknown") return null;
  const area = isGeographical(callingCode, type) ? areaOf(assigned, tables.location) : null;
  if (area !== null) return area;
  return region === null || region === NO_COUNTRY_REGION ? null : countryName(region);
}

/**
 * The tzdb names of the time zones the number may be in: those of its area; if it has no area, or the table doesn't know
 * it, all of its country's. Empty for calling codes without a country.
 */
export function timeZones(assigned: AssignedNumber, tables: Pick<PhoneTables, "timeZones">): string[] {
  const { callingCode, region, type } = assigned;
  const ofCountry = region === null || type === "unknown" ? undefined : ZONES[region];
  if (ofCountry === undefined) return [];
  const hasAreas = COUNTRIES_WITH_AREAS.has(region!);
  const ofArea = hasAreas && isGeographical(callingCode, type) ? areaOf(assigned, tables.timeZones) : null;
  // A copy, so callers can't change the next result.
  return ofArea === null ? ofCountry.slice() : ofArea.split("&");
}

function digitsOf(e164: string): string {
  return e164.slice(1);
}

/** Equals PhoneNumberUtil.isNumberGeographical. */
function isGeographical(callingCode: string, type: NumberType): boolean {
  if (type === "mobile") return GEOGRAPHICAL_MOBILE_CALLING_CODES.has(callingCode);
  return type === "fixed_line" || type === "fixed_line_or_mobile";
}

/** Areas are listed by landline area code, so the token is removed from a mobile number. */
function areaOf({ callingCode, e164 }: AssignedNumber, areas: PrefixTable): string | null {
  const digits = digitsOf(e164);
  const token = MOBILE_TOKENS.get(callingCode);
  // Most numbers have none, and a copy of their digits would take a sixth of a result's time.
  if (token === undefined || !digits.startsWith(token, callingCode.length)) return areas.lookup(digits);
  return areas.lookup(callingCode + digits.slice(callingCode.length + token.length));
}

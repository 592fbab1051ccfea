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

/** libphonenumber's data by prefix of calling code and national number. */
export interface PhoneTables {
  readonly carrier: PrefixTable;
  readonly location: PrefixTable;
  /** tzdb names joined with `&`. Omits calling codes whose countries have one zone each. */
  readonly timeZones: PrefixTable;
}

/** Mexico, Argentina, Brazil, Indonesia, and China also assign mobile numbers by area (PhoneNumberUtil.GEO_MOBILE_COUNTRIES). */
const GEOGRAPHICAL_MOBILE_CALLING_CODES: ReadonlySet<string> = new Set(["52", "54", "55", "62", "86"]);

/** The digits before a mobile number's area code (PhoneNumberUtil.MOBILE_TOKEN_MAPPINGS). */
const MOBILE_TOKENS: ReadonlyMap<string, string> = new Map([["54", "9"]]);

/** tzdb names by country, for every region of the numbering plans. */
const ZONES: Readonly<Record<string, readonly string[]>> = countryZones;

/** A cache for countries with several zones, by the country's zones and the table's text. */
const knownZones = new Map<readonly string[], Map<string, readonly string[]>>();

/** Opens the three tables that `npm run data` writes. @throws SyntaxError for other text */
export function openTables(texts: Record<keyof PhoneTables, string>): PhoneTables {
  return {
    carrier: openPrefixTable(texts.carrier),
    location: openPrefixTable(texts.location),
    timeZones: openPrefixTable(texts.timeZones),
  };
}

/**
 * The English name of the carrier the number's range was first allocated to; null if unknown, or if numbers of its type
 * have none. Equals PhoneNumberToCarrierMapper.getNameForNumber.
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
 * The tzdb names of the time zones the number may be in. If the country has several zones, these are the country's zones
 * that Google lists for the number's area, or for its calling code if it has no area; if none match, all of the
 * country's. Empty for calling codes without a country.
 */
export function timeZones(
  { callingCode, e164, region, type }: AssignedNumber,
  tables: Pick<PhoneTables, "timeZones">,
): string[] {
  const ofCountry = region === null || type === "unknown" ? undefined : ZONES[region];
  if (ofCountry === undefined) return [];
  // A copy, so callers can't change the next result.
  if (ofCountry.length === 1) return ofCountry.slice();
  const found = tables.timeZones.lookup(isGeographical(callingCode, type) ? digitsOf(e164) : callingCode);
  return known(ofCountry, found ?? "").slice();
}

function known(ofCountry: readonly string[], found: string): readonly string[] {
  let byText = knownZones.get(ofCountry);
  if (byText === undefined) knownZones.set(ofCountry, (byText = new Map()));
  let zones = byText.get(found);
  if (zones === undefined) {
    const ofArea = found.split("&");
    const both = ofCountry.filter((zone) => ofArea.includes(zone));
    byText.set(found, (zones = both.length > 0 ? both : ofCountry));
  }
  return zones;
}

function digitsOf(e164: string): string {
  return e164.slice(1);
}

/** Equals PhoneNumberUtil.isNumberGeographical. */
export function isGeographical(callingCode: string, type: NumberType): boolean {
  if (type === "mobile") return GEOGRAPHICAL_MOBILE_CALLING_CODES.has(callingCode);
  return type === "fixed_line" || type === "fixed_line_or_mobile";
}

/** Areas are listed by landline area code, so the token is removed from a mobile number. */
function areaOf({ callingCode, e164 }: AssignedNumber, areas: PrefixTable): string | null {
  const digits = digitsOf(e164);
  const beforeArea = callingCode + (MOBILE_TOKENS.get(callingCode) ?? "");
  return areas.lookup(digits.startsWith(beforeArea) ? callingCode + digits.slice(beforeArea.length) : digits);
}

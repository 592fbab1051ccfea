import countryZones from "./data/country-zones.json" with { type: "json" };
import type { NumberType } from "../../contract/result-values.ts";
import { NO_COUNTRY_REGION } from "./number.ts";
import { openPrefixTable, type PrefixTable } from "./prefix-table.ts";

/** A valid number and where the numbering plan puts it. The functions here must not be asked about invalid numbers. */
export interface AssignedNumber {
  readonly callingCode: string;
  /** The calling code and the national number, which are looked up. */
  readonly digits: string;
  /** ISO 3166-1 alpha-2, or "001" for calling codes of no country, or null. */
  readonly region: string | null;
  readonly type: NumberType;
}

/** What libphonenumber knows by prefix of calling code and national number. */
export interface PhoneTables {
  readonly carrier: PrefixTable;
  readonly location: PrefixTable;
  /** Names of tzdb, joined with &; calling codes whose countries have one zone each are left out. */
  readonly timeZones: PrefixTable;
}

/** Mexico, Argentina, Brazil, Indonesia and China assign mobile numbers by area too (PhoneNumberUtil.GEO_MOBILE_COUNTRIES). */
const GEOGRAPHICAL_MOBILE_CALLING_CODES: ReadonlySet<string> = new Set(["52", "54", "55", "62", "86"]);

/** Digits that mobile numbers have before their area code (PhoneNumberUtil.MOBILE_TOKEN_MAPPINGS). */
const MOBILE_TOKENS: ReadonlyMap<string, string> = new Map([["54", "9"]]);

/** By country, the names of tzdb; every region of the numbering plans is there. */
const ZONES: Readonly<Record<string, readonly string[]>> = countryZones;

/** What countries with several zones were asked for already: by all of the country's, and by the text in the table. */
const knownZones = new Map<readonly string[], Map<string, readonly string[]>>();

/** Opens the three tables that `npm run data` writes. Throws an Error when a buffer is not such a table. */
export function openTables(buffers: Record<keyof PhoneTables, ArrayBuffer>): PhoneTables {
  return {
    carrier: openPrefixTable(buffers.carrier),
    location: openPrefixTable(buffers.location),
    timeZones: openPrefixTable(buffers.timeZones),
  };
}

/**
 * The English name of the carrier that the number's range was first allocated to, null when unknown or when numbers of its
 * type have none. As PhoneNumberToCarrierMapper.getNameForNumber.
 */
export function carrier({ digits, type }: AssignedNumber, tables: Pick<PhoneTables, "carrier">): string | null {
  if (type !== "mobile" && type !== "fixed_line_or_mobile" && type !== "pager") return null;
  return tables.carrier.lookup(digits);
}

/**
 * The English name of the number's area, else of its country, else null. As PhoneNumberOfflineGeocoder.getDescriptionForNumber,
 * except that Google names no country when the number is valid in several regions of its calling code, as toll-free +1 800
 * is; for that, pass `region` null.
 */
export function location(
  assigned: AssignedNumber,
  tables: Pick<PhoneTables, "location">,
  countryName: (region: string) => string | null,
): string | null {
  const { callingCode, region, type } = assigned;
  if (type === "unknown") return null;
  const area = isGeographical(callingCode, type) ? tables.location.lookup(withoutMobileToken(assigned)) : null;
  if (area !== null) return area;
  return region === null || region === NO_COUNTRY_REGION ? null : countryName(region);
}

/**
 * The time zones that the number may be in, by their names in tzdb. A country with one zone has that zone. Elsewhere they are those
 * that Google has for the number's area (for its calling code where it has no area) and that are the country's, or all of the
 * country's when there are none. Empty for calling codes of no country.
 */
export function timeZones(
  { callingCode, digits, region, type }: AssignedNumber,
  tables: Pick<PhoneTables, "timeZones">,
): string[] {
  const ofCountry = region === null || type === "unknown" ? undefined : ZONES[region];
  if (ofCountry === undefined) return [];
  // Copies, so that nobody can change the next result.
  if (ofCountry.length === 1) return ofCountry.slice();
  const found = tables.timeZones.lookup(isGeographical(callingCode, type) ? digits : callingCode);
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

/** As PhoneNumberUtil.isNumberGeographical. */
export function isGeographical(callingCode: string, type: NumberType): boolean {
  if (type === "mobile") return GEOGRAPHICAL_MOBILE_CALLING_CODES.has(callingCode);
  return type === "fixed_line" || type === "fixed_line_or_mobile";
}

/** Area codes are listed as fixed lines use them, so a mobile number finds its area only without the token. */
function withoutMobileToken({ callingCode, digits }: AssignedNumber): string {
  const token = MOBILE_TOKENS.get(callingCode);
  if (token === undefined || !digits.startsWith(token, callingCode.length)) return digits;
  return callingCode + digits.slice(callingCode.length + token.length);
}

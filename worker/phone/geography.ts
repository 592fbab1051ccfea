import type { NumberType } from "../../contract/verification.ts";
import { NO_COUNTRY_REGION, type PhoneNumber } from "./number.ts";
import { openPrefixTable, type PrefixTable } from "./prefix-table.ts";

/** A valid number and where the numbering plan puts it. The functions here must not be asked about invalid numbers. */
export interface AssignedNumber {
  readonly number: PhoneNumber;
  /** ISO 3166-1 alpha-2, or "001" for calling codes of no country, or null. */
  readonly region: string | null;
  readonly type: NumberType;
}

/** What libphonenumber knows by prefix of calling code and national number. */
export interface PhoneTables {
  readonly carrier: PrefixTable;
  readonly location: PrefixTable;
  /** IANA names, joined with &. */
  readonly timeZones: PrefixTable;
}

const UNKNOWN_TIME_ZONE = "Etc/Unknown";

/** Mexico, Argentina, Brazil, Indonesia and China assign mobile numbers by area too (PhoneNumberUtil.GEO_MOBILE_COUNTRIES). */
const GEOGRAPHICAL_MOBILE_CALLING_CODES: ReadonlySet<string> = new Set(["52", "54", "55", "62", "86"]);

/** Digits that mobile numbers have before their area code (PhoneNumberUtil.MOBILE_TOKEN_MAPPINGS). */
const MOBILE_TOKENS: ReadonlyMap<string, string> = new Map([["54", "9"]]);

/** The lists that were asked for already; there are no more than the table has texts. */
const zoneNames = new Map<string, readonly string[]>();

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
export function carrier({ number, type }: AssignedNumber, tables: Pick<PhoneTables, "carrier">): string | null {
  if (type !== "mobile" && type !== "fixed_line_or_mobile" && type !== "pager") return null;
  return tables.carrier.lookup(number.callingCode + number.nationalNumber);
}

/**
 * The English name of the number's area, else of its country, else null. As PhoneNumberOfflineGeocoder.getDescriptionForNumber,
 * except that Google names no country when the number is valid in several regions of its calling code, as toll-free +1 800
 * is; for that, pass `region` null.
 */
export function location(
  { number, region, type }: AssignedNumber,
  tables: Pick<PhoneTables, "location">,
  countryName: (region: string) => string | null,
): string | null {
  if (type === "unknown") return null;
  const area = isGeographical(number, type) ? tables.location.lookup(withoutMobileToken(number)) : null;
  if (area !== null) return area;
  return region === null || region === NO_COUNTRY_REGION ? null : countryName(region);
}

/**
 * IANA names of the time zones that the number may be in: of its area when it has one, else of its whole calling code. Empty
 * when unknown. As PhoneNumberToTimeZonesMapper.getTimeZonesForNumber, which looks up mobile numbers with their mobile token.
 */
export function timeZones({ number, type }: AssignedNumber, tables: Pick<PhoneTables, "timeZones">): string[] {
  if (type === "unknown") return [];
  const digits = isGeographical(number, type) ? number.callingCode + number.nationalNumber : number.callingCode;
  const zones = tables.timeZones.lookup(digits);
  if (zones === null || zones === UNKNOWN_TIME_ZONE) return [];
  let names = zoneNames.get(zones);
  if (names === undefined) zoneNames.set(zones, (names = zones.split("&")));
  // A copy, so that nobody can change the next answer.
  return names.slice();
}

/** As PhoneNumberUtil.isNumberGeographical. */
function isGeographical({ callingCode }: PhoneNumber, type: NumberType): boolean {
  if (type === "mobile") return GEOGRAPHICAL_MOBILE_CALLING_CODES.has(callingCode);
  return type === "fixed_line" || type === "fixed_line_or_mobile";
}

/** Area codes are listed as fixed lines use them, so a mobile number finds its area only without the token. */
function withoutMobileToken({ callingCode, nationalNumber }: PhoneNumber): string {
  const token = MOBILE_TOKENS.get(callingCode);
  if (token === undefined || !nationalNumber.startsWith(token)) return callingCode + nationalNumber;
  return callingCode + nationalNumber.slice(token.length);
}

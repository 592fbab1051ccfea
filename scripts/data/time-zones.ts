import type { Prefixes } from "./encode.ts";

/** Names that tzdb has changed but ICU, following CLDR, has kept. */
const RENAMED: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/**
 * Regions in libphonenumber without a tzdb entry get the zone of the island or country they used to belong to.
 */
const OUTSIDE_TZDB: Readonly<Record<string, readonly string[]>> = {
  AC: ["Atlantic/St_Helena"],
  TA: ["Atlantic/St_Helena"],
  XK: ["Europe/Belgrade"],
};

/** tzdb's country table (zone.tab), from the pinned Node, with its source. */
export const TZDB = { release: process.versions["tz"]!, source: `tzdb, in Node ${process.versions.node}` } as const;

/** tzdb's zone names by region. Throws for a region without any. */
export function zonesByCountry(regions: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(
    regions.map((region) => {
      // Missing from the types so far.
      const locale = new Intl.Locale(`und-${region}`) as Intl.Locale & { getTimeZones(): string[] | undefined };
      const zones = OUTSIDE_TZDB[region] ?? locale.getTimeZones()?.map(tzdbName) ?? [];
      if (zones.length === 0) throw new Error(`No time zones for ${region}`);
      return [region, zones.toSorted()];
    }),
  );
}

/**
 * Google's zones by prefix, with tzdb's names, only for calling codes of countries with several zones; the table by
 * country covers the others.
 */
export function zonesByPrefix(google: Prefixes, callingCodes: readonly string[]): Prefixes {
  const prefixes = new Map<string, string>();
  for (const [prefix, zones] of google) {
    if (!callingCodes.some((callingCode) => prefix.startsWith(callingCode))) continue;
    prefixes.set(prefix, [...new Set(zones.split("&").map(tzdbName))].toSorted().join("&"));
  }
  return prefixes;
}

/** tzdb's names of zones, by any of their names. */
const knownNames = new Map<string, string>();

/** tzdb's name for a zone, given any of its names. @throws RangeError for an unknown one */
export function tzdbName(zone: string): string {
  let name = knownNames.get(zone);
  if (name === undefined) {
    const canonical = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
    name = RENAMED[canonical] ?? canonical;
    knownNames.set(zone, name);
  }
  return name;
}

import type { Prefixes } from "./encode.ts";

/** Names that tzdb has changed and ICU, which names zones as CLDR does, has kept. */
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

/** Regions that libphonenumber has and tzdb does not: their zone is that of the island or country that they were counted with. */
const OUTSIDE_TZDB: Readonly<Record<string, readonly string[]>> = {
  AC: ["Atlantic/St_Helena"],
  TA: ["Atlantic/St_Helena"],
  XK: ["Europe/Belgrade"],
};

/** The country table of tzdb (zone.tab), as the pinned Node carries it, with where it is from. */
export const TZDB = { release: process.versions["tz"]!, source: `tzdb, in Node ${process.versions.node}` } as const;

/** tzdb's names of the zones of each region. Throws for a region without any. */
export function zonesByCountry(regions: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(
    regions.map((region) => {
      // Typed without it as yet.
      const locale = new Intl.Locale(`und-${region}`) as Intl.Locale & { getTimeZones(): string[] | undefined };
      const zones = OUTSIDE_TZDB[region] ?? locale.getTimeZones()?.map(tzdbName) ?? [];
      if (zones.length === 0) throw new Error(`No time zones for ${region}`);
      return [region, zones.toSorted()];
    }),
  );
}

/**
 * Google's zones by prefix, with tzdb's names and only where a table by country does not decide alone: under calling codes that a
 * country with several zones has.
 */
export function zonesByPrefix(google: Prefixes, callingCodes: readonly string[]): Prefixes {
  const prefixes = new Map<string, string>();
  for (const [prefix, zones] of google) {
    if (!callingCodes.some((callingCode) => prefix.startsWith(callingCode))) continue;
    prefixes.set(prefix, [...new Set(zones.split("&").map(tzdbName))].toSorted().join("&"));
  }
  return prefixes;
}

/** Asking Intl takes a while. */
const knownNames = new Map<string, string>();

/** What tzdb calls a zone, whichever of its names is given. Throws a RangeError for none. */
export function tzdbName(zone: string): string {
  let name = knownNames.get(zone);
  if (name === undefined) {
    const canonical = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
    name = RENAMED[canonical] ?? canonical;
    knownNames.set(zone, name);
  }
  return name;
}

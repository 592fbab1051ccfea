import { readZoneRules } from "./zone-rules.ts";

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

/** The zones of numbers without an area, by region: ours, else all of tzdb's. @throws Error for a region without any */
export function zonesByCountry(regions: readonly string[]): Record<string, readonly string[]> {
  const ours = new Map([...readZoneRules().values()].flatMap(({ byCountry }) => [...byCountry]));
  return Object.fromEntries(regions.map((region) => [region, (ours.get(region) ?? zonesOfRegion(region)).toSorted()]));
}

/** tzdb's zone names for a region. @throws Error for a region without any */
export function zonesOfRegion(region: string): readonly string[] {
  // Missing from the types so far.
  const locale = new Intl.Locale(`und-${region}`) as Intl.Locale & { getTimeZones(): string[] | undefined };
  const zones = OUTSIDE_TZDB[region] ?? locale.getTimeZones()?.map(tzdbName) ?? [];
  if (zones.length === 0) throw new Error(`No time zones for ${region}`);
  return zones;
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

import manifest from "./data-manifest.json" with { type: "json" };
import { formatUtcDay } from "./format.ts";
import { hasEnded, REGISTER_COUNTRIES, REGISTERS, registerFile, type RegisterCountry } from "./registers.ts";

/** The data tables by their names in the health response, with the files that `npm run data` compiles. */
const TABLES = {
  numbering_plans: "plans.bin",
  carriers: "carrier.jsonl",
  locations: "location.jsonl",
  time_zones: "time-zones.jsonl",
  country_time_zones: "country-zones.json",
  number_portability: "portability.json",
  short_numbers: "short-numbers.json",
} as const;

export type DataTable = keyof typeof TABLES;

/** What each table has, for a list of them. */
export const DATA_NAMES: Readonly<Record<DataTable, string>> = {
  numbering_plans: "Numbering plans",
  carriers: "Carriers",
  locations: "Areas",
  time_zones: "Time zones of areas",
  country_time_zones: "Time zones of countries",
  number_portability: "Number portability",
  short_numbers: "Short numbers",
};

export interface DataRelease {
  /** "libphonenumber-js 1.13.16" */
  readonly source: string;
  /** A libphonenumber release, "9.0.43", or a tzdb release, "2026c". */
  readonly release: string;
  /** The release date: "2026-11-10"; null if the source doesn't give one. */
  readonly date: string | null;
}

/** "libphonenumber 9.0.43 (Nov 10, 2026)", "tzdb 2026c" */
export function dataReleaseName({ source, release, date }: DataRelease): string {
  const name = `${source.startsWith("tzdb") ? "tzdb" : "libphonenumber"} ${release}`;
  return date === null ? name : `${name} (${formatUtcDay(date)})`;
}

export interface RegisterRelease {
  /** The publisher and the document. */
  readonly source: string;
  /** "2026-07-06" */
  readonly date: string;
  /** The last day on which numbers are called unassigned. */
  readonly unassigned_until: string;
}

/** A register's entry in a manifest. */
interface RegisterEntry {
  readonly date: string;
  readonly unassigned_until: string;
}

/** Each country's register, with its dates from a manifest; null if that leaves it out. */
export function registerReleases(
  entries: Readonly<Record<string, object>>,
): Readonly<Record<RegisterCountry, RegisterRelease | null>> {
  const releases = REGISTER_COUNTRIES.map((country) => {
    const entry = entries[registerFile(country)] as RegisterEntry | undefined;
    if (entry === undefined) return [country, null];
    const { date, unassigned_until } = entry;
    return [country, { source: REGISTERS[country].source, date, unassigned_until }];
  });
  return Object.fromEntries(releases) as Record<RegisterCountry, RegisterRelease | null>;
}

/** Each country's register in this build. */
export const REGISTER_RELEASES = registerReleases(manifest);

/**
 * The countries whose register is past its last day for calling numbers unassigned.
 * @param today in UTC, "2026-11-26"
 */
export function endedRegisters(releases: typeof REGISTER_RELEASES, today: string): RegisterCountry[] {
  return REGISTER_COUNTRIES.filter((country) => {
    const release = releases[country];
    return release !== null && hasEnded(release, today);
  });
}

/**
 * A register's date and what it still says, in sentences.
 * @param today in UTC, "2026-11-26"
 */
export function registerReleaseText(release: RegisterRelease, today: string): string {
  const { date, unassigned_until } = release;
  const until = formatUtcDay(unassigned_until);
  return hasEnded(release, today)
    ? `${formatUtcDay(date)}. Holders only: after ${until}, it’s too old to say that a range is unassigned.`
    : `${formatUtcDay(date)}. Says which ranges are unassigned until ${until}.`;
}

/** What each table is compiled from. */
export const DATA_RELEASES = Object.fromEntries(
  Object.entries(TABLES).map(([table, file]) => {
    const { source, release, date } = manifest[file];
    return [table, { source, release, date }];
  }),
) as Readonly<Record<DataTable, DataRelease>>;

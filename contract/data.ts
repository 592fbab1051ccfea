import manifest from "./data-manifest.json" with { type: "json" };
import { formatUtcDay } from "./format.ts";

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

/** What each table is compiled from. */
export const DATA_RELEASES = Object.fromEntries(
  Object.entries(TABLES).map(([table, file]) => {
    const { source, release, date } = manifest[file];
    return [table, { source, release, date }];
  }),
) as Readonly<Record<DataTable, DataRelease>>;

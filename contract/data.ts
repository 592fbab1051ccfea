import manifest from "./data-manifest.json" with { type: "json" };

/** The tables behind a result, by their names in health, with the files that `npm run data` compiles them into. */
const TABLES = {
  numbering_plans: "plans.bin",
  carriers: "carrier.bin",
  locations: "location.bin",
  time_zones: "time-zones.bin",
  number_portability: "portability.json",
  short_numbers: "short-numbers.json",
} as const;

export type DataTable = keyof typeof TABLES;

export interface DataRelease {
  /** Of libphonenumber: "9.0.43". */
  readonly release: string;
  /** The day of the release: "2026-11-10". */
  readonly date: string;
}

/** "9.0.43 of Nov 10, 2026" */
export function dataReleaseName({ release, date }: DataRelease): string {
  return `${release} of ${shortDate(date)}`;
}

/** "Nov 10, 2026", of "2026-11-10". */
export function shortDate(date: string): string {
  return DAY.format(new Date(date));
}

const DAY = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

/** The libphonenumber release that each table is compiled from. */
export const DATA_RELEASES = Object.fromEntries(
  Object.entries(TABLES).map(([table, file]) => [
    table,
    { release: manifest[file].release, date: manifest[file].date },
  ]),
) as Readonly<Record<DataTable, DataRelease>>;

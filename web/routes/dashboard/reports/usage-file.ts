import type { KeyMode } from "../../../../contract/limits.ts";

/** The name of a downloaded report, by the days that are in it: `checkline-usage-live-2026-10-04-to-2026-11-02.csv`. */
export function usageFileName(csv: string, mode: KeyMode | undefined): string {
  const dates = [...csv.matchAll(/^(\d{4}-\d{2}-\d{2}),/gm)].map(([, date]) => date);
  const parts = ["checkline-usage", ...(mode === undefined ? [] : [mode])];
  if (dates.length > 0) parts.push(`${dates[0]}-to-${dates.at(-1)}`);
  return `${parts.join("-")}.csv`;
}

import type { Change } from "./changes.ts";

/** The share of a table's ranges or entries, or of each country's numbers on average, that may be lost or altered. */
const MOST_LOST = 0.02;
const MOST_ALTERED = 0.15;
/** The share of a country's numbers that may be lost. */
const MOST_LOST_OF_A_COUNTRY = 0.5;

/** Tables whose changes count numbers. Countries vary so much in size that only shares compare. */
const OF_NUMBERS: ReadonlySet<string> = new Set(["plans.bin", "short-numbers.json"]);

/** Losses and alterations of a table beyond the limits, for people; empty if within them. */
export function rejectedLosses(table: string, changes: readonly Change[]): string[] {
  const had = changes.filter(({ before }) => before > 0);
  const share = (of: "lost" | "altered") => {
    if (had.length === 0) return 0;
    if (OF_NUMBERS.has(table)) return sum(had.map((change) => change[of] / change.before)) / had.length;
    return sum(had.map((change) => change[of])) / sum(had.map(({ before }) => before));
  };
  const rejected: string[] = [];
  for (const [of, most] of [
    ["lost", MOST_LOST],
    ["altered", MOST_ALTERED],
  ] as const) {
    if (share(of) > most) rejected.push(`${table}: ${percent(share(of))} ${of}, at most ${percent(most)} may be`);
  }
  if (!OF_NUMBERS.has(table)) return rejected;
  for (const { place, lost, before } of had) {
    if (lost > MOST_LOST_OF_A_COUNTRY * before) {
      const most = percent(MOST_LOST_OF_A_COUNTRY);
      rejected.push(`${table}: ${percent(lost / before)} of the numbers of ${place} lost, at most ${most} may be`);
    }
  }
  return rejected;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}

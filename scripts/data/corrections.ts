import type { NumberType } from "../../contract/result-values.ts";
import { atStart } from "../../worker/phone/plan-table.ts";
import type { Plan } from "./plan-metadata.ts";
import type { Prefixes } from "./encode.ts";

/**
 * Errors in Google's data, with sources; carriers are in carriers.tsv. Listed in worker/phone/README.md. A text correction
 * applies only while Google still has the corrected text; `npm run data` reports obsolete ones.
 */

interface TextCorrection {
  /** Calling code and first national digits. */
  readonly prefixes: readonly string[];
  /** Null if Google has no entry for the prefix. */
  readonly google: string | null;
  readonly ours: string;
  readonly source: string;
}

/** Of a plan's numbers with these first digits: their country, or their type. */
interface PlanCorrection<T> {
  readonly callingCode: string;
  readonly leadingDigits: string;
  /** A national number it applies to. */
  readonly example: string;
  readonly google: T;
  readonly ours: T;
  readonly source: string;
}

export const TEXT_CORRECTIONS: readonly TextCorrection[] = [
  {
    prefixes: ["1257"],
    google: "British Colombia",
    ours: "British Columbia",
    source: "A misspelling. Canadian Numbering Administrator: area code 257 serves British Columbia",
  },
  {
    prefixes: ["1208231"],
    google: null,
    ours: "Setters, ID",
    source: "NANPA, July 6, 2026: rate center Setters. Google has one entry for ten exchanges",
  },
  {
    prefixes: ["1208464"],
    google: null,
    ours: "Pierce, ID",
    source: "NANPA, July 6, 2026: rate center Pierce. Google has one entry for ten exchanges",
  },
  {
    prefixes: ["1812420"],
    google: null,
    ours: "Brazil, IN",
    source: "NANPA, July 6, 2026: rate center Brazil. Google has one entry for ten exchanges",
  },
  {
    prefixes: ["1850459"],
    google: null,
    ours: "Tallahassee, FL",
    source: "NANPA, July 6, 2026: rate center Tallahassee. Google has one entry for ten exchanges",
  },
  {
    prefixes: ["1250865"],
    google: null,
    ours: "Elkford, BC",
    source:
      "Canadian Numbering Administrator, September 12, 2025: exchange area Elkford. Google has one entry for ten exchanges",
  },
  {
    prefixes: ["5255"],
    google: "Mexico City, FD",
    ours: "Mexico City",
    source:
      "The Federal District has been Mexico City since the constitutional reform of January 29, 2016 (Diario Oficial)",
  },
  {
    prefixes: ["52427"],
    google: "Mexico/Quintana Roo",
    ours: "Mexico/Queretaro",
    source: "IFT, national numbering plan: 427 is San Juan del Río, Querétaro",
  },
  {
    prefixes: ["52987"],
    google: "Cozumel, QRO",
    ours: "Cozumel, QROO",
    source: "IFT, national numbering plan: 987 is Cozumel, Quintana Roo; QRO is Querétaro",
  },
  {
    prefixes: ["52663", "52664"],
    google: null,
    ours: "Tijuana, BCN",
    source: "IFT, national numbering plan: 663 and 664 are Tijuana, Baja California",
  },
  {
    prefixes: ["772725"],
    google: "Otegen Batyra",
    ours: "Almaty",
    source: "Numbering plan of Kazakhstan: 727 2 and 3 are Almaty; the village's own code is 727 52",
  },
  {
    prefixes: ["772752"],
    google: "Otegen Batyra",
    ours: "Otegen Batyr",
    source: "A genitive left from the Russian name. Kazakhstan's register of places: Otegen Batyr, Almaty Region",
  },
];

export const COUNTRY_CORRECTIONS: readonly PlanCorrection<string>[] = [
  {
    callingCode: "39",
    leadingDigits: "0549",
    example: "0549882914",
    google: "IT",
    ours: "SM",
    source: "Italy's numbering plan (AGCOM): district 0549 is the Republic of San Marino",
  },
];

export const TYPE_CORRECTIONS: readonly PlanCorrection<NumberType>[] = [
  {
    callingCode: "54",
    leadingDigits: "[1-3]",
    example: "1123456789",
    google: "fixed_line",
    ours: "fixed_line_or_mobile",
    source:
      "ENACOM, Numeración Geográfica, May 2026: area codes have blocks of both, most of them mobile. Only callers from abroad dial a 9 before a mobile's",
  },
];

/** The type corrections of a calling code. */
export function typeCorrections(callingCode: string): readonly PlanCorrection<NumberType>[] {
  return TYPE_CORRECTIONS.filter((correction) => correction.callingCode === callingCode);
}

/** Google's areas with the corrections that still apply. */
export function correctedAreas(areas: Prefixes): Prefixes {
  const prefixes = new Map(areas);
  for (const { prefix, ours, isOutdated } of statesIn(areas)) if (!isOutdated) prefixes.set(prefix, ours);
  return prefixes;
}

/** Obsolete corrections, for people: Google's data has changed since they were written. */
export function outdatedCorrections(areas: Prefixes): string[] {
  return statesIn(areas)
    .filter(({ isOutdated }) => isOutdated)
    .map(({ prefix, google, now }) => `location ${prefix}: ${JSON.stringify(google)} is now ${JSON.stringify(now)}`);
}

/** The corrections by prefix, with Google's current text. */
function statesIn(areas: Prefixes) {
  return TEXT_CORRECTIONS.flatMap(({ prefixes, google, ours }) =>
    prefixes.map((prefix) => {
      const now = areas.get(prefix) ?? null;
      return { prefix, google, ours, now, isOutdated: now !== google };
    }),
  );
}

/** Plans of countries that Google assigns to the main region of a calling code, tried before Google's. */
export function addedPlans(callingCode: string, plans: readonly Plan[]): readonly Plan[] {
  return COUNTRY_CORRECTIONS.filter((correction) => correction.callingCode === callingCode).map(
    ({ leadingDigits, google, ours }) => {
      const plan = plans.find(({ region }) => region === google)!;
      return { ...plan, region: ours, leadingDigits: atStart(leadingDigits) };
    },
  );
}

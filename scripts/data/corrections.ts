import { atStart } from "../../worker/phone/plan-table.ts";
import type { Plan } from "./plan-metadata.ts";
import type { Prefixes } from "./encode.ts";
import type { Resources } from "./resources.ts";

/** Where Google's data is wrong, and who says so. docs/engine.md lists these; data.test.ts says when Google has caught up. */

interface TextCorrection {
  readonly table: "carrier" | "location" | "timeZones";
  /** Calling code and first national digits. */
  readonly prefixes: readonly string[];
  /** Null where Google has no entry for the prefix. */
  readonly google: string | null;
  readonly ours: string;
  readonly source: string;
}

interface CountryCorrection {
  readonly callingCode: string;
  readonly leadingDigits: string;
  /** A national number that it is for. */
  readonly example: string;
  readonly google: string;
  readonly ours: string;
  readonly source: string;
}

export const TEXT_CORRECTIONS: readonly TextCorrection[] = [
  {
    table: "location",
    prefixes: ["1257"],
    google: "British Colombia",
    ours: "British Columbia",
    source: "A misspelling. Canadian Numbering Administrator: area code 257 serves British Columbia",
  },
  {
    table: "location",
    prefixes: ["5255"],
    google: "Mexico City, FD",
    ours: "Mexico City",
    source:
      "The Federal District has been Mexico City since the constitutional reform of January 29, 2016 (Diario Oficial)",
  },
  {
    table: "location",
    prefixes: ["772725"],
    google: "Otegen Batyra",
    ours: "Almaty",
    source: "Numbering plan of Kazakhstan: 727 2 and 3 are Almaty; the village's own code is 727 52",
  },
  {
    table: "location",
    prefixes: ["772752"],
    google: "Otegen Batyra",
    ours: "Otegen Batyr",
    source: "A genitive left from the Russian name. Kazakhstan's register of places: Otegen Batyr, Almaty Region",
  },
  {
    table: "timeZones",
    prefixes: ["60"],
    google: "Asia/Kuching",
    ours: "Asia/Kuala_Lumpur&Asia/Kuching",
    source: "tzdb, zone.tab: MY has Asia/Kuala_Lumpur (peninsula) and Asia/Kuching (Sabah, Sarawak)",
  },
  {
    table: "timeZones",
    prefixes: ["603", "604", "605", "606", "607", "609"],
    google: null,
    ours: "Asia/Kuala_Lumpur",
    source: "MCMC numbering plan: 03 to 07 and 09 are area codes of the peninsula",
  },
];

export const COUNTRY_CORRECTIONS: readonly CountryCorrection[] = [
  {
    callingCode: "39",
    leadingDigits: "0549",
    example: "0549882914",
    google: "IT",
    ours: "SM",
    source: "Italy's numbering plan (AGCOM): district 0549 is the Republic of San Marino",
  },
];

/** A table of Google's with the corrections. */
export function corrected(table: TextCorrection["table"], resources: Resources): Prefixes {
  const prefixes = new Map(resources[table]);
  for (const correction of TEXT_CORRECTIONS) {
    if (correction.table === table) for (const prefix of correction.prefixes) prefixes.set(prefix, correction.ours);
  }
  return prefixes;
}

/** The corrections that change nothing, or something else than they were written for: upstream has changed. */
export function outdatedCorrections(resources: Resources): string[] {
  return TEXT_CORRECTIONS.flatMap(({ table, prefixes, google }) =>
    prefixes
      .filter((prefix) => (resources[table].get(prefix) ?? null) !== google)
      .map(
        (prefix) =>
          `${table} ${prefix}: ${JSON.stringify(google)} is now ${JSON.stringify(resources[table].get(prefix))}`,
      ),
  );
}

/** Plans of countries that Google leaves to the main region of a calling code, to be asked before Google's. */
export function addedPlans(callingCode: string, plans: readonly Plan[]): readonly Plan[] {
  return COUNTRY_CORRECTIONS.filter((correction) => correction.callingCode === callingCode).map(
    ({ leadingDigits, google, ours }) => {
      const plan = plans.find(({ region }) => region === google)!;
      return { ...plan, region: ours, leadingDigits: atStart(leadingDigits) };
    },
  );
}

/** The country of a number that Google puts into a region, or into none because no range of one fits. */
export function correctedCountry(callingCode: string, nationalNumber: string, region: string | null): string | null {
  const correction = COUNTRY_CORRECTIONS.find(
    ({ callingCode: code, leadingDigits, google }) =>
      code === callingCode && (region === google || region === null) && nationalNumber.startsWith(leadingDigits),
  );
  return correction?.ours ?? region;
}

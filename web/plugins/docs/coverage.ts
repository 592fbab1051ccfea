import { formatUtcDay } from "../../../contract/format.ts";
import { hasEnded } from "../../../contract/registers.ts";
import coverage from "../../public/coverage.json" with { type: "json" };

/** A country in the table of what is known. */
export interface CoverageRow {
  readonly code: string;
  readonly name: string;
  /** The calling code with its plus sign. */
  readonly prefix: string;
  /** The calling code, and the register's dates. */
  readonly about: string;
  /** A text for each of COVERAGE_COLUMNS. */
  readonly shares: readonly string[];
}

export const COVERAGE_COLUMNS = ["Carrier", "Line type", "Place", "Time zone"];

type Register = NonNullable<(typeof coverage)[number]["register"]>;

function registerText({ as_of, unassigned_until }: Register, today: string): string {
  const verb = hasEnded({ unassigned_until }, today) ? "ended" : "until";
  return `register of ${formatUtcDay(as_of)}, ${verb} ${formatUtcDay(unassigned_until)}`;
}

/** All countries by name, with the registers that have ended on the day of the build. */
export function coverageRows(): CoverageRow[] {
  const today = new Date().toISOString().slice(0, 10);
  return coverage
    .map(({ country_code: code, country_name: name, country_prefix: prefix, shares, register }) => ({
      code,
      name,
      prefix,
      about: register === null ? prefix : `${prefix}, ${registerText(register, today)}`,
      shares: [shares.carrier, shares.line_type, shares.location, shares.time_zone].map((share) =>
        share === null ? "–" : `${Math.round(share * 100)}%`,
      ),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

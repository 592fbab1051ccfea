import type { InvalidReason } from "../../../../contract/verification.ts";
import { countryName } from "../../../lib/format.ts";
import type { NumberList } from "./read-list.ts";
import type { Verdict } from "./run.ts";

/** Why a number is not valid, in a few words. */
export const REASON_TEXT: Record<InvalidReason, string> = {
  NOT_A_NUMBER: "No phone number in it",
  MISSING_COUNTRY_CODE: "No calling code and no country",
  INVALID_COUNTRY_CODE: "No such calling code",
  TOO_SHORT: "Too short",
  TOO_LONG: "Too long",
  INVALID_LENGTH: "No number there has this length",
  LOCAL_ONLY: "Works inside its area only",
  UNASSIGNED_RANGE: "No such range is in use",
  SHORT_CODE: "A short code, which only its own country can dial",
};

/** One entry of the list as it was given, and what became of it. */
export interface Row {
  /** Its place in the list, from 1. */
  readonly place: number;
  readonly input: string;
  /** Null as long as it has not been checked. */
  readonly verdict: Verdict | null;
}

const KINDS = ["all", "valid", "invalid", "failed"] as const;
type Kind = (typeof KINDS)[number];

/** What a table shows of all rows. */
export interface View {
  readonly kind: Kind;
  /** ISO code, or "" for all. */
  readonly country: string;
  readonly search: string;
}

export type Counts = Readonly<Record<Kind | "open", number>>;

/** The list in its own order, repeated entries with the verdict of the first. */
export function rowsOf({ entries, distinct }: NumberList, verdicts: readonly (Verdict | null)[]): Row[] {
  return entries.map((at, index) => ({ place: index + 1, input: distinct[at]!, verdict: verdicts[at] ?? null }));
}

export function countRows(rows: readonly Row[]): Counts {
  const counts = { all: rows.length, valid: 0, invalid: 0, failed: 0, open: 0 };
  for (const { verdict } of rows) counts[verdict?.kind ?? "open"] += 1;
  return counts;
}

function countryOf({ verdict }: Row): string | null {
  return verdict === null || verdict.kind === "failed" ? null : verdict.result.country_code;
}

/** The countries among the results, by name. */
export function countriesIn(rows: readonly Row[]): { readonly code: string; readonly name: string }[] {
  const codes = new Set<string>();
  for (const row of rows) {
    const code = countryOf(row);
    if (code !== null) codes.add(code);
  }
  return [...codes].map((code) => ({ code, name: countryName(code) })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a search looks at. */
function textsOf({ input, verdict }: Row): readonly string[] {
  if (verdict === null) return [input];
  if (verdict.kind === "failed") return [input, verdict.code, verdict.message];
  const { number, international_format, country_name, carrier, location, line_type, reason } = verdict.result;
  const why = reason === null ? null : REASON_TEXT[reason];
  return [input, number, international_format, country_name, carrier, location, line_type, reason, why].filter(
    (text) => text !== null,
  );
}

/** The digits of a search that is only a number, so that it finds one however either is written. */
function digitsOf(search: string): string {
  return /^[\d\s()+./-]+$/.test(search) ? search.replace(/\D/g, "") : "";
}

/** The rows that a view shows, in their order. */
export function selectRows(rows: readonly Row[], { kind, country, search }: View): readonly Row[] {
  const words = search.trim().toLowerCase();
  const digits = digitsOf(words);
  return rows.filter((row) => {
    if (kind !== "all" && row.verdict?.kind !== kind) return false;
    if (country !== "" && countryOf(row) !== country) return false;
    if (words === "") return true;
    return textsOf(row).some(
      (text) => text.toLowerCase().includes(words) || (digits !== "" && text.replace(/\D/g, "").includes(digits)),
    );
  });
}

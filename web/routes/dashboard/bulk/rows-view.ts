import { textOf } from "../../../../lists/cells.ts";
import { outcomeOf } from "../../../../lists/plan.ts";
import type { Outcome } from "../../../../lists/plan.ts";
import type { Sheet } from "../../../../lists/sheet.ts";
import { isValid, textIn } from "../../../../lists/write/result-columns.ts";
import type { ResultCells } from "../../../../lists/write/result-columns.ts";
import type { VerificationResult } from "../../../../contract/verification.ts";
import { countryName } from "../../../lib/format.ts";
import { lineTypeName } from "../../../lib/line-types.ts";
import type { ShownRow, View } from "./view.ts";

/** The digits of a search that is just a number, so that it matches any notation. */
function digitsOf(search: string): string {
  return /^[\d\s()+./-]+$/.test(search) ? search.replace(/\D/g, "") : "";
}

/** The line type of a valid number, in words. */
function typeOf(result: ResultCells): string | null {
  if (!isValid(result)) return null;
  const known = lineTypeName({
    line_type: textIn(result, "line_type") as VerificationResult["line_type"],
    number_type: textIn(result, "number_type") as VerificationResult["number_type"],
  });
  return known ?? "Line type unknown";
}

/** A sheet's rows, as the page shows and searches them. */
export function createRowsView(sheet: Sheet, column: number) {
  const resultOf = (at: number): ResultCells | null => {
    const content = sheet.content(at);
    return typeof content === "string" ? null : content.result;
  };
  const inputOf = (at: number) => textOf(sheet.rows[at]![column]);

  /** Texts that a search may match. */
  function textsOf(at: number): (string | null)[] {
    const result = resultOf(at);
    if (result === null) return [inputOf(at), sheet.note(at)];
    const facts = [
      "number",
      "international_format",
      "country_name",
      "carrier",
      "location",
      "reason",
      "candidates",
    ] as const;
    return [inputOf(at), sheet.note(at), typeOf(result), ...facts.map((name) => textIn(result, name))];
  }

  function isOf(kind: View["kind"], outcome: Outcome): boolean {
    return kind === "all" || (kind === "checked" ? outcome !== "not_checked" : outcome === kind);
  }

  function numberOf(at: number): string | null {
    const result = resultOf(at);
    return result && isValid(result) ? textIn(result, "number") : null;
  }
  /** How many rows have each valid number, however it is written. */
  function numberUses(): Map<string, number> {
    const uses = new Map<string, number>();
    for (let at = 0; at < sheet.rows.length; at++) {
      const number = numberOf(at);
      if (number !== null) uses.set(number, (uses.get(number) ?? 0) + 1);
    }
    return uses;
  }
  function isRepeated(at: number, uses: ReadonlyMap<string, number>): boolean {
    return (uses.get(numberOf(at) ?? "") ?? 0) > 1;
  }

  return {
    /** What can be filtered by: how many rows there are of a kind, and the countries among the results. */
    tallies() {
      const codes = new Set<string>();
      const uses = numberUses();
      let [suggestions, repeats] = [0, 0];
      for (let at = 0; at < sheet.rows.length; at++) {
        const result = resultOf(at);
        const code = result && textIn(result, "country_code");
        if (code) codes.add(code);
        if (sheet.suggestion(at) !== null) suggestions += 1;
        if (isRepeated(at, uses)) repeats += 1;
      }
      const countries = [...codes].map((code) => ({ code, name: countryName(code) }));
      return { suggestions, repeats, countries: countries.toSorted((a, b) => a.name.localeCompare(b.name, "en")) };
    },
    /** The positions, from 0, of the rows in a view. */
    select({ kind, country, only, search }: View): number[] {
      const uses = only === "repeated" ? numberUses() : null;
      const words = search.trim().toLowerCase();
      const digits = digitsOf(words);
      const found: number[] = [];
      for (let at = 0; at < sheet.rows.length; at++) {
        if (!isOf(kind, outcomeOf(sheet.content(at)))) continue;
        const result = resultOf(at);
        if (country !== "" && (result === null || textIn(result, "country_code") !== country)) continue;
        if (only === "suggestion" && sheet.suggestion(at) === null) continue;
        if (uses !== null && !isRepeated(at, uses)) continue;
        const matches =
          words === "" ||
          textsOf(at).some(
            (text) =>
              text !== null &&
              (text.toLowerCase().includes(words) || (digits !== "" && text.replace(/\D/g, "").includes(digits))),
          );
        if (matches) found.push(at);
      }
      // Rows with the same number come together.
      if (uses !== null) found.sort((a, b) => numberOf(a)!.localeCompare(numberOf(b)!) || a - b);
      return found;
    },
    show(at: number): ShownRow {
      const result = resultOf(at);
      const kind = outcomeOf(sheet.content(at)) as ShownRow["kind"];
      const country = result && textIn(result, "country_name");
      const location = result && textIn(result, "location");
      const known = result && [typeOf(result), location === country ? null : location, textIn(result, "carrier")];
      const candidates = result && textIn(result, "candidates")?.replaceAll(" ", ", ");
      const note = [sheet.note(at), candidates].filter(Boolean).join(" ");
      return {
        place: at + 1,
        input: inputOf(at),
        kind,
        number: result && (textIn(result, "international_format") ?? textIn(result, "number")),
        country,
        detail: [kind === "valid" ? known!.filter(Boolean).join(", ") : null, note].filter(Boolean).join(". "),
        code: result && textIn(result, "reason"),
        suggestion: sheet.suggestion(at),
      };
    },
  };
}

export type RowsView = ReturnType<typeof createRowsView>;

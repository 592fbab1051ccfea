import type { CountryReader } from "../../../../lists/columns/read-country.ts";
import type { BatchItem, VerificationResult } from "../../../../contract/verification.ts";
import { noteOn } from "../../../../lists/write/note.ts";
import {
  appendedNames,
  isValid,
  RESULT_COLUMNS,
  suggestionIn,
  textIn,
} from "../../../../lists/write/result-columns.ts";
import type { ResultCells } from "../../../../lists/write/result-columns.ts";
import type { RejectionReason } from "../../../../contract/result-values.ts";
import { acceptanceText } from "../../../lib/acceptance.ts";
import { countryName } from "../../../lib/format.ts";
import { lineTypeName } from "../../../lib/line-types.ts";
import { textOf, tidy, writingKey } from "../../../../lists/cells.ts";
import type { Cell, Rows } from "../../../../lists/cells.ts";
import { below, countryIn, namesOf } from "../../../../lists/columns/columns.ts";
import type { Reading, RowCountry } from "../../../../lists/columns/columns.ts";
import { NOT_SENT, notSentOf } from "../../../../lists/damage.ts";
import type { NotSent } from "../../../../lists/damage.ts";
import type { CheckChoices } from "./store.ts";
import type { Source, Table } from "./table.ts";
import type { Counts, Kind, ShownRow, View } from "./view.ts";

/** A table whose rows are checked: each distinct number once, however it is written, each row with its number's result. */
export interface SheetCheck {
  /** The distinct numbers, each with its country if it has one, in order of first appearance. */
  readonly numbers: readonly BatchItem[];
  readonly rows: number;
  /** Rows with the same number and country as an earlier row. */
  readonly repeated: number;
  /** Adds the results of the next numbers. */
  add(results: readonly ResultCells[]): void;
  /** How many numbers have a result. */
  readonly checked: number;
  counts(): Counts;
  /** ISO codes and names of the countries among the results. */
  countries(): { readonly code: string; readonly name: string }[];
  /** The positions, from 0, of the rows in a view. */
  select(view: View): number[];
  show(place: number): ShownRow;
  /** What the output file begins with: the input's title. */
  readonly titles: Rows;
  /** How many columns the input has. */
  readonly given: number;
  /** The columns of the output file: all input columns, then ours, with distinct names. */
  head(): string[];
  /** The cells of an output row. */
  line(place: number): Cell[];
  /** A text file's own writing of these rows; null for other inputs. */
  readonly written: Written | null;
}

/** How the input writes rows of a check, for an output that keeps them as they are. */
export interface Written extends Pick<Source, "separator" | "lineEnd"> {
  readonly titles: readonly string[];
  /** Null if the input has no header. */
  readonly head: string | null;
  /** A row with as many separators as the widest one. */
  line(place: number): string;
}

/** Why a valid number is not accepted, in a sentence; null if it is, or there are no conditions. */
function acceptanceIn(cells: ResultCells): string | null {
  const rejected_because = textIn(cells, "rejected_because") as RejectionReason | null;
  return acceptanceText({ accepted: null, rejected_because });
}

/** The digits of a search that is just a number, so that it matches any notation. */
function digitsOf(search: string): string {
  return /^[\d\s()+./-]+$/.test(search) ? search.replace(/\D/g, "") : "";
}

/** Where the countries of rows come from. */
export interface Countries extends Pick<CheckChoices, "country" | "coversUnread"> {
  readonly readCountry: CountryReader;
}

export function createSheetCheck(
  { rows: all, source }: Pick<Table, "rows" | "source">,
  { header, column, countryColumn }: Reading,
  { country: fallback, coversUnread, readCountry }: Countries,
): SheetCheck {
  const rows = below(all, header);
  const titles = all.slice(0, header ?? 0);
  const names = namesOf(all, header);
  const numbers: BatchItem[] = [];
  const results: ResultCells[] = [];
  /** By row: the position in `numbers` of what it contains, or why it contains none. */
  const entries: (number | NotSent)[] = [];
  /** How many rows contain each number. */
  const uses: number[] = [];
  const tally = { valid: 0, invalid: 0, not_sent: 0, not_checked: 0 };

  /** A row's own country; null without a column. */
  function ownCountry(row: readonly Cell[]): RowCountry {
    return countryColumn === null ? null : countryIn(row[countryColumn], readCountry);
  }
  /** The country that a row's number is checked with, or "". */
  function countryOf(row: readonly Cell[]): string {
    const own = ownCountry(row);
    if (typeof own === "string") return own;
    return own === null || coversUnread ? fallback : "";
  }

  const places = new Map<string, number>();
  for (const row of rows) {
    const why = notSentOf(row[column]);
    if (why !== null) {
      entries.push(why);
      tally.not_sent += 1;
      continue;
    }
    const number = tidy(textOf(row[column]));
    const country = countryOf(row);
    const key = `${country} ${writingKey(number)}`;
    let place = places.get(key);
    if (place === undefined) {
      place = numbers.push(country === "" ? number : { number, country }) - 1;
      places.set(key, place);
      uses.push(0);
    }
    uses[place]! += 1;
    entries.push(place);
    tally.not_checked += 1;
  }

  /** A row as it is written, with all columns. */
  function writtenRow(at: number, { lines, separator }: Source): string {
    return lines[at]! + separator.repeat(names.length - all[at]!.length);
  }
  const written: Written | null = source && {
    separator: source.separator,
    lineEnd: source.lineEnd,
    titles: source.lines.slice(0, header ?? 0),
    head: header === null ? null : writtenRow(header, source),
    line: (at) => writtenRow(at + all.length - rows.length, source),
  };

  function resultOf(at: number): ResultCells | null {
    const entry = entries[at]!;
    return typeof entry === "string" ? null : (results[entry] ?? null);
  }
  function kindOf(at: number): Kind {
    const result = resultOf(at);
    if (result !== null) return isValid(result) ? "valid" : "invalid";
    return typeof entries[at] === "string" ? "not_sent" : "not_checked";
  }
  /** Why there is no valid number, and the suggestion, in words; null if there is nothing to say. */
  function noteOf(at: number): string | null {
    const entry = entries[at]!;
    if (typeof entry === "string") return NOT_SENT[entry];
    const result = results[entry];
    if (result === undefined) return null;
    const own = ownCountry(rows[at]!);
    return noteOn(rows[at]![column], {
      reason: textIn(result, "reason"),
      suggestion: suggestionIn(result),
      acceptance: acceptanceIn(result),
      unreadCountry: own !== null && typeof own === "object" ? own.unread : null,
    });
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

  function textsOf(at: number): (string | null)[] {
    const input = textOf(rows[at]![column]);
    const result = resultOf(at);
    if (result === null) return [input, noteOf(at)];
    const facts = [
      "number",
      "international_format",
      "country_name",
      "carrier",
      "location",
      "reason",
      "candidates",
    ] as const;
    return [input, noteOf(at), typeOf(result), ...facts.map((name) => textIn(result, name))];
  }

  return {
    numbers,
    rows: rows.length,
    titles,
    given: names.length,
    written,
    repeated: tally.not_checked - numbers.length,
    add(next) {
      for (const result of next) {
        const count = uses[results.length] ?? 0;
        results.push(result);
        tally.not_checked -= count;
        tally[isValid(result) ? "valid" : "invalid"] += count;
      }
    },
    get checked() {
      return results.length;
    },
    counts: () => ({ ...tally }),
    countries() {
      const codes = new Set(results.map((result) => textIn(result, "country_code")));
      codes.delete(null);
      const named = [...(codes as Set<string>)].map((code) => ({ code, name: countryName(code) }));
      return named.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
    },
    select({ kind, country, search }) {
      const words = search.trim().toLowerCase();
      const digits = digitsOf(words);
      const found: number[] = [];
      for (let at = 0; at < rows.length; at++) {
        if (kind === "checked" ? kindOf(at) === "not_checked" : kind !== "all" && kindOf(at) !== kind) continue;
        const result = resultOf(at);
        if (country !== "" && (result === null || textIn(result, "country_code") !== country)) continue;
        const matches =
          words === "" ||
          textsOf(at).some(
            (text) =>
              text !== null &&
              (text.toLowerCase().includes(words) || (digits !== "" && text.replace(/\D/g, "").includes(digits))),
          );
        if (matches) found.push(at);
      }
      return found;
    },
    show(at) {
      const result = resultOf(at);
      const kind = kindOf(at);
      const country = result && textIn(result, "country_name");
      const location = result && textIn(result, "location");
      const known = result && [typeOf(result), location === country ? null : location, textIn(result, "carrier")];
      const candidates = result && textIn(result, "candidates")?.replaceAll(" ", ", ");
      const note = [noteOf(at), candidates].filter(Boolean).join(" ");
      const entry = entries[at]!;
      return {
        place: at + 1,
        input: textOf(rows[at]![column]),
        kind,
        number: result && (textIn(result, "international_format") ?? textIn(result, "number")),
        country,
        detail: [kind === "valid" ? known!.filter(Boolean).join(", ") : null, note].filter(Boolean).join(". "),
        code: typeof entry === "string" ? null : result && textIn(result, "reason"),
      };
    },
    head: () => [...names, ...appendedNames(names)],
    line(at) {
      const given = rows[at]!;
      const result: readonly Cell[] = resultOf(at) ?? RESULT_COLUMNS.map(() => null);
      const cells: Cell[] = names.map((_, place) => given[place] ?? null);
      cells.push(kindOf(at), ...result, noteOf(at));
      return cells;
    },
  };
}

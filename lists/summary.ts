import { readSpreadsheetDamage } from "../contract/spreadsheet-damage.ts";
import { textOf, tidy } from "./cells.ts";
import { bestColumn, countryColumn, countryIn, phoneColumns, unreadCountryColumn } from "./columns/columns.ts";
import { below, labelsOf } from "./columns/header.ts";
import type { Reading, RowCountry } from "./columns/columns.ts";
import type { CountryReader } from "./columns/read-country.ts";
import type { Cell } from "./cells.ts";
import { needsCountry, notSentOf } from "./damage.ts";
import type { NotSent } from "./damage.ts";
import type { Table } from "./read/table.ts";
import { createSheet } from "./sheet.ts";

/** What was found in a list's numbers, as row counts. */
export interface Findings extends Readonly<Record<NotSent, number>> {
  /** Changed by a spreadsheet, but with all digits: `1713369876.0`. */
  readonly reformatted: number;
  readonly apostrophes: number;
  /** Without a calling code, and without a country in the row. */
  readonly needingCountry: number;
}

/** How a list is read, to be shown before anything is sent. */
export interface ListSummary {
  readonly sheets: readonly string[];
  readonly sheet: string | null;
  readonly reading: Reading;
  readonly columns: readonly string[];
  /** Other columns with phone numbers, by name. */
  readonly others: readonly string[];
  readonly preview: readonly (readonly string[])[];
  readonly rows: number;
  /** Numbers with their countries, each sent once. */
  readonly numbers: number;
  readonly repeated: number;
  readonly findings: Findings;
  /** A column that names countries, none of which we can read: its name, and the first few cells. */
  readonly unreadColumn: { readonly name: string; readonly texts: readonly string[] } | null;
  /** Rows with a number and a country that we can't read, and the first few such countries. */
  readonly unread: { readonly rows: number; readonly texts: readonly string[]; readonly different: number };
}

const PREVIEW_ROWS = 5;
/** Countries that can't be read, shown as examples. */
const UNREAD_SHOWN = 3;

/** Finds the columns below a header. */
export function readingOf({ rows }: Pick<Table, "rows">, header: number | null, readCountry: CountryReader): Reading {
  const column = bestColumn(rows, header);
  return { header, column, countryColumn: countryColumn(rows, header, column, readCountry) };
}

/** Counts what is in the numbers of a list, a row at a time. */
function createFindings() {
  const found = {
    EMPTY: 0,
    NO_DIGITS: 0,
    FORMULA_ERROR: 0,
    SCIENTIFIC: 0,
    DATE: 0,
    TOO_LONG: 0,
    reformatted: 0,
    apostrophes: 0,
    needingCountry: 0,
  };
  return {
    found: found as Findings,
    add(cell: Cell | undefined, country: RowCountry): void {
      const why = notSentOf(cell);
      if (why !== null) found[why] += 1;
      const written = textOf(cell);
      const text = tidy(written);
      const damage = readSpreadsheetDamage(text);
      if (damage !== null && damage !== "DIGITS_LOST") found.reformatted += 1;
      if (written.trimStart().startsWith("'")) found.apostrophes += 1;
      if (why === null && needsCountry(text) && typeof country !== "string") found.needingCountry += 1;
    },
  };
}

/** What a list has, read in this way. */
export function summaryOf(table: Table, reading: Reading, readCountry: CountryReader): ListSummary {
  const { rows, sheets, sheet } = table;
  const { header, column, countryColumn: from } = reading;
  const shown = below(rows, header);
  const columns = labelsOf(rows, header);
  const { items, repeated } = createSheet(table, reading, {
    country: "",
    coversUnread: false,
    readCountry,
    expectsCountry: false,
  });
  const { found, add } = createFindings();
  const unread: string[] = [];
  for (const row of shown) {
    const country = from === null ? null : countryIn(row[from], readCountry);
    add(row[column], country);
    if (country !== null && typeof country !== "string" && notSentOf(row[column]) === null) unread.push(country.unread);
  }
  const different = [...new Set(unread)];
  const useless = from === null ? unreadCountryColumn(rows, header, readCountry) : null;
  const cells = useless === null ? [] : shown.map((row) => tidy(textOf(row[useless]))).filter((text) => text !== "");
  return {
    sheets,
    sheet,
    reading,
    columns,
    others: phoneColumns(rows, header)
      .filter((at) => at !== column)
      .map((at) => columns[at]!),
    preview: shown.slice(0, PREVIEW_ROWS).map((row) => row.map(textOf)),
    rows: shown.length,
    numbers: items.length,
    repeated,
    findings: found,
    unreadColumn:
      useless === null ? null : { name: columns[useless]!, texts: [...new Set(cells)].slice(0, UNREAD_SHOWN) },
    unread: { rows: unread.length, texts: different.slice(0, UNREAD_SHOWN), different: different.length },
  };
}

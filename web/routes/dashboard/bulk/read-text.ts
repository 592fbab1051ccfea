import Papa from "papaparse";
import { formatCount } from "../../../../contract/format.ts";
import { Unusable } from "./unusable.ts";
import type { Rows } from "../../../../lists/cells.ts";
import { headerAt, namesOf, phoneColumns } from "../../../../lists/columns/columns.ts";
import { countEntries, listRows } from "./contact-list.ts";
import { namesPhone } from "../../../../lists/columns/header-words.ts";
import {
  NO_SEPARATOR,
  newlineIn,
  SEPARATOR_LINE,
  separatorOf,
  withoutParameters,
  withParameters,
} from "../../../../lists/read/separator.ts";
import { MAX_BULK_ROWS } from "../../../../contract/limits.ts";
import { isBlank, MAX_CELLS, MAX_COLUMNS, tooManyCells, tooManyColumns, tooManyRows, within } from "./table.ts";
import type { Table } from "./table.ts";
import { isVcard, vcardRows } from "./vcard.ts";

/** The most separators in a text: commas within cells aren't cells. */
const MAX_SEPARATORS = 4 * MAX_CELLS;

/** How much of a text is tried as a list: characters. */
const TRIED_CHARACTERS = 100_000;

const LINE_END = /[\r\n]/g;

/**
 * Checks the number of cells before the parser takes memory for them. Counts separators within quotation marks too, as
 * it doesn't parse. A single line may be a list, so its cells may be rows. @throws Unusable
 */
function checkSeparators(text: string, separator: string): void {
  const isOneLine = !/[\r\n]/.test(text.trim());
  let [inAll, inLine, lineEnd] = [0, 0, -1];
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) {
    if (at > lineEnd) {
      LINE_END.lastIndex = at;
      lineEnd = LINE_END.exec(text)?.index ?? text.length;
      inLine = 0;
    }
    inLine += 1;
    inAll += 1;
    if (isOneLine && inLine >= MAX_BULK_ROWS) throw tooManyRows();
    if (!isOneLine && inLine >= MAX_COLUMNS) throw tooManyColumns();
    if (inAll > MAX_SEPARATORS) throw tooManyCells();
  }
}

/** Rows as the parser finds them, how each is written, and what ends the first. @throws Unusable for misplaced quotation marks and too many rows */
function parse(text: string, separator: string): { rows: string[][]; lines: string[]; lineEnd: string } {
  const rows: string[][] = [];
  const lines: string[] = [];
  let lineEnd = "";
  let from = 0;
  Papa.parse<string[]>(text, {
    delimiter: separator,
    newline: newlineIn(text),
    // The fast mode would first split the whole text into lines.
    fastMode: false,
    step({ data: row, errors, meta }, parser) {
      if (rows.length > MAX_BULK_ROWS) {
        // Blank ones at the end don't count.
        const isRestBlank = text.slice(meta.cursor).replaceAll(separator, "").trim() === "";
        if (!isRestBlank || !isBlank(row)) throw tooManyRows();
        parser.abort();
        return;
      }
      const place = formatCount(rows.length + 1);
      for (const { code } of errors) {
        if (code === "MissingQuotes") throw new Unusable(`A quotation mark in row ${place} is never closed.`);
        // The parser then searches for a closing quotation mark and merges several rows into one cell.
        if (code === "InvalidQuotes" && row.some((cell) => /[\r\n]/.test(cell))) {
          throw new Unusable(`A quotation mark in row ${place} isn’t closed where its cell ends.`);
        }
      }
      const last = row.length - 1;
      rows.push(row.map((cell, at) => withParameters(at === last ? cell.replace(/\r$/, "") : cell)));
      const written = text.slice(from, meta.cursor);
      const end = /(?:\r?\n|\r)?$/.exec(written)![0];
      lines.push(withParameters(written.slice(0, written.length - end.length)));
      lineEnd ||= end;
      from = meta.cursor;
    },
  });
  return { rows, lines, lineEnd: lineEnd || "\n" };
}

function linesOf(text: string): string[] {
  return withParameters(text).split(/\r\n|\r|\n/);
}

/** Whether a text is a list of names and numbers in free form, not a table in which a column has the numbers. */
function isList(rows: Rows, text: string): boolean {
  const header = headerAt(rows);
  const filled = rows.filter((row) => !isBlank(row));
  const isOneColumn = filled.every((row) => row.length === 1);
  if (header !== null && (!isOneColumn || namesOf(rows, header).some(namesPhone))) return false;
  const counted = countEntries(linesOf(text.slice(0, TRIED_CHARACTERS)));
  const rich = counted.more + counted.several;
  if (filled.length === 1) return counted.numbers > 1;
  if (isOneColumn) return rich > 0;
  const isRagged = filled.some(({ length }) => length !== filled[0]!.length);
  if (isRagged && counted.several > 0) return true;
  return phoneColumns(rows, null).length === 0 && rich > counted.lines / 2;
}

/**
 * Parses text into rows: comma, semicolon, tab, or pipe between cells, with quotes and line breaks within them. A list
 * of names and numbers has a row for each number, and so has a contacts file.
 * @throws Unusable
 */
export function readText(given: string): Table {
  let text = given.replace(/^\uFEFF/, "");
  const own = { sheets: [], sheet: null, source: null };
  if (isVcard(text)) return { rows: within(vcardRows(text)), ...own };
  const named = SEPARATOR_LINE.exec(text);
  if (named) text = text.slice(named[0].length);
  text = withoutParameters(text);
  const separator = named?.[1] ?? separatorOf(text);
  checkSeparators(text, separator);
  const { rows: parsed, lines, lineEnd } = parse(text, separator);
  const rows = within(parsed);
  if (named === null && isList(rows, text)) return { rows: within(listRows(linesOf(text))), ...own };
  if (rows.some(({ length }) => length > MAX_COLUMNS)) throw tooManyColumns();
  const source = separator === NO_SEPARATOR ? null : { lines: lines.slice(0, rows.length), separator, lineEnd };
  return { rows, sheets: [], sheet: null, source };
}

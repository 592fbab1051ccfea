import Papa from "papaparse";
import { textOf, Unusable } from "./cells.ts";
import type { Cell } from "./cells.ts";

/** What a file is made for. A text file cannot be right for both kinds of readers: a spreadsheet calculates `+5511987654321`. */
export const FORMATS = ["xlsx", "csv", "raw"] as const;
export type Format = (typeof FORMATS)[number];

/** A table that is to be written, row by row. */
export interface Output {
  readonly head: readonly string[];
  /** How many of the columns were there before. */
  readonly given: number;
  readonly lines: Iterable<readonly Cell[]>;
}

/** What spreadsheets take for the beginning of a formula (OWASP, CSV injection), full-width forms included. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const NEGATIVE = /^-\d+(?:[.,]\d+)?$/;
/** What spreadsheets shorten: leading zeros, and more digits than they show. */
const SHORTENED = /^0\d|^\d{12,}$/;
/** Anything of ours that begins like a number is one to be kept as it is written. */
const NUMBER_LIKE = /^[\d(]/;

/** A cell for a spreadsheet that reads text: an apostrophe goes before what it would calculate or shorten. */
export function guardCell(text: string, isOurs = false): string {
  if (NEGATIVE.test(text)) return text;
  return FORMULA.test(text) || SHORTENED.test(text) || (isOurs && NUMBER_LIKE.test(text)) ? `'${text}` : text;
}

function plainText(cell: Cell): string {
  return typeof cell === "boolean" ? String(cell) : textOf(cell);
}

/** Rows that become text at a time. */
const CHUNK = 2_000;

/** CSV (RFC 4180, CRLF) with a byte order mark, by which Excel knows UTF-8; programs get it without mark and guards. */
function csv({ head, given, lines }: Output, isForSpreadsheets: boolean): Blob {
  const parts: string[] = isForSpreadsheets ? ["\uFEFF"] : [];
  let rows: string[][] = [];
  function flush() {
    if (rows.length > 0) parts.push(`${Papa.unparse(rows)}\r\n`);
    rows = [];
  }
  function put(cells: readonly Cell[]) {
    rows.push(
      cells.map((cell, at) => {
        const text = plainText(cell);
        return isForSpreadsheets && typeof cell === "string" ? guardCell(text, at >= given) : text;
      }),
    );
    if (rows.length === CHUNK) flush();
  }
  put(head);
  for (const line of lines) put(line);
  flush();
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

/** The most characters of a cell in Excel, which repairs a file with more by taking them out. */
const MAX_CELL = 32_767;
/** What a workbook reads as an escaped character, and one that no XML may have. */
const ESCAPE = /_(?=x[\da-f]{4}_)/gi;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function workbookCell(cell: Cell): Cell {
  if (typeof cell !== "string") return cell;
  if (cell.length > MAX_CELL) {
    throw new Unusable("A cell is longer than a workbook allows. Download a CSV file instead.");
  }
  return cell.replace(ESCAPE, "_x005F_").replace(LONE_SURROGATE, "\uFFFD");
}

/** A workbook with one sheet. Texts are text cells: plus signs and zeros stay, and no formula is one. */
async function workbook({ head, lines }: Output): Promise<Blob> {
  const { writeXlsxStream } = await import("hucre/xlsx");
  function* rows(): Generator<Cell[]> {
    yield head.map(workbookCell);
    for (const line of lines) yield line.map(workbookCell);
  }
  const stream = writeXlsxStream(rows(), { name: "Results", freezePane: { rows: 1 } });
  return new Response(stream, {
    headers: { "Content-Type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
  }).blob();
}

/** A table as a file. @throws Unusable where the format cannot hold it */
export async function writeTable(output: Output, format: Format): Promise<Blob> {
  return format === "xlsx" ? workbook(output) : csv(output, format === "csv");
}

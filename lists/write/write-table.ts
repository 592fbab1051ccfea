import { csvLine, guardCell } from "../../contract/csv.ts";
import { plainText } from "./layout.ts";
import { Unusable } from "../unusable.ts";
import type { Cell } from "../cells.ts";
import type { Sheet, Written } from "../sheet.ts";

/** A file's purpose. One text file can't suit both kinds of readers: a spreadsheet evaluates `+5511987654321`. */
export const FORMATS = ["xlsx", "csv", "raw"] as const;
export type Format = (typeof FORMATS)[number];

/** What is written: a sheet's rows. */
type Output = Pick<Sheet, "titles" | "head" | "given" | "line" | "written">;

/** The file's rows: what precedes the header, the header, and the places'. */
function* rowsOf({ titles, head, line }: Output, places: readonly number[]): Generator<readonly Cell[]> {
  yield* titles;
  yield head();
  for (const place of places) yield line(place);
}

const CSV_TYPE = "text/csv;charset=utf-8";

/**
 * CSV (RFC 4180, CRLF) with a byte order mark, from which Excel recognizes UTF-8; programs get it without mark and
 * guards.
 */
function csv(output: Output, places: readonly number[], isForSpreadsheets: boolean): Blob {
  function guarded(cell: Cell, at: number): string {
    const plain = plainText(cell);
    const isFirst = at === 0;
    const isEvaluated = typeof cell === "string" || (isFirst && plain.startsWith("-"));
    return isEvaluated ? guardCell(plain, { isFirst, isOurs: at >= output.given }) : plain;
  }
  const parts = isForSpreadsheets ? ["\uFEFF"] : [];
  for (const cells of rowsOf(output, places)) parts.push(csvLine(cells.map(isForSpreadsheets ? guarded : plainText)));
  return new Blob(parts, { type: CSV_TYPE });
}

/** A text file's rows exactly as they are written, in UTF-8, with our cells after each. */
function appended({ head, given, line }: Output, places: readonly number[], written: Written): Blob {
  const { separator, lineEnd, fields } = written;
  const parts = written.titles.map((title) => title + lineEnd);
  const names = head();
  parts.push((written.head ?? fields(names.slice(0, given))) + separator + fields(names.slice(given)) + lineEnd);
  for (const at of places) parts.push(written.line(at) + separator + fields(line(at).slice(given)) + lineEnd);
  return new Blob(parts, { type: CSV_TYPE });
}

/** The most characters of a cell in Excel, which "repairs" a larger file by truncating them. */
const MAX_CELL = 32_767;
/** What a workbook parses as an escaped character, and characters invalid in XML. */
const ESCAPE = /_(?=x[\da-f]{4}_)/gi;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function workbookCell(cell: Cell): Cell {
  if (typeof cell !== "string") return cell;
  if (cell.length > MAX_CELL) {
    throw new Unusable("A cell is too long for a workbook. Download a CSV file instead.");
  }
  return cell.replace(ESCAPE, "_x005F_").replace(LONE_SURROGATE, "\uFFFD");
}

/** A workbook with one sheet. Texts are text cells: plus signs and zeros stay, and nothing becomes a formula. */
async function workbook(output: Output, places: readonly number[]): Promise<Blob> {
  const { writeXlsxStream } = await import("hucre/xlsx");
  function* rows(): Generator<Cell[]> {
    for (const cells of rowsOf(output, places)) yield cells.map(workbookCell);
  }
  const stream = writeXlsxStream(rows(), { name: "Results", freezePane: { rows: output.titles.length + 1 } });
  return new Response(stream, {
    headers: { "Content-Type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
  }).blob();
}

/** A sheet's rows at these places as a file. @throws Unusable if the format can't hold it */
export async function writeTable(sheet: Output, places: readonly number[], format: Format): Promise<Blob> {
  if (format === "xlsx") return workbook(sheet, places);
  if (format === "raw" && sheet.written !== null) return appended(sheet, places, sheet.written);
  return csv(sheet, places, format === "csv");
}

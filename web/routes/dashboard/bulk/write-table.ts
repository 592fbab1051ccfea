import { csvLine, guardCell } from "../../../../contract/csv.ts";
import { textOf, Unusable } from "./cells.ts";
import type { Cell } from "./cells.ts";

/** A file's purpose. One text file can't suit both kinds of readers: a spreadsheet evaluates `+5511987654321`. */
export const FORMATS = ["xlsx", "csv", "raw"] as const;
export type Format = (typeof FORMATS)[number];

/** A table to write, row by row. */
export interface Output {
  readonly head: readonly string[];
  /** How many of the columns are from the input. */
  readonly given: number;
  readonly lines: Iterable<readonly Cell[]>;
}

function plainText(cell: Cell): string {
  return typeof cell === "boolean" ? String(cell) : textOf(cell);
}

/** Rows converted to text at a time. */
const CHUNK = 2_000;

/**
 * CSV (RFC 4180, CRLF) with a byte order mark, from which Excel recognizes UTF-8; programs get it without mark and
 * guards.
 */
function csv({ head, given, lines }: Output, isForSpreadsheets: boolean): Blob {
  const parts: string[] = [];
  let text = isForSpreadsheets ? "\uFEFF" : "";
  let rows = 0;
  function guarded(cell: Cell, at: number): string {
    const plain = plainText(cell);
    const isFirst = at === 0;
    const isEvaluated = typeof cell === "string" || (isFirst && plain.startsWith("-"));
    return isEvaluated ? guardCell(plain, { isFirst, isOurs: at >= given }) : plain;
  }
  function put(cells: readonly Cell[]) {
    text += csvLine(cells.map(isForSpreadsheets ? guarded : plainText));
    rows += 1;
    if (rows % CHUNK > 0) return;
    parts.push(text);
    text = "";
  }
  put(head);
  for (const line of lines) put(line);
  return new Blob([...parts, text], { type: "text/csv;charset=utf-8" });
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

/** A table as a file. @throws Unusable if the format can't hold it */
export async function writeTable(output: Output, format: Format): Promise<Blob> {
  return format === "xlsx" ? workbook(output) : csv(output, format === "csv");
}

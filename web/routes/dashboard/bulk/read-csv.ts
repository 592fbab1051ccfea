import Papa from "papaparse";
import { hasDigit, tidyEntry } from "./read-list.ts";

/** Largest file that is read, in bytes: ten thousand numbers among many other columns. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;

interface CsvColumn {
  /** The head of the column; "Column 3" where there is none. */
  readonly name: string;
  /** How many of its cells look like a phone number. */
  readonly numbers: number;
}

/** A file as rows of cells, with a guess at what they are. */
export interface CsvFile {
  readonly rows: readonly (readonly string[])[];
  readonly columns: readonly CsvColumn[];
  /** Whether the first row seems to name the columns. */
  readonly hasHeader: boolean;
  /** The column with most numbers, -1 where none has any. */
  readonly best: number;
}

export type ReadFile = { readonly ok: true; readonly file: CsvFile } | { readonly ok: false; readonly message: string };

const DIGITS = /\p{Nd}/gu;
/** What phone numbers may contain: `tel:`, digits, plus, brackets, separators and an extension. */
const PHONE = /^(?:tel:)?[\p{Nd}\s()./+*#‐–-]+(?:(?:;?ext[.=]?|x)\s*\p{Nd}+)?$/iu;
/** Dates look like numbers with separators, and stand in most exports. */
const DATE = /^\d{4}-\d{1,2}-\d{1,2}(?:[ T].*)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/;

/** Whether a cell looks like a phone number: six to twenty digits, and nothing that no number contains. */
export function looksLikePhone(cell: string): boolean {
  const text = tidyEntry(cell);
  const digits = text.match(DIGITS)?.length ?? 0;
  return digits >= 6 && digits <= 20 && PHONE.test(text) && !DATE.test(text);
}

/** The text of a file: UTF-8 or UTF-16 by their marks, else Windows' Latin, in which digits are the same. Null for no text. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, 4096).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function columnsOf(rows: readonly (readonly string[])[], hasHeader: boolean): CsvColumn[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const numbers = Array.from({ length: width }, () => 0);
  for (const row of hasHeader ? rows.slice(1) : rows) {
    row.forEach((cell, column) => {
      if (looksLikePhone(cell)) numbers[column]! += 1;
    });
  }
  return numbers.map((count, column) => {
    const head = hasHeader ? tidyEntry(rows[0]?.[column] ?? "") : "";
    return { name: head || `Column ${column + 1}`, numbers: count };
  });
}

/** A head names something: no cell of it is a number, and something below is. */
function seemsHeader(rows: readonly (readonly string[])[]): boolean {
  const [first, ...others] = rows;
  if (first === undefined || first.some(looksLikePhone)) return false;
  return first.some((cell) => cell.trim() !== "" && !hasDigit(cell)) && others.some((row) => row.some(looksLikePhone));
}

/** Plain heads of columns with phone numbers; they break a tie. */
const TELLING = /phone|mobile|cell|tel|number|msisdn/i;

/** The same rows with the first read as the head, or not. */
export function withHeader(rows: CsvFile["rows"], hasHeader: boolean): CsvFile {
  const columns = columnsOf(rows, hasHeader);
  let best = -1;
  columns.forEach(({ numbers, name }, at) => {
    const leader = columns[best];
    const ties = leader !== undefined && numbers === leader.numbers;
    if (numbers > (leader?.numbers ?? 0) || (ties && TELLING.test(name) && !TELLING.test(leader.name))) best = at;
  });
  return { rows, columns, hasHeader, best };
}

/** Reads a CSV file: comma, semicolon, tab or bar between cells, quotes, any line ends, with or without a head. */
export function readCsv(bytes: Uint8Array): ReadFile {
  if (bytes.length > MAX_FILE_BYTES) {
    return { ok: false, message: `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB. Split it into several.` };
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    return { ok: false, message: "This is a workbook or an archive. Save the sheet as CSV and choose that file." };
  }
  const text = decodeText(bytes);
  if (text === null) return { ok: false, message: "This is not a text file. Choose a CSV file." };
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ""), { skipEmptyLines: "greedy" });
  const file = withHeader(data, seemsHeader(data));
  if (file.best === -1) return { ok: false, message: "There is no phone number in this file." };
  return { ok: true, file };
}

/** The cells of a column that hold something, below the head. */
export function cellsOf({ rows, hasHeader }: Pick<CsvFile, "rows" | "hasHeader">, column: number): string[] {
  const cells: string[] = [];
  for (const row of hasHeader ? rows.slice(1) : rows) {
    const cell = tidyEntry(row[column] ?? "");
    if (cell !== "") cells.push(cell);
  }
  return cells;
}

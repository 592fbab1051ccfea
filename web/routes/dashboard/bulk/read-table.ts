import Papa from "papaparse";
import { formatCount } from "../../../../contract/format.ts";
import { looksLikePhone, MAX_ROWS, tidy, Unusable } from "./cells.ts";
import type { Cell } from "./cells.ts";
import { unpackedSizes } from "./unpacked-size.ts";

/** The most cells: a hundred thousand rows of thirty columns. */
const MAX_CELLS = 3_000_000;
/** Largest file, in bytes. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** The most columns, as in Excel. */
const MAX_COLUMNS = 16_384;
/** The most sheets to choose from. */
const MAX_SHEETS = 1_000;
/**
 * The largest unpacked workbook, in bytes: the most cells at 65 bytes each. And the largest one without its sheets, which
 * is read as a whole: texts that occur once, and styles.
 */
const MAX_UNPACKED = { all: 200 * 1024 * 1024, besidesSheets: 32 * 1024 * 1024 } as const;
/** The most separators in a text: commas within cells aren't cells. */
const MAX_SEPARATORS = 4 * MAX_CELLS;
/** The most rows of a text that are parsed, as blank ones at its end don't count. */
const ROWS_READ = 2 * MAX_ROWS;

/** Rows of cells, unchanged. */
export interface Table {
  readonly rows: readonly (readonly Cell[])[];
  /** A workbook's sheets by name, except hidden ones; empty for a text file. */
  readonly sheets: readonly string[];
  readonly sheet: string | null;
}

/** Which half of the 16-bit units is zero, as in ASCII text: null for neither. */
function utf16Without(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const start = bytes.subarray(0, 4096);
  const zeros = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const most = start.length / 4;
  if (odd > most && even === 0) return "utf-16le";
  return even > most && odd === 0 ? "utf-16be" : null;
}

/** A file's text: UTF-8 or UTF-16, with or without BOM, else Windows-1252. Null if it is not text. */
function decodeText(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, 4096).includes(0)) {
    const encoding = utf16Without(bytes);
    return encoding === null ? null : new TextDecoder(encoding).decode(bytes);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Appears in no text: used as the separator, it makes each line a cell. */
const NO_SEPARATOR = "\u001F";
/** Excel's own line for the separator, which is not part of the table. */
const SEPARATOR_LINE = /^sep=(.)(?:\r\n|\r|\n)/i;
/** The semicolon of an RFC 3966 number is not a separator. */
const PARAMETER = /;\s*(?:ext|isub|phone-context)=/i;

const SEPARATORS = [",", ";", "\t", "|"] as const;
/** How much of a text is tried with each separator: characters, and rows. */
const TRIED = { characters: 100_000, rows: 50 } as const;

/** The most common number of cells per row above one, and the share of the first rows that have it. */
function agreement(text: string, delimiter: string): { share: number; width: number } {
  const { data } = Papa.parse<string[]>(text, { delimiter, preview: TRIED.rows, skipEmptyLines: "greedy" });
  const widths = Map.groupBy(data, (row) => row.length);
  widths.delete(1);
  const [most] = [...widths].toSorted(([, a], [, b]) => b.length - a.length);
  return most === undefined ? { share: 0, width: 1 } : { share: most[1].length / data.length, width: most[0] };
}

/** A text's cell separator: the one most rows agree on, or `NO_SEPARATOR` if every line is one cell. */
function separatorOf(text: string): string {
  const start = text.slice(0, TRIED.characters);
  let best = { delimiter: NO_SEPARATOR, share: 0.5, width: 0 };
  for (const delimiter of SEPARATORS) {
    if (delimiter === ";" && PARAMETER.test(start)) continue;
    const { share, width } = agreement(start, delimiter);
    if (share > best.share || (share === best.share && width > best.width)) best = { delimiter, share, width };
  }
  return best.delimiter;
}

function isBlank(row: readonly Cell[]): boolean {
  return row.every((cell) => cell === null || (typeof cell === "string" && cell.trim() === ""));
}

function tooMany(limit: number, what: string, remedy: string): Unusable {
  return new Unusable(`There are more than ${formatCount(limit)} ${what}. ${remedy}`);
}
const tooManyRows = () => tooMany(MAX_ROWS, "rows, the limit for one check", "Split the list.");
const tooManyCells = () => tooMany(MAX_CELLS, "cells", "Remove columns you don’t need.");
const tooManyColumns = () => tooMany(MAX_COLUMNS, "columns", "Remove those you don’t need.");

/** The rows up to the last nonempty one. @throws Unusable for an empty or too large table */
function within(rows: (readonly Cell[])[]): (readonly Cell[])[] {
  while (rows.length > 0 && isBlank(rows.at(-1)!)) rows.pop();
  if (rows.length === 0) throw new Unusable("The file is empty.");
  if (rows.length > MAX_ROWS + 1) throw tooManyRows();
  let cells = 0;
  for (const row of rows) cells += row.length;
  if (cells > MAX_CELLS) throw tooManyCells();
  return rows;
}

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
    if (isOneLine && inLine >= MAX_ROWS) throw tooManyRows();
    if (!isOneLine && inLine >= MAX_COLUMNS) throw tooManyColumns();
    if (inAll > MAX_SEPARATORS) throw tooManyCells();
  }
}

/**
 * Parses text into rows: comma, semicolon, tab, or pipe between cells, with quotes and line breaks within them. A
 * single line of numbers is a list.
 * @throws Unusable
 */
export function readText(given: string): Table {
  let text = given.replace(/^\uFEFF/, "");
  const named = SEPARATOR_LINE.exec(text);
  if (named) text = text.slice(named[0].length);
  const delimiter = named?.[1] ?? separatorOf(text);
  checkSeparators(text, delimiter);
  // The fast mode would first split the whole text into lines.
  const { data, errors, meta } = Papa.parse<string[]>(text, { delimiter, preview: ROWS_READ, fastMode: false });
  const isRestBlank = !meta.truncated || text.slice(meta.cursor).replaceAll(delimiter, "").trim() === "";
  if (!isRestBlank) throw tooManyRows();
  const unclosed = errors.find(({ code }) => code === "MissingQuotes");
  if (unclosed) {
    throw new Unusable(`A quotation mark in row ${formatCount((unclosed.row ?? 0) + 1)} is never closed.`);
  }
  // The parser then searches for a closing quotation mark and merges several rows into one cell.
  const merged = errors.find(
    ({ code, row = 0 }) => code === "InvalidQuotes" && data[row]?.some((cell) => /[\r\n]/.test(cell)),
  );
  if (merged) {
    throw new Unusable(
      `A quotation mark in row ${formatCount((merged.row ?? 0) + 1)} isn’t closed where its cell ends.`,
    );
  }
  const rows = within(data);
  const [first = []] = rows;
  const isList = rows.length === 1 && first.length > 1 && first.every((cell) => looksLikePhone(tidy(String(cell))));
  if (!isList && rows.some(({ length }) => length > MAX_COLUMNS)) throw tooManyColumns();
  return { rows: isList ? first.map((cell) => [cell]) : rows, sheets: [], sheet: null };
}

/** @throws Unusable for a workbook that would fill the memory, Error for what isn't a zip file */
function checkUnpacked(bytes: Uint8Array): void {
  let [all, besidesSheets] = [0, 0];
  for (const { name, size } of unpackedSizes(bytes)) {
    all += size;
    if (!/^xl\/worksheets\/[^/]+\.xml$/i.test(name)) besidesSheets += size;
  }
  if (all <= MAX_UNPACKED.all && besidesSheets <= MAX_UNPACKED.besidesSheets) return;
  const limit = all > MAX_UNPACKED.all ? MAX_UNPACKED.all : MAX_UNPACKED.besidesSheets;
  const what = all > MAX_UNPACKED.all ? "workbook" : "text in the workbook";
  throw new Unusable(
    `Unpacked, the ${what} is larger than ${limit / 1024 / 1024} MB. Save the columns you need as CSV.`,
  );
}

/** Loaded with the first workbook. */
async function readWorkbook(bytes: Uint8Array, wanted: string | null): Promise<Table> {
  const { readXlsx, streamXlsxRows } = await import("hucre/xlsx");
  const sheets: string[] = [];
  const rows: (readonly Cell[])[] = [];
  let cells = 0;
  try {
    checkUnpacked(bytes);
    await readXlsx(bytes, {
      sheets: ({ name, hidden, veryHidden }) => {
        if (!hidden && !veryHidden) sheets.push(name);
        // Only the names are needed here.
        return false;
      },
    });
    if (sheets.length > MAX_SHEETS) throw tooMany(MAX_SHEETS, "sheets", "Remove those you don’t need.");
    const sheet = wanted ?? sheets[0];
    if (sheet === undefined) throw new Unusable("The workbook has no sheets.");
    for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
      // A row may have any number, and Excel keeps empty rows that have a style.
      if (isBlank(values)) continue;
      if (index > MAX_ROWS || rows.length > MAX_ROWS) throw tooManyRows();
      while (rows.length < index) rows.push([]);
      rows.push(values);
      cells += values.length;
      if (cells > MAX_CELLS) throw tooManyCells();
    }
    return { rows: within(rows), sheets, sheet };
  } catch (error) {
    if (error instanceof Unusable) throw error;
    if (/outside the supported sheet bounds/.test(String(error))) throw tooManyColumns();
    throw new Unusable("We couldn’t read the workbook. Save it as .xlsx without a password, or as CSV.");
  }
}

/**
 * Reads a file: a workbook (XLSX), or a text file (CSV, TSV).
 * @param sheet the name of a workbook's sheet; null for its first
 * @throws Unusable
 */
export async function readFile(file: Blob, sheet: string | null = null): Promise<Table> {
  // Checked first: reading a larger one would exhaust the page's memory.
  if (file.size > MAX_FILE_BYTES) {
    throw new Unusable(`The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB. Split it.`);
  }
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Unusable("We couldn’t read the file. Choose it again.");
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readWorkbook(bytes, sheet);
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) {
    throw new Unusable("This file is in the old Excel format (.xls) or has a password. Save it as .xlsx or CSV.");
  }
  const text = decodeText(bytes);
  if (text === null) throw new Unusable("We can’t read this file. Choose a CSV or XLSX file.");
  return readText(text);
}

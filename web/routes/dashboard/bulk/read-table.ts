import Papa from "papaparse";
import { formatCount } from "../../../../contract/format.ts";
import { looksLikePhone, MAX_ROWS, tidy, Unusable } from "./cells.ts";
import type { Cell } from "./cells.ts";

/** The most cells: a hundred thousand rows of thirty columns. */
const MAX_CELLS = 3_000_000;
/** Largest file, in bytes. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;

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

/** The rows up to the last nonempty one. @throws Unusable for an empty or too large table */
function within(rows: (readonly Cell[])[]): (readonly Cell[])[] {
  while (rows.length > 0 && isBlank(rows.at(-1)!)) rows.pop();
  if (rows.length === 0) throw new Unusable("The file is empty.");
  if (rows.length > MAX_ROWS + 1) {
    throw new Unusable(`There are more than ${formatCount(MAX_ROWS)} rows, the limit for one check. Split the list.`);
  }
  let cells = 0;
  for (const row of rows) cells += row.length;
  if (cells > MAX_CELLS) {
    throw new Unusable(`There are more than ${formatCount(MAX_CELLS)} cells. Remove columns you don’t need.`);
  }
  return rows;
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
  const { data, errors } = Papa.parse<string[]>(text, { delimiter });
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
  return { rows: isList ? first.map((cell) => [cell]) : rows, sheets: [], sheet: null };
}

/** Loaded with the first workbook. */
async function readWorkbook(bytes: Uint8Array, wanted: string | null): Promise<Table> {
  const { readXlsx, streamXlsxRows } = await import("hucre/xlsx");
  const sheets: string[] = [];
  const rows: (readonly Cell[])[] = [];
  let cells = 0;
  try {
    await readXlsx(bytes, {
      sheets: ({ name, hidden, veryHidden }) => {
        if (!hidden && !veryHidden) sheets.push(name);
        // Only the names are needed here.
        return false;
      },
    });
    const sheet = wanted ?? sheets[0];
    if (sheet === undefined) throw new Unusable("The workbook has no sheets.");
    for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
      while (rows.length < index) rows.push([]);
      rows.push(values);
      cells += values.length;
      if (rows.length > 2 * MAX_ROWS || cells > MAX_CELLS) break;
    }
    return { rows: within(rows), sheets, sheet };
  } catch (error) {
    if (error instanceof Unusable) throw error;
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

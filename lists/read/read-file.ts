import { Unusable } from "../unusable.ts";
import { MAX_BULK_ROWS } from "../../contract/limits.ts";
import { checkWorkbook } from "./check-workbook.ts";
import { decodeText } from "./decode-text.ts";
import { readText } from "./read-text.ts";
import { createRows, isBlank, tooMany, tooManyColumns, tooManyRows } from "./table.ts";
import type { Table } from "./table.ts";

/** Largest file, in bytes. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** The most sheets to choose from. */
const MAX_SHEETS = 1_000;
/** How long a workbook may take, in milliseconds. */
const MOST_MS = 60_000;
/**
 * Reads a workbook (XLSX). Its reader is loaded with the first one.
 * @param wanted the name of a sheet; null for the first
 * @throws Unusable
 */
export async function readWorkbook(bytes: Uint8Array, wanted: string | null): Promise<Table> {
  const { readXlsx, streamXlsxRows } = await import("hucre/xlsx");
  const sheets: string[] = [];
  try {
    await checkWorkbook(bytes);
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
    if (!sheets.includes(sheet)) {
      throw new Unusable(`The workbook has no sheet “${sheet}”. It has: ${sheets.slice(0, 20).join(", ")}.`);
    }
    const rows = createRows();
    let next = 0;
    const start = performance.now();
    for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
      if (performance.now() - start > MOST_MS)
        throw new Unusable("Reading the workbook takes too long. Save it as CSV.");
      // Excel keeps empty rows that have a style, and a row may have any number.
      if (index > MAX_BULK_ROWS && !isBlank(values)) throw tooManyRows();
      for (; next < Math.min(index, MAX_BULK_ROWS); next++) rows.add([]);
      next += 1;
      rows.add(values);
    }
    return { rows: rows.all(), sheets, sheet, source: null };
  } catch (error) {
    if (error instanceof Unusable) throw error;
    if (/outside the supported sheet bounds/.test(String(error))) throw tooManyColumns();
    throw new Unusable("We couldn’t read the workbook. Save it as .xlsx without a password, or as CSV.");
  }
}

export const UNREADABLE = "We can’t read this file. Choose a CSV, XLSX, or VCF file.";
/** Documents that may be nothing but text, though not a list: their numbers would be object offsets and markup. */
const DOCUMENT_NAME = /\.(?:pdf|rtf|docx?|odt|html?|xml|json)$/i;
const DOCUMENT_START = /^(?:%PDF-|\{\\rtf)/;

/** Whether a file is a document of another kind, by its name or first bytes. */
export function isDocument(bytes: Uint8Array, name: string): boolean {
  return DOCUMENT_NAME.test(name) || DOCUMENT_START.test(String.fromCharCode(...bytes.subarray(0, 5)));
}

/** Whether a file is a workbook (XLSX), by its first bytes. @throws Unusable for one of the old format */
export function isWorkbook([first, second]: Uint8Array): boolean {
  if (first === 0xd0 && second === 0xcf) {
    throw new Unusable("This file is in the old Excel format (.xls) or has a password. Save it as .xlsx or CSV.");
  }
  return first === 0x50 && second === 0x4b;
}

/** @throws Unusable for a file of so many bytes: reading it would exhaust the memory */
export function checkSize(bytes: number): void {
  if (bytes > MAX_FILE_BYTES) {
    throw new Unusable(`The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB. Split it.`);
  }
}

/**
 * Reads a file: a workbook (XLSX), a text file (CSV, TSV, or a list), or contacts (vCard).
 * @param sheet the name of a workbook's sheet; null for its first
 * @throws Unusable
 */
export async function readFile(bytes: Uint8Array, name: string, sheet: string | null = null): Promise<Table> {
  checkSize(bytes.length);
  if (isWorkbook(bytes)) return readWorkbook(bytes, sheet);
  const text = isDocument(bytes, name) ? null : await decodeText(bytes);
  if (text === null) throw new Unusable(UNREADABLE);
  return readText(text);
}

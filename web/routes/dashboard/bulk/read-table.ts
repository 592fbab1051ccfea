import { Unusable } from "./unusable.ts";
import type { Cell } from "../../../../lists/cells.ts";
import { MAX_BULK_ROWS } from "../../../../contract/limits.ts";
import { decodeText } from "./decode-text.ts";
import { readText } from "./read-text.ts";
import { isBlank, MAX_CELLS, tooMany, tooManyCells, tooManyColumns, tooManyRows, within } from "./table.ts";
import type { Table } from "./table.ts";
import { unpackedSizes } from "./unpacked-size.ts";

/** Largest file, in bytes. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** The most sheets to choose from. */
const MAX_SHEETS = 1_000;
/**
 * The largest unpacked workbook, in bytes: the most cells at 65 bytes each. And the largest one without its sheets, which
 * is read as a whole: texts that occur once, and styles.
 */
const MAX_UNPACKED = { all: 200 * 1024 * 1024, besidesSheets: 32 * 1024 * 1024 } as const;
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
      if (index > MAX_BULK_ROWS || rows.length > MAX_BULK_ROWS) throw tooManyRows();
      while (rows.length < index) rows.push([]);
      rows.push(values);
      cells += values.length;
      if (cells > MAX_CELLS) throw tooManyCells();
    }
    return { rows: within(rows), sheets, sheet, source: null };
  } catch (error) {
    if (error instanceof Unusable) throw error;
    if (/outside the supported sheet bounds/.test(String(error))) throw tooManyColumns();
    throw new Unusable("We couldn’t read the workbook. Save it as .xlsx without a password, or as CSV.");
  }
}

/** Documents that may be nothing but text, though not a list: their numbers would be object offsets and markup. */
const DOCUMENT_NAME = /\.(?:pdf|rtf|docx?|odt|html?|xml|json)$/i;
const DOCUMENT_START = /^(?:%PDF-|\{\\rtf)/;

function isDocument(bytes: Uint8Array, file: Blob): boolean {
  const name = file instanceof File ? file.name : "";
  return DOCUMENT_NAME.test(name) || DOCUMENT_START.test(String.fromCharCode(...bytes.subarray(0, 5)));
}

/**
 * Reads a file: a workbook (XLSX), a text file (CSV, TSV, or a list), or contacts (vCard).
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
  const text = isDocument(bytes, file) ? null : await decodeText(bytes);
  if (text === null) throw new Unusable("We can’t read this file. Choose a CSV, XLSX, or VCF file.");
  return readText(text);
}

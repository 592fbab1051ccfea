import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import Papa from "papaparse";

/** A register as downloaded. */
export interface SourceFile {
  readonly name: string;
  /** From the file's name: "2026-08-01" for `ift-ranges-2026-08.tsv.gz`; null without one. */
  readonly date: string | null;
  /** Unpacked. */
  readonly bytes: Uint8Array;
}

export interface Layout<Column extends string> {
  readonly delimiter: "," | ";" | "\t";
  readonly encoding: "utf-8" | "latin1";
  /** The columns we read, in any case; the file may have more, in any order. */
  readonly columns: readonly Column[];
}

/** The newest file whose name starts with this, unpacked; null if the folder has none. */
export function findSource(directory: string, start: string): SourceFile | null {
  const [newest] = readdirSync(directory)
    .filter((file) => file.startsWith(`${start}-`))
    .map((name) => ({ name, date: dateIn(name) }))
    .toSorted((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));
  if (newest === undefined) return null;
  return { ...newest, bytes: unpacked(readFileSync(join(directory, newest.name)), newest.name) };
}

/** The date in a file's name; null if there is none. */
function dateIn(name: string): string | null {
  const dated = /-(\d{4}-\d\d)(-\d\d)?\./.exec(name);
  return dated === null ? null : `${dated[1]}${dated[2] ?? "-01"}`;
}

/** The file's date. @throws Error if its name has none */
export function dateOf({ name, date }: SourceFile): string {
  if (date === null) throw new Error(`${name}: its name has no date, such as -2026-08-01`);
  return date;
}

/** A file's rows by column, without padding and quotes. @throws Error for HTML, and if a column is missing */
export function readRows<Column extends string>(
  file: SourceFile,
  { delimiter, encoding, columns }: Layout<Column>,
): Record<Column, string>[] {
  const { data, meta } = Papa.parse<Record<Column, string>>(textOf(file, encoding), {
    header: true,
    delimiter,
    skipEmptyLines: true,
    // NANPA pads quoted cells, which CSV doesn't allow.
    ...(delimiter === "\t" ? { quoteChar: "\0" } : {}),
    transformHeader: (name) => columns.find((column) => isSameName(column, name)) ?? name.trim(),
    transform: (value) =>
      value
        .trim()
        .replace(/^"(.*)"$/, "$1")
        .trim(),
  });
  const missing = columns.filter((column) => !meta.fields?.includes(column));
  if (missing.length > 0) {
    throw new Error(`${file.name}: no column ${missing.join(", ")}; there are ${meta.fields?.join(", ") ?? "none"}`);
  }
  return data;
}

function isSameName(column: string, name: string): boolean {
  return column.toLowerCase() === name.trim().toLowerCase();
}

/** A file's text. @throws Error for HTML, such as an error page in place of the data */
export function textOf({ name, bytes }: SourceFile, encoding: string): string {
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.trimStart().startsWith("<")) throw new Error(`${name} is HTML, not data`);
  return text;
}

function unpacked(bytes: Uint8Array, name: string): Uint8Array {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes);
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return bytes;
  const [first, ...others] = Object.values(unzipSync(bytes));
  if (first === undefined || others.length > 0) throw new Error(`${name} doesn't hold one file`);
  return first;
}

import { looksLikeDate, looksLikePhone, textOf, tidy } from "../cells.ts";
import type { Cell, Rows } from "../cells.ts";
import { namesCountry, namesPhone } from "./header-words.ts";

/** Rows that are searched for a header, and those below it that show what is in its columns. */
const SEARCHED = { titles: 20, below: 200 } as const;
/** Rows of a header: a survey has names, questions, and ids. */
const MOST_ROWS = 3;

export function cellText(cell: Cell | undefined): string {
  return tidy(textOf(cell));
}

function widthOf(rows: Rows): number {
  let width = 0;
  for (const row of rows) width = Math.max(width, row.length);
  return width;
}

function filledIn(row: readonly Cell[] = []): number {
  return row.filter((cell) => cellText(cell) !== "").length;
}

/** The rows below a header. */
export function below(rows: Rows, header: number | null): Rows {
  return header === null ? rows : rows.slice(header + 1);
}

/** Each column's header; "Column 3" without one. */
export function namesOf(rows: Rows, header: number | null): string[] {
  return Array.from({ length: widthOf(rows) }, (_, column) => {
    const head = header === null ? "" : cellText(rows[header]?.[column]);
    return head || `Column ${column + 1}`;
  });
}

function digitsIn(text: string): number {
  return text.match(/\p{Nd}/gu)?.length ?? 0;
}

/** Words, which may end with a digit: `Phone 1`, but not 1-800-FLOWERS. */
function isWord(cell: Cell): boolean {
  const text = cellText(cell);
  return typeof cell === "string" && /^\P{Nd}*\p{L}/u.test(text) && digitsIn(text) < 6 && !text.includes("@");
}

/** Also `#`, `1st Phone`, a year, and a question with an example. */
function mayBeHeader(cell: Cell): boolean {
  const text = cellText(cell);
  if (looksLikePhone(text) || looksLikeDate(text)) return false;
  return digitsIn(text) < 6 || /\p{L}{2,}\P{L}+\p{L}{2,}/u.test(text);
}

function filled(row: readonly Cell[]): readonly Cell[] {
  return row.filter((cell) => cellText(cell) !== "");
}

function namesSomething(cell: Cell): boolean {
  const text = cellText(cell);
  return namesPhone(text) || namesCountry(text) === true;
}

/** Whether a row has names of columns: every cell is words, or one names a phone or a country and none is data. */
function isHeader(row: readonly Cell[]): boolean {
  const cells = filled(row);
  if (cells.length === 0) return false;
  return cells.every(isWord) || (cells.length > 1 && cells.some(namesSomething) && cells.every(mayBeHeader));
}

const IMPORT_ID = /^\{"?ImportId/;
/** What a second row of a header says of a column of numbers. */
const OF_NUMBERS =
  /^\W*(?:(?:phone |telephone |mobile )?(?:number|no|nr)|nummer|numero|número|numer|номер|value|wert|response|open[ -]ended response|text|string|varchar|char|answer|antwort|réponse|respuesta|resposta)\W*$/i;

/** The columns that have numbers below a row. */
function numberColumns(rows: Rows, header: number): number[] {
  const sample = rows.slice(header + 1, header + 1 + SEARCHED.below);
  return Array.from({ length: widthOf(sample) }, (_, column) => column).filter((column) => {
    const texts = sample.map((row) => cellText(row[column])).filter((text) => text !== "");
    return texts.length > 0 && texts.filter((text) => digitsIn(text) >= 6).length >= texts.length / 2;
  });
}

/** Whether a row continues a header: it names a column of numbers that are below it. */
function continues(rows: Rows, at: number): boolean {
  const row = rows[at];
  if (row === undefined || filledIn(row) === 0 || !filled(row).every(mayBeHeader)) return false;
  return numberColumns(rows, at).some((column) => {
    const text = cellText(row[column]);
    return OF_NUMBERS.test(text) || namesPhone(text);
  });
}

/** Whether a row names phone numbers, which are below it. */
function isAboveNumbers(rows: Rows, at: number): boolean {
  const row = rows[at]!;
  return isHeader(row) && numberColumns(rows, at).some((column) => namesPhone(cellText(row[column])));
}

/** The last row of a header that begins at a row. */
function lastOf(rows: Rows, first: number): number {
  const next = [first + 1, first + 2];
  const ids = next.find((at) => rows[at]?.some((cell) => IMPORT_ID.test(cellText(cell))));
  if (ids !== undefined) return ids;
  let last = first;
  for (const at of next) if (at === last + 1 && continues(rows, at)) last = at;
  return last;
}

/**
 * The row with the columns' names, below a title if there is one: words above numbers, and the first with a phone or else
 * the first that is mostly filled. Of a header with several rows, the last. Null if there is none.
 */
export function headerAt(rows: Rows): number | null {
  const width = widthOf(rows.slice(0, SEARCHED.below));
  let [named, full, alone, longest]: [number | null, number | null, number | null, number] = [null, null, null, 0];
  let hasData = false;
  for (const [at, row] of rows.slice(0, SEARCHED.titles).entries()) {
    hasData ||= row.some((cell) => looksLikePhone(cellText(cell)));
    const count = filledIn(row);
    // A report may have numbers above its table, whose header is the first row of that width.
    if (hasData && count > longest && count > 2 && isAboveNumbers(rows, at)) named ??= at;
    if (!hasData && isHeader(row) && (count > longest || width === 1)) {
      const isNamed = row.some((cell) => namesPhone(cellText(cell)));
      if (isNamed && (count > 1 || width === 1)) named ??= at;
      if (count > width / 2) full ??= at;
      // "Phone list" may be a title.
      if (isNamed || at === 0) alone ??= at;
    }
    longest = Math.max(longest, count);
  }
  const found = named ?? full ?? alone;
  if (found === null) return null;
  const isAbove = rows.slice(found + 1).some((row) => row.some((cell) => /\p{Nd}|^#/u.test(cellText(cell))));
  return isAbove ? lastOf(rows, found) : null;
}

/** A row of groups, each over several columns, with its names in all of them. */
function spread(row: readonly Cell[], width: number): string[] {
  let group = "";
  return Array.from({ length: width }, (_, column) => (group = cellText(row[column]) || group));
}

/**
 * What a header says of each column, in all of its rows: a survey's question, and the group above names that repeat.
 * "Column 3" without one.
 */
export function labelsOf(rows: Rows, header: number | null): string[] {
  const names = namesOf(rows, header);
  if (header === null || header === 0) return names;
  const own = names.map((name) => (IMPORT_ID.test(name) ? "" : name));
  const isOfIds = own.some((name) => name === "");
  const repeats = new Set(own).size < own.length;
  const groups: string[][] = [];
  for (let at = header - 1; at >= Math.max(0, header - MOST_ROWS + 1); at--) {
    const row = rows[at]!;
    if (filledIn(row) < 2 || !filled(row).every(mayBeHeader)) break;
    if (isOfIds) groups.unshift(names.map((_, column) => cellText(row[column])));
    else if (repeats || continues(rows, header)) groups.unshift(spread(row, names.length));
    else break;
  }
  return own.map((name, column) => {
    const parts = [...groups.map((group) => group[column]!), name].filter((part) => part !== "");
    return [...new Set(parts)].join(" · ").replaceAll(/\s+/g, " ") || names[column]!;
  });
}

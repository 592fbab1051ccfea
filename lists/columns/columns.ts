import { looksLikePhone, textOf, tidy } from "../cells.ts";
import type { Cell, Rows } from "../cells.ts";
import { isOtherData, mayHaveNumber, phonesIn } from "./column-content.ts";
import { namesCountry, namesMobile, namesOther, namesPhone } from "./header-words.ts";
import type { CountryReader } from "./read-country.ts";

/** Sampled rows for detecting a column's content. */
const SAMPLE = 2_000;
/** Rows above a header: a title, a date, blank rows. */
const MOST_TITLES = 20;

/** How a table is interpreted. */
export interface Reading {
  /** The header's row, from 0; null without one. Rows above it are a title. */
  readonly header: number | null;
  /** Which column has the numbers. */
  readonly column: number;
  /** Which column has each row's country; null if none does. */
  readonly countryColumn: number | null;
}

function cellText(cell: Cell | undefined): string {
  return tidy(textOf(cell));
}

function widthOf(rows: Rows): number {
  let width = 0;
  for (const row of rows) width = Math.max(width, row.length);
  return width;
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

function filledIn(row: readonly Cell[]): number {
  return row.filter((cell) => cellText(cell) !== "").length;
}

/** Whether every cell of a row is words, which may end with a digit: `Phone 1`, but not 1-800-FLOWERS. */
function isWords(row: readonly Cell[]): boolean {
  const filled = row.filter((cell) => cellText(cell) !== "");
  return (
    filled.length > 0 &&
    filled.every((cell) => {
      const text = cellText(cell);
      const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
      return typeof cell === "string" && /^\P{Nd}*\p{L}/u.test(text) && digits < 6 && !text.includes("@");
    })
  );
}

/**
 * The row with the columns' names, below a title if there is one: words above numbers, and the first with a phone or else
 * the first that is mostly filled. Null if there is none.
 */
export function headerAt(rows: Rows): number | null {
  const width = widthOf(rows.slice(0, SAMPLE));
  let [named, full, alone, longest]: [number | null, number | null, number | null, number] = [null, null, null, 0];
  for (const [at, row] of rows.slice(0, MOST_TITLES).entries()) {
    if (row.some((cell) => looksLikePhone(cellText(cell)))) break;
    const filled = filledIn(row);
    if (isWords(row) && (filled > longest || width === 1)) {
      const isNamed = row.some((cell) => namesPhone(cellText(cell)));
      if (isNamed && (filled > 1 || width === 1)) named ??= at;
      if (filled > width / 2) full ??= at;
      // "Phone list" may be a title.
      if (isNamed || at === 0) alone ??= at;
    }
    longest = Math.max(longest, filled);
  }
  const found = named ?? full ?? alone;
  if (found === null) return null;
  const isAbove = rows.slice(found + 1, SAMPLE).some((row) => row.some((cell) => /\p{Nd}|^#/u.test(cellText(cell))));
  return isAbove ? found : null;
}

/** Evenly spread rows: the first may lack what later ones have. */
function sampleOf(rows: Rows): Rows {
  const step = Math.ceil(rows.length / SAMPLE);
  return step > 1 ? rows.filter((_, at) => at % step === 0) : rows;
}

interface Candidate {
  readonly column: number;
  readonly count: number;
  readonly rank: number;
}

/** The columns with the highest rank, then most numbers, first. A column with less than half as many has none. */
function inOrder(candidates: readonly Candidate[]): number[] {
  const most = Math.max(...candidates.map(({ count }) => count));
  const rankOf = ({ count, rank }: Candidate) => (count >= most / 2 ? rank : -1);
  return candidates.toSorted((a, b) => rankOf(b) - rankOf(a) || b.count - a.count).map(({ column }) => column);
}

/**
 * The columns with phone numbers, best first. Those with a header that says so win over everything, and among them
 * mobile numbers if they are half as many as the others. Without such a header, what the columns contain decides.
 */
export function phoneColumns(rows: Rows, header: number | null): number[] {
  const sample = sampleOf(below(rows, header));
  const columns = namesOf(rows, header).map((name, column) => {
    const texts = sample.map((row) => cellText(row[column])).filter((text) => text !== "");
    return { name, column, texts };
  });
  const named = header === null ? [] : columns.filter(({ name }) => namesPhone(name));
  const withNumbers = named.flatMap(({ name, column, texts }) => {
    const count = mayHaveNumber(texts);
    return count === 0 || count < texts.length / 10 ? [] : [{ column, count, rank: namesMobile(name) ? 1 : 0 }];
  });
  if (withNumbers.length > 0) return inOrder(withNumbers);

  const others = columns.flatMap(({ name, column, texts }) => {
    const { count, certainty } = phonesIn(texts);
    const isOther = (header !== null && namesOther(name)) || isOtherData(texts);
    return count < texts.length / 2 || count === 0 || isOther ? [] : [{ column, count, rank: certainty }];
  });
  if (others.length > 0) return inOrder(others);
  // Every number may be damaged.
  return named.map(({ column }) => column);
}

/** The column that most likely has the phone numbers; the first with any number, or the first, if none does. */
export function bestColumn(rows: Rows, header: number | null): number {
  const [best] = phoneColumns(rows, header);
  if (best !== undefined) return best;
  const sample = sampleOf(below(rows, header));
  const some = namesOf(rows, header).findIndex((_, column) =>
    sample.some((row) => looksLikePhone(cellText(row[column]))),
  );
  return Math.max(0, some);
}

/**
 * The column with each row's country: the first whose header says so and of whose texts at least half are countries.
 * Null if there is none, as without a header: codes of languages and states look like those of countries.
 */
export function countryColumn(rows: Rows, header: number | null, readCountry: CountryReader): number | null {
  if (header === null) return null;
  const sample = sampleOf(below(rows, header));
  const found = namesOf(rows, header).findIndex((name, column) => {
    if (!namesCountry(name)) return false;
    const texts = sample.map((row) => cellText(row[column])).filter((text) => text !== "");
    return texts.length > 0 && texts.filter((text) => readCountry(text) !== null).length >= texts.length / 2;
  });
  return found === -1 ? null : found;
}

/** A row's country, ISO 3166-1 alpha-2: null if its cell is blank, `unread` if we can't tell which it is. */
export type RowCountry = string | null | { readonly unread: string };

/** The country in a cell. */
export function countryIn(cell: Cell | undefined, readCountry: CountryReader): RowCountry {
  const text = cellText(cell);
  if (text === "") return null;
  return readCountry(text) ?? { unread: text };
}

import { formatCount } from "../../contract/format.ts";
import { MAX_BULK_ROWS } from "../../contract/limits.ts";
import { Unusable } from "../unusable.ts";
import type { Cell, Rows } from "../cells.ts";

/** The most cells: a hundred thousand rows of thirty columns. */
const MAX_CELLS = 3_000_000;
/** The most columns, as in Excel. */
export const MAX_COLUMNS = 16_384;

/** Rows of cells, unchanged. */
export interface Table {
  readonly rows: Rows;
  /** A workbook's sheets by name, except hidden ones; empty for a text file. */
  readonly sheets: readonly string[];
  readonly sheet: string | null;
  /** How the rows are written in a text file; null if they are from elsewhere. */
  readonly source: Source | null;
}

/** A text file's rows as they are, so that they can be written back unchanged. */
export interface Source {
  /** Each row, with its quotes, without its line end. */
  readonly lines: readonly string[];
  readonly separator: string;
  readonly lineEnd: string;
}

/** Whether a row has nothing. */
export function isBlank(row: readonly Cell[]): boolean {
  return row.every((cell) => cell === null || (typeof cell === "string" && cell.trim() === ""));
}

export function tooMany(limit: number, what: string, remedy: string): Unusable {
  return new Unusable(`There are more than ${formatCount(limit)} ${what}. ${remedy}`);
}
export const tooManyRows = () => tooMany(MAX_BULK_ROWS, "rows, the limit for one check", "Split the list.");
export const tooManyCells = () => tooMany(MAX_CELLS, "cells", "Remove columns you don’t need.");
export const tooManyColumns = () => tooMany(MAX_COLUMNS, "columns", "Remove those you don’t need.");

/** The most rows and cells that are looked at: a spreadsheet has a million rows, of which most may be blank. */
export const MOST_SEEN = { rows: 2 ** 20, cells: 2 * MAX_CELLS } as const;

/** Collects rows within the limits. Blank ones at the end don't count. */
export function createRows() {
  const rows: (readonly Cell[])[] = [];
  const seen = { rows: 0, cells: 0 };
  let cells = 0;
  return {
    /** @throws Unusable for too many rows or cells */
    add(row: readonly Cell[]): void {
      seen.rows += 1;
      seen.cells += row.length;
      if (seen.rows > MOST_SEEN.rows) throw tooManyRows();
      if (seen.cells > MOST_SEEN.cells) throw tooManyCells();
      if (rows.length > MAX_BULK_ROWS) {
        if (!isBlank(row)) throw tooManyRows();
        return;
      }
      rows.push(row);
      cells += row.length;
      if (cells > MAX_CELLS && !isBlank(row)) throw tooManyCells();
    },
    /** The rows up to the last one with something in it. @throws Unusable if there is none */
    all(): Rows {
      while (rows.length > 0 && isBlank(rows.at(-1)!)) rows.pop();
      if (rows.length === 0) throw new Unusable("The file is empty.");
      return rows;
    },
  };
}

/** Rows that aren't written anywhere as they are. @throws Unusable */
export function tableOf(given: Rows): Table {
  const rows = createRows();
  for (const row of given) rows.add(row);
  return { rows: rows.all(), sheets: [], sheet: null, source: null };
}

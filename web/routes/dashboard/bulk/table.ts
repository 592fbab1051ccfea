import { formatCount } from "../../../../contract/format.ts";
import { MAX_BULK_ROWS } from "../../../../contract/limits.ts";
import { Unusable } from "./unusable.ts";
import type { Cell, Rows } from "../../../../lists/cells.ts";

/** The most cells: a hundred thousand rows of thirty columns. */
export const MAX_CELLS = 3_000_000;
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

/** The rows up to the last nonempty one. @throws Unusable for an empty or too large table */
export function within(rows: (readonly Cell[])[]): (readonly Cell[])[] {
  while (rows.length > 0 && isBlank(rows.at(-1)!)) rows.pop();
  if (rows.length === 0) throw new Unusable("The file is empty.");
  if (rows.length > MAX_BULK_ROWS + 1) throw tooManyRows();
  let cells = 0;
  for (const row of rows) cells += row.length;
  if (cells > MAX_CELLS) throw tooManyCells();
  return rows;
}

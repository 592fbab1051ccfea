import { looksLikePhone, textOf, tidy } from "./cells.ts";
import type { Cell } from "./cells.ts";
import type { Table } from "./read-table.ts";

/** Sampled rows for detecting a column's content. */
const SAMPLE = 2_000;

/** How a table is interpreted: whether its first row is a header, and which column has the numbers. */
export interface Reading {
  readonly hasHeader: boolean;
  readonly column: number;
}

function cellText(cell: Cell | undefined): string {
  return tidy(textOf(cell));
}

function widthOf(rows: Table["rows"]): number {
  let width = 0;
  for (const row of rows) width = Math.max(width, row.length);
  return width;
}

/** Each column's header; "Column 3" without one. */
export function namesOf(rows: Table["rows"], hasHeader: boolean): string[] {
  return Array.from({ length: widthOf(rows) }, (_, column) => {
    const head = hasHeader ? cellText(rows[0]?.[column]) : "";
    return head || `Column ${column + 1}`;
  });
}

/** Typical headers of columns with phone numbers; the tiebreaker. */
const TELLING = /phone|mobile|cell|tel|number|msisdn/i;

/** The column with the most numbers, preferring a typical header on ties; the first if none has any. */
export function bestColumn(rows: Table["rows"], hasHeader: boolean): number {
  const names = namesOf(rows, hasHeader);
  const counts = names.map(() => 0);
  for (const row of rows.slice(hasHeader ? 1 : 0, SAMPLE)) {
    for (const [column, cell] of row.entries()) if (looksLikePhone(cellText(cell))) counts[column]! += 1;
  }
  let best = 0;
  for (const [column, count] of counts.entries()) {
    const ties = count === counts[best] && TELLING.test(names[column]!) && !TELLING.test(names[best]!);
    if (count > counts[best]! || ties) best = column;
  }
  return best;
}

/** A header has words, no cell of it is a number, and something below is. */
export function seemsHeader(rows: Table["rows"]): boolean {
  const [first, ...others] = rows.slice(0, SAMPLE);
  if (first === undefined || first.some((cell) => looksLikePhone(cellText(cell)))) return false;
  const hasWords = first.some((cell) => typeof cell === "string" && cell.trim() !== "" && !/\p{Nd}/u.test(cell));
  return hasWords && others.some((row) => row.some((cell) => /\p{Nd}/u.test(cellText(cell))));
}

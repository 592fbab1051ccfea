import { namesPhone } from "../columns/header-words.ts";
import { createRowReader, newlineIn, NO_SEPARATOR } from "./rows.ts";
import type { Row } from "./rows.ts";

/** Excel's own line for the separator, which is not part of the table. */
export const SEPARATOR_LINE = /^sep=(.)(?:\r\n|\r|\n)/i;

const SEPARATORS = [",", ";", "\t", "|"] as const;
/** How many rows are tried with each separator. */
const TRIED_ROWS = 50;

/** The first rows with something in them, up to one that can't be read. */
export function firstRows(text: string, separator: string, most: number): readonly Row[] {
  const rows: Row[] = [];
  try {
    for (const row of createRowReader({ separator, newline: newlineIn(text) }, Infinity)(text, true)) {
      if (row.text.trim() !== "" && rows.push(row) === most) break;
    }
  } catch {
    // Its problem shows where the text is read.
  }
  return rows;
}

/** The most common number of cells per row above one; 0 if every row is one cell. */
function commonWidth(rows: readonly Row[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most?.[0] ?? 0;
}

/** The rows of a table in a report: without the lines of a title above it and of a footer below it. */
function tableIn(rows: readonly Row[], width: number): readonly Row[] {
  const isOfTable = ({ cells }: Row) => cells.length === width;
  const [first, last] = [rows.findIndex(isOfTable), rows.findLastIndex(isOfTable)];
  const table = rows.slice(first, last + 1);
  const around = [...rows.slice(0, first), ...rows.slice(last + 1)];
  // A few lines with a comma are no table, unless the first one names phones.
  const isNamed = first === 0 && table[0]!.cells.some(namesPhone);
  const isTable = table.length > (isNamed ? 1 : 2) && table.every(isOfTable);
  return isTable && (width > 2 || around.every(({ cells }) => cells.length === 1)) ? table : rows;
}

/** The most common number of cells per row above one, and the share of the rows that have it. */
function agreement(text: string, separator: string): { share: number; width: number } {
  const rows = firstRows(text, separator, TRIED_ROWS);
  const width = commonWidth(rows);
  if (width === 0) return { share: 0, width: 1 };
  const table = tableIn(rows, width);
  return { share: table.filter(({ cells }) => cells.length === width).length / table.length, width };
}

/** The cell separator of a text by its start: the one most rows agree on, or `NO_SEPARATOR` if every line is one cell. */
export function separatorOf(start: string): string {
  let best = { separator: NO_SEPARATOR, share: 0.5, width: 0 };
  for (const separator of SEPARATORS) {
    const { share, width } = agreement(start, separator);
    if (share > best.share || (share === best.share && width > best.width)) best = { separator, share, width };
  }
  return best.separator;
}

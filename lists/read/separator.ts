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

/** The most common number of cells per row above one, and the share of the first rows that have it. */
function agreement(text: string, separator: string): { share: number; width: number } {
  const rows = firstRows(text, separator, TRIED_ROWS);
  const counts = new Map<number, number>();
  for (const { cells } of rows) if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most === undefined ? { share: 0, width: 1 } : { share: most[1] / rows.length, width: most[0] };
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

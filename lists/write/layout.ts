import { fieldsOf } from "../../contract/csv.ts";
import { textOf } from "../cells.ts";
import type { Cell } from "../cells.ts";
import { NO_SEPARATOR } from "../read/rows.ts";

/** How a text file is written. */
export interface TextMarks {
  readonly separator: string;
  readonly lineEnd: string;
}

/** A row of a list, and how a text file writes it. */
export interface WrittenRow {
  readonly text: string;
  readonly cells: readonly Cell[];
}

/** How rows are written as a text: as they are, with our cells after them. */
export interface Layout extends TextMarks {
  /** A row's own part, with as many cells as the widest row. */
  own(row: WrittenRow): string;
  /** Cells as a part of a row. */
  fields(cells: readonly Cell[]): string;
}

/** A cell in a text file. */
export function plainText(cell: Cell): string {
  return typeof cell === "boolean" ? String(cell) : textOf(cell);
}

/**
 * @param width how many cells the widest row has
 * @param guard changes a cell that a spreadsheet would run; its row is written anew
 */
export function createLayout(
  { separator: given, lineEnd }: TextMarks,
  width: number,
  guard: (text: string) => string = (text) => text,
): Layout {
  const separator = given === NO_SEPARATOR ? "," : given;
  const fields = (cells: readonly Cell[]) =>
    fieldsOf(
      cells.map((cell) => guard(plainText(cell))),
      separator,
    );
  return {
    separator,
    lineEnd,
    fields,
    own({ text, cells }) {
      const isKept = separator === given && cells.every((cell) => typeof cell !== "string" || guard(cell) === cell);
      return (isKept ? text : fields(cells)) + separator.repeat(width - cells.length);
    },
  };
}

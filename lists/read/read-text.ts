import { phoneColumns } from "../columns/columns.ts";
import { headerAt, namesOf } from "../columns/header.ts";
import { namesPhone } from "../columns/header-words.ts";
import { countEntries, listRows } from "./contact-list.ts";
import { createRowReader, newlineIn, NO_SEPARATOR } from "./rows.ts";
import type { Marks, Row } from "./rows.ts";
import { firstRows, SEPARATOR_LINE, separatorOf } from "./separator.ts";
import { Unusable } from "../unusable.ts";
import { createRows, isBlank, tableOf } from "./table.ts";
import type { Table } from "./table.ts";
import { isVcard, vcardRows } from "./vcard.ts";

/** How much of a text decides what it is, in characters. */
export const START = 100_000;

/** A text whose rows are its lines. */
export interface RowsForm extends Marks {
  readonly kind: "rows";
  /** Excel's line that names the separator, with its line end; empty without one. */
  readonly separatorLine: string;
}

/** What a text is: rows, or contacts or a list of names and numbers, whose rows are not its lines. */
export type TextForm = RowsForm | { readonly kind: "contacts" } | { readonly kind: "list" };

/** Whether a text is a list of names and numbers in free form, not a table in which a column has the numbers. */
function isList(found: readonly Row[], start: string): boolean {
  const rows = found.map(({ cells }) => cells);
  const header = headerAt(rows);
  const filled = rows.filter((row) => !isBlank(row));
  const isOneColumn = filled.every((row) => row.length === 1);
  if (header !== null && (!isOneColumn || namesOf(rows, header).some(namesPhone))) return false;
  const counted = countEntries(start.split(/\r\n|\r|\n/));
  const rich = counted.more + counted.several;
  if (filled.length === 1) return counted.numbers > 1;
  if (isOneColumn) return rich > 0;
  const isRagged = filled.some(({ length }) => length !== filled[0]!.length);
  if (isRagged && counted.several > 0) return true;
  return phoneColumns(rows, null).length === 0 && rich > counted.lines / 2;
}

/** Data of programs, whose numbers aren't in rows. */
const MARKUP = {
  JSON: /^\s*(?:\{\s*"|\[\s*(?:[{["\d-]|\]))/,
  HTML: /^\s*<(?:!doctype html|html|body|div|table|p)\b/i,
  XML: /^\s*<\?xml\b/,
};

/** What a text is, by its start, which has no byte order mark. @param isWhole whether there is no more of it @throws Unusable */
export function formOf(start: string, isWhole: boolean): TextForm {
  if (isVcard(start)) return { kind: "contacts" };
  const [markup] = Object.entries(MARKUP).find(([, pattern]) => pattern.test(start)) ?? [];
  if (markup !== undefined) throw new Unusable(`This is ${markup}. Paste the numbers alone, or choose a CSV file.`);
  const [separatorLine = "", named] = SEPARATOR_LINE.exec(start) ?? [];
  const text = start.slice(separatorLine.length);
  const separator = named ?? separatorOf(text);
  const rows = firstRows(text, separator, Infinity);
  // The last one may be cut off.
  const complete = isWhole || rows.length < 2 ? rows : rows.slice(0, -1);
  if (named === undefined && isList(complete, text)) return { kind: "list" };
  return { kind: "rows", separatorLine, separator, newline: newlineIn(start) };
}

/**
 * Reads a text into rows: comma, semicolon, tab, or pipe between cells, with quotes and line breaks within them. A list
 * of names and numbers has a row for each number, and so has a contacts file.
 * @throws Unusable
 */
export function readText(given: string): Table {
  const text = given.replace(/^\uFEFF/, "");
  const form = formOf(text.slice(0, START), text.length <= START);
  if (form.kind === "contacts") return tableOf(vcardRows(text));
  if (form.kind === "list") return tableOf(listRows(text.split(/\r\n|\r|\n/)));
  const collected = createRows();
  const lines: string[] = [];
  let lineEnd = "";
  for (const row of createRowReader(form)(text.slice(form.separatorLine.length), true)) {
    lines.push(row.text);
    if (lines.length === 1) ({ lineEnd } = row);
    collected.add(row.cells);
  }
  const rows = collected.all();
  const { separator } = form;
  const source =
    separator === NO_SEPARATOR ? null : { lines: lines.slice(0, rows.length), separator, lineEnd: lineEnd || "\n" };
  return { rows, sheets: [], sheet: null, source };
}

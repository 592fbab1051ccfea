import { formatCount } from "../../contract/format.ts";
import { Unusable } from "../unusable.ts";
import { MAX_COLUMNS, tooManyColumns } from "./table.ts";

/** A row of a text. */
export interface Row {
  /** As it is written, without its line end. */
  readonly text: string;
  /** Empty if the text ends without one. */
  readonly lineEnd: string;
  readonly cells: readonly string[];
}

/** What separates the cells of a text, and its rows; a carriage return may precede the latter. */
export interface Marks {
  readonly separator: string;
  readonly newline: "\n" | "\r";
}

/** Appears in no text: used as the separator, it makes each line a cell. */
export const NO_SEPARATOR = "\u001F";

/** A semicolon in an RFC 3966 number separates no cells. */
const PARAMETER = /;\s*(?:ext|isub|phone-context)=/iy;

/** What ends a row; a carriage return may precede it in some rows. */
export function newlineIn(text: string): "\n" | "\r" {
  return text.includes("\n") ? "\n" : "\r";
}

/**
 * Reads rows (RFC 4180) from a text that comes in parts. Call it with each part, and whether it is the last; it yields
 * the rows that are complete.
 * @param mostCells of a row
 * @throws Unusable for misplaced quotation marks and too many columns
 */
export function createRowReader(
  { separator, newline }: Marks,
  mostCells = MAX_COLUMNS,
): (part: string, isLast: boolean) => Generator<Row> {
  let text = "";
  let place = 1;
  /** The next separator and line end, so that none is searched for twice. */
  let [nextSeparator, nextNewline] = [-1, -1];

  function find(mark: string, from: number): number {
    const at = text.indexOf(mark, from);
    return at === -1 ? Infinity : at;
  }
  function isParameter(at: number): boolean {
    PARAMETER.lastIndex = at;
    return separator === ";" && at !== Infinity && PARAMETER.test(text);
  }
  function separatorFrom(at: number): number {
    if (nextSeparator < at) nextSeparator = find(separator, at);
    while (isParameter(nextSeparator)) nextSeparator = find(separator, nextSeparator + 1);
    return nextSeparator;
  }
  function newlineFrom(at: number): number {
    if (nextNewline < at) nextNewline = find(newline, at);
    return nextNewline;
  }

  /** Where the closing quotation mark of a cell is, and where the cell ends; null if the text ends before it does. */
  function closing(open: number, isLast: boolean): { close: number; end: number; isMisquoted: boolean } | null {
    let isMisquoted = false;
    for (let at = open; ;) {
      at = text.indexOf('"', at + 1);
      if (at === -1) {
        if (!isLast) return null;
        throw new Unusable(`A quotation mark in row ${formatCount(place)} is never closed.`);
      }
      if (text[at + 1] === '"') {
        at += 1;
        continue;
      }
      let end = at + 1;
      while (end < text.length && text[end] !== newline && text[end] !== separator && text[end]!.trim() === "")
        end += 1;
      if (end === text.length && !isLast) return null;
      if (end === text.length || text[end] === newline || text[end] === separator)
        return { close: at, end, isMisquoted };
      isMisquoted = true;
    }
  }

  /** The row that begins at a place, and where the next one does; null if the text ends before it does. */
  function rowAt(from: number, isLast: boolean): { row: Row; next: number } | null {
    const cells: string[] = [];
    for (let at = from; ;) {
      let end: number;
      if (text[at] === '"') {
        const found = closing(at, isLast);
        if (found === null) return null;
        ({ end } = found);
        const cell = text.slice(at + 1, found.close).replaceAll('""', '"');
        // The search for the end went on in other cells, and in other rows.
        if (found.isMisquoted && /[\r\n]/.test(cell)) {
          throw new Unusable(`A quotation mark in row ${formatCount(place)} isn’t closed where its cell ends.`);
        }
        cells.push(cell);
      } else {
        end = Math.min(separatorFrom(at), newlineFrom(at), text.length);
        if (end === text.length && !isLast) return null;
        cells.push(text.slice(at, end));
      }
      if (cells.length > mostCells) throw tooManyColumns();
      if (end < text.length && text[end] === separator) {
        at = end + 1;
        continue;
      }
      const next = Math.min(end + 1, text.length);
      const written = text.slice(from, next);
      const [lineEnd] = /(?:\r?\n|\r)?$/.exec(written)!;
      if (text[at] !== '"') cells[cells.length - 1] = cells.at(-1)!.replace(/\r$/, "");
      return { row: { text: written.slice(0, written.length - lineEnd.length), lineEnd, cells }, next };
    }
  }

  return function* read(part, isLast) {
    text += part;
    let at = 0;
    [nextSeparator, nextNewline] = [-1, -1];
    while (at < text.length) {
      const found = rowAt(at, isLast);
      if (found === null) break;
      yield found.row;
      place += 1;
      at = found.next;
    }
    text = text.slice(at);
  };
}

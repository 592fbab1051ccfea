/** What spreadsheets change into another number: leading zeros, more digits than they show, and `12E4`. */
const CHANGED = /^0\d|^\d{12,}$|^\d+(?:[.,]\d*)?E[+-]?\d+$/i;
const NEGATIVE = /^-\d+(?:[.,]\d+)?$/;
/** A cell of ours that starts like a number must stay exactly as written. */
const NUMBER_LIKE = /^[\d(]/;

/**
 * Before a formula's first character (OWASP, CSV injection; full-width forms too), at the start of a cell or of a part.
 * Excel splits at its locale's separator and at line breaks, even inside a quoted cell, and skips a quote there:
 * `a;"=1+1` has a formula in Germany. Quotes don't help.
 */
const BEFORE_FORMULA = /(?<=(?:^|[,;|\t\r\n])["\s\p{Cc}]*)(?=[=+\-@＝＋－＠])/gu;

interface Place {
  /** A line's first cell: where commas don't separate, the next cells would continue its negative number. */
  readonly isFirst?: boolean;
  readonly isOurs?: boolean;
}

/**
 * A text as a CSV cell for spreadsheets: puts an apostrophe before anything they would evaluate or change. Removes
 * nothing, so `+5511987654321` keeps its plus.
 */
export function guardCell(text: string, { isFirst = false, isOurs = false }: Place = {}): string {
  if (!isFirst && NEGATIVE.test(text)) return text;
  const guarded = text.replaceAll(BEFORE_FORMULA, "'");
  const changes = /^[\t\r\n]/.test(text) || CHANGED.test(text) || (isOurs && NUMBER_LIKE.test(text));
  return changes ? `'${guarded}` : guarded;
}

/** Such a place, unless what follows is a signed number: a spreadsheet makes it another number, but runs nothing. */
const BEFORE_PROGRAM = /(?<=(?:^|[,;|\t\r\n])["\s\p{Cc}]*)(?=[=@＝＠]|[+\-＋－](?![\d\s().,/-]*(?:$|[;|\t\r\n])))/gu;
/** Excel's own way of writing a text: `="0171 1234567"`. */
const TEXT_FORMULA = /^="[^"]*"$/;

/** A text as a cell for programs that a spreadsheet can open safely: puts an apostrophe before formulas alone. */
export function guardFormula(text: string): string {
  return TEXT_FORMULA.test(text) ? text : text.replaceAll(BEFORE_PROGRAM, "'");
}

/** Cells as a part of a line (RFC 4180). */
export function fieldsOf(cells: readonly (string | number)[], separator = ","): string {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  return cells
    .map(String)
    .map((cell) => (/["\r\n]|^\s|\s$/.test(cell) || cell.includes(separator) ? quoted(cell) : cell))
    .join(separator);
}

/** A line of a CSV file with its CRLF. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${fieldsOf(cells)}\r\n`;
}

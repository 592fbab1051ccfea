/** What spreadsheets take for the beginning of a formula (OWASP, CSV injection), full-width forms included. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const NEGATIVE = /^-\d+(?:[.,]\d+)?$/;
/** What spreadsheets turn into another number: leading zeros, more digits than they show, and `12E4`. */
const CHANGED = /^0\d|^\d{12,}$|^\d+(?:[.,]\d*)?E[+-]?\d+$/i;
/** Anything of ours that begins like a number is one to be kept as it is written. */
const NUMBER_LIKE = /^[\d(]/;

/**
 * A text as a cell of a CSV file for spreadsheets: an apostrophe goes before what they would calculate or change. Nothing is taken away,
 * so that `+5511987654321` keeps its plus.
 */
export function guardCell(text: string, isOurs = false): string {
  if (NEGATIVE.test(text)) return text;
  return FORMULA.test(text) || CHANGED.test(text) || (isOurs && NUMBER_LIKE.test(text)) ? `'${text}` : text;
}

/** A line of a CSV file (RFC 4180) with its CRLF. */
export function csvLine(cells: readonly (string | number)[]): string {
  const fields = cells
    .map(String)
    .map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${fields.join(",")}\r\n`;
}

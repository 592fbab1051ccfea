/** What spreadsheets treat as the start of a formula (OWASP, CSV injection), full-width forms included. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const NEGATIVE = /^-\d+(?:[.,]\d+)?$/;
/** What spreadsheets change into another number: leading zeros, more digits than they show, and `12E4`. */
const CHANGED = /^0\d|^\d{12,}$|^\d+(?:[.,]\d*)?E[+-]?\d+$/i;
/** A cell of ours that starts like a number must stay exactly as written. */
const NUMBER_LIKE = /^[\d(]/;

/**
 * A text as a CSV cell for spreadsheets: prefixes an apostrophe to anything they would evaluate or change. Removes
 * nothing, so `+5511987654321` keeps its plus.
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

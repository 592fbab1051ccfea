/** A number that a spreadsheet stored as a decimal: 6641234567.0. With any other separator, a dot groups digits. */
const DECIMAL = /^([+']?\d{7,15})[.,]0+$/;
/** Scientific notation: 6.28123456789E11. */
const SCIENTIFIC = /^(\d)(?:[.,](\d+))?e\+?(\d{1,2})$/i;

/**
 * Undoes what a spreadsheet or data frame does to a phone number in a numeric column.
 * @returns the digits, with the plus sign if there was one; DIGITS_LOST if scientific notation dropped some; null for
 * text that isn't damaged
 */
export function readSpreadsheetDamage(text: string): { readonly digits: string } | "DIGITS_LOST" | null {
  const trimmed = text.trim();
  const [, whole] = DECIMAL.exec(trimmed) ?? [];
  if (whole !== undefined) return { digits: whole.replace("'", "") };
  const [, first, fraction = "", exponent] = SCIENTIFIC.exec(trimmed) ?? [];
  if (first === undefined) return null;
  return fraction.length === Number(exponent) ? { digits: first + fraction } : "DIGITS_LOST";
}

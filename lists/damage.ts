import { MAX_NUMBER_LENGTH } from "../contract/limits.ts";
import { readSpreadsheetDamage } from "../contract/spreadsheet-damage.ts";
import { looksLikeDate, textOf, tidy } from "./cells.ts";
import type { Cell } from "./cells.ts";

/** Why a cell is not sent. */
export const NOT_SENT = {
  EMPTY: "Empty",
  NO_DIGITS: "No digits",
  FORMULA_ERROR: "This is a spreadsheet’s error message, not a number. Format the column as text and re-enter it.",
  SCIENTIFIC: "A spreadsheet shortened this number and digits were lost. Format the column as text and re-enter it.",
  DATE: "A spreadsheet turned this cell into a date. Format the column as text and re-enter it.",
  TOO_LONG: `Longer than ${MAX_NUMBER_LENGTH} characters.`,
} as const;
export type NotSent = keyof typeof NOT_SENT;

/** `#NAME?` where a formula failed, in any language, and `#####` where a column was too narrow. */
const FORMULA_ERROR = /^#(?:[\p{Lu}¡/]+[!?]?|#+)$/u;

/** Why a cell is not worth sending; null if it is. */
export function notSentOf(cell: Cell | undefined): NotSent | null {
  if (cell instanceof Date) return "DATE";
  const text = tidy(textOf(cell));
  if (text === "") return "EMPTY";
  if (FORMULA_ERROR.test(text)) return "FORMULA_ERROR";
  if (!/\p{Nd}/u.test(text)) return "NO_DIGITS";
  if (readSpreadsheetDamage(text) === "DIGITS_LOST") return "SCIENTIFIC";
  return text.length > MAX_NUMBER_LENGTH ? "TOO_LONG" : null;
}

/**
 * Whether a text needs a country to be read: calling codes need a plus sign, except in WhatsApp's links and contacts.
 */
export function needsCountry(text: string): boolean {
  return !/[+＋]|%2B|whatsapp|wa\.me\/|@c\.us$/i.test(text);
}

/** Digits that could be an international number without its plus sign. */
function lacksPlus(text: string): boolean {
  return /^[1-9]\d{9,14}$/.test(text);
}

/** What a spreadsheet may have done to a cell with an invalid number; null without evidence. */
export function suspicionOf(cell: Cell | undefined, reason: string | null): string | null {
  const text = tidy(textOf(cell));
  if (looksLikeDate(text)) return "This looks like a date. A spreadsheet may have changed it.";
  if (reason === "MISSING_COUNTRY_CODE" && lacksPlus(text)) {
    return "A spreadsheet may have removed its plus sign. Put it back, or choose a country.";
  }
  if (typeof cell === "number") return "This cell was numeric, so a leading zero or plus sign may be missing.";
  return null;
}

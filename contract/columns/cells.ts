import { INVISIBLE } from "../invisible.ts";

/** A table cell. Text files have only texts; a workbook's other cells keep their types. */
export type Cell = string | number | boolean | Date | null;

/** A table's rows; they may differ in length. */
export type Rows = readonly (readonly Cell[])[];

/** A cell as text: dates as 2026-01-31, with the time of day if there is one. */
export function textOf(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) {
    if (Number.isNaN(cell.getTime())) return "";
    const [day, time = ""] = cell.toISOString().split("T");
    return time.startsWith("00:00:00") ? day! : `${day} ${time.slice(0, 8)}`;
  }
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  return String(cell);
}

/**
 * Also `="0171 1234567"`, which keeps Excel from reading a number. The lookbehind keeps a long run of quotes from being
 * tried from each of its characters.
 */
const QUOTES = /^=?["'`’]+|(?<!["'`])["'`]+$/g;

/** The text to check: without surrounding whitespace, invisible characters, and quotes. */
export function tidy(text: string): string {
  return text.replace(INVISIBLE, "").trim().replace(QUOTES, "").trim();
}

/** Parentheses that can change how a number is read: `+(212) 555`, and `(0)`, which is dialed within the country only. */
const MEANT = /\+\s*\(|\(\s*0\s*\)/;

/**
 * The same for each writing of a number that is verified once: `+55 11 98765-4321` and `+5511987654321`. Only spaces,
 * hyphens, and parentheses are left out, since any other mark can change how a number is read.
 */
export function writingKey(text: string): string {
  return /^[+\d\s()-]+$/.test(text) && !MEANT.test(text) ? text.replace(/[\s()-]/g, "") : text;
}

const DIGIT = /\p{Nd}/gu;
/** What phone numbers may contain: `tel:`, digits, plus, parentheses, separators, and an extension. */
const PHONE = /^(?:tel:)?[\p{Nd}\s()./+*#‐–-]+(?:(?:;?ext[.=]?|x)\s*\p{Nd}+)?$/iu;
/** Dates look like numbers with separators, and are in most exports. */
const DATE = /^\d{4}-\d{1,2}-\d{1,2}(?:[ T].*)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/;

/** Whether a text looks like a date. */
export function looksLikeDate(text: string): boolean {
  return DATE.test(text);
}

/** Whether a text looks like a phone number: six to twenty digits, and only characters that numbers contain. */
export function looksLikePhone(text: string): boolean {
  const digits = text.match(DIGIT)?.length ?? 0;
  return digits >= 6 && digits <= 20 && PHONE.test(text) && !DATE.test(text);
}

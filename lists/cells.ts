import { INVISIBLE } from "../contract/invisible.ts";

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

/**
 * Where spaces, hyphens, and parentheses can change how a number is read: `+(212) 555`; `(0)`, which is dialed within the
 * country only; two numbers, a range, an extension; a counter or a year in brackets; a date; a calling code apart.
 */
const MEANT =
  /\+\s*\(|\(\s*0\s*\)|\s-\s|-\d{1,2}\)?$|^\d+-\d+-\d{1,6}$|^\(?\d{1,2}\)|\((?:19|20)\d\d\)|^\d{4}-\d|^(?:00)?[1-9]\d{0,2}[\s-]/;
/** More may be two numbers. */
const MAX_DIGITS = 15;

/**
 * The same for each writing of a number that is verified once: `+55 11 98765-4321` and `+5511987654321`. Only spaces,
 * hyphens, and parentheses are left out, since any other mark can change how a number is read.
 */
export function writingKey(text: string): string {
  if (!/^[+\d\s()-]+$/.test(text) || MEANT.test(text)) return text;
  const key = text.replace(/[\s()-]/g, "");
  return key.length > 1 + MAX_DIGITS ? text : key;
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

import { looksLikePhone, tidy } from "../cells.ts";
import type { Cell } from "../cells.ts";

/** Dates and times, whose digits aren't a number's: `26/11/2026, 12:30`. */
const DATE_TIME =
  /(?<![\d./-])\d{1,4}[./-]\d{1,2}[./-]\d{2,4}(?![./-]?\d)(?:[,T]?\s*\d{1,2}:\d{2}(?::\d{2})?)?|(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])/g;
/** Digits with what numbers have between them. A plus sign begins the next one. */
const NUMBER =
  /(?<![\p{L}\p{Nd}@#_=/]|\p{L}-)(?:\+\s?)?\(?\p{Nd}(?:[\s().\-‐-―−/]{0,3}\p{Nd}){6,24}(?![-.]?\p{L}|\p{Nd}|@)/gu;
/** An extension after a number: a word and some digits at the line's end. */
const EXTENSION = /^[^\p{Nd}:]{0,14}\p{Nd}{1,6}\W*$/u;
/** What stands between items; a slash within a number has no spaces, or too few digits before it. */
const BETWEEN = /[,;|\t]|:::|\s\/\s/;
const BULLET = /^\s*[-–—•*·▪~]\s+/u;
/** An item's place in its list: "1." or "1)". */
const PLACE = /^\s*(\p{Nd}{1,4})[.)]\s+/u;
/** The lookbehind keeps a long run of them from being tried from each character. */
const AROUND_NAME = /^[\s:;,|~–—•-]+|(?<![\s:;,|~–—(-])[\s:;,|~–—(-]+$/g;

const FEWEST_DIGITS = 7;
/** As many as an international number has, with 00 before it. */
const MOST_DIGITS = 17;

/** A name, a number, or both. A list's other texts are names. */
interface Entry {
  readonly name: string;
  readonly number: string;
}

/** Where a text has numbers. Dates and times aren't. */
function numbersIn(text: string): { readonly at: number; readonly number: string }[] {
  const withoutDates = text.replace(DATE_TIME, (date) => "\0".repeat(date.length));
  return [...withoutDates.matchAll(NUMBER)].flatMap(({ index, 0: number }) => {
    const digits = number.replace(/\P{Nd}/gu, "").length;
    return digits >= FEWEST_DIGITS && digits <= MOST_DIGITS ? [{ at: index, number }] : [];
  });
}

function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text);
}

/** The entries of a text without separators. */
function entriesOfItem(given: string): Entry[] {
  const text = tidy(given).replace(BULLET, "");
  if (text === "") return [];
  if (looksLikePhone(text)) return [{ name: "", number: text }];
  const found = numbersIn(text);
  const [first] = found;
  // Such as a short number, or one with letters for digits.
  if (first === undefined)
    return [/^[+(]?\p{Nd}/u.test(text) ? { name: "", number: text } : { name: text, number: "" }];
  const end = first.at + first.number.length;
  if (found.length === 1 && EXTENSION.test(text.slice(end))) {
    return [{ name: text.slice(0, first.at).replace(AROUND_NAME, ""), number: text.slice(first.at) }];
  }
  let name = text;
  for (const { number } of found) name = name.replace(number, " ");
  name = name.replace(/\s+/g, " ").replace(AROUND_NAME, "");
  const isNamed = hasLetters(name);
  // What else it has may belong to it.
  if (found.length === 1 && !isNamed && text.search(DATE_TIME) === -1) return [{ name: "", number: text }];
  return found.map(({ number }) => ({ name: isNamed ? name : "", number: number.trim() }));
}

function entriesOf(line: string): Entry[] {
  const items = line.split(BETWEEN);
  const isSeveral = items.filter((item) => numbersIn(tidy(item)).length > 0).length > 1;
  return isSeveral ? items.flatMap(entriesOfItem) : entriesOfItem(line);
}

/** The lines with text, without their places in a list: an area code isn't one more than the one above. */
function itemsOf(lines: readonly string[]): string[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const places = filled.map((line) => Number(PLACE.exec(line)?.[1] ?? Number.NaN));
  return filled.map((line, at) => {
    const isPlace = [places[at - 1], places[at + 1]].some((other = Number.NaN) => Math.abs(other - places[at]!) === 1);
    return isPlace ? line.replace(PLACE, "") : line;
  });
}

/** What lines with text have: numbers, and how many lines have several, or one with more than the number. */
export function countEntries(lines: readonly string[]) {
  const filled = lines.filter((line) => line.trim() !== "");
  const counted = { lines: filled.length, numbers: 0, several: 0, more: 0 };
  for (const [at, item] of itemsOf(filled).entries()) {
    const entries = entriesOf(item).filter(({ number }) => number !== "");
    counted.numbers += entries.length;
    if (entries.length > 1) counted.several += 1;
    else if (entries.some(({ number }) => number !== tidy(filled[at]!))) counted.more += 1;
  }
  return counted;
}

/** The rows of a list of names and numbers, as copied from a chat or an email: every number, each in its own row. */
export function listRows(lines: readonly string[]): Cell[][] {
  const entries = itemsOf(lines).flatMap(entriesOf);
  if (entries.every(({ name }) => name === "")) return entries.map(({ number }) => [number]);
  return [["name", "phone"], ...entries.map(({ name, number }) => [name, number])];
}

import type { Context } from "./reading.ts";

/** What stands before and after a number and isn't part of it: counters, hours, prices, towns, words. */

/** A list's counter, or a label with a number, before a number: `2) `, `Tel. 1: `. */
export const COUNTER =
  /^\s*(?:[1-9]\d?[.):] +|[1-9]\d?( -) +|\([1-9]\) +|(?:\p{L}[\p{L}. ]*|#|n[ro°º]) *[1-9]\d? *[.:)] *|24\/7:? +)(?=\S)/iu;

const TIME = String.raw`(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d|h)?(?: ?[ap]\.?m\.?)?`;
const RANGE = String.raw`${TIME} *(?:-|to|bis|a|à|às|até|до) *${TIME}`;
/** Names of days in the languages that we know, and the words for all or most of them. */
const DAY_NAME = [
  "mo|di|mi|do|fr|sa|so|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|werktags|täglich",
  "mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|daily|weekdays",
  "lun|mar|mer|jeu|ven|sam|dim|lu|ma|me|je|ve|gio|sab|dom|mi[eé]|jue|vie|s[aá]b|seg|ter|qua|qui|sex",
  "wo|vr|za|zo|pzt|sal|çar|per|cum|cmt|paz|pn|wt|śr|czw|pt|пн|вт|ср|чт|пт|сб|вс",
].join("|");
const DAY = String.raw`(?:${DAY_NAME})\.?(?: *(?:-|to|bis|a|à|/|&|,) *(?:${DAY_NAME})\.?)*:?`;
/** An h alone counts only directly after digits, or after a range. */
const LONG_HOUR_UNIT = String.raw`(?:hs|hrs?|hours?|std|stunden|uhr|jam|ore|heures|horas|am|pm|a\.m\.|p\.m\.)`;
const HOUR_UNIT = String.raw`(?:h|${LONG_HOUR_UNIT})`;
const HOURS = String.raw`${DAY} *${RANGE}(?: *${HOUR_UNIT})?|${RANGE} *${HOUR_UNIT}|24 *[/x] *7|${TIME} ?${LONG_HOUR_UNIT}|kl\.? ?${TIME}`;
const PRICE = String.raw`\d{1,3}(?:[.,]\d{1,2})? ?(?:ct|cents?|€|eur|euro)\.?(?: *(?:/|pro|per|par|al|je) *\p{L}+)?`;
const COUNT = String.raw`\d{1,2}(?:x|h)|\d{1,2} ?(?:linee|l\.r\.a|lines?|leitungen|lignes|l[ií]neas|linhas|std)`;
const FLOOR = String.raw`\d{1,2}\. ?(?:og|ug|stock|etage|stiege|obergeschoss)|\d{1,2}(?:st|nd|rd|th) floor`;

/** A note after a number: hours, a price, a count with its unit, or a floor. Words may follow, but `18 am Rhein` is none. */
const NOTE = new RegExp(
  String.raw`(?<![ ,;])[ ,;]+(?:${HOURS}|${PRICE}|${COUNT}|${FLOOR})\.?(?:(?<! am)[^\p{L}\d]\D*)?$`,
  "iu",
);
/** A postal code and its town. */
const TOWN = /(?<![ ,;])([ ,;]+)\d{4,5} \p{L}{3,}\D*$/u;
/** What makes a bracket after a number a note. */
const BRACKETED = new RegExp(String.raw`^ *(?:.*(?:\p{L}|[€%]).*|${RANGE}|${HOURS}) *$`, "iu");
/** What makes it another number, or part of this one: a conjunction, a telephone word, a mark before digits. */
const NUMBERED =
  /(?<![\p{L}.])(?:or|ou|oder|o|to|bis|a|à|and|und|et|e|y|fax|tel\p{L}*|phone|mob\p{L}*|cel\p{L}*|handy|ext|app|dw)(?![\p{L}])(?!\.\p{L})|(?<!\p{L})[x#*]\s*\d|(?:^|\s)-\d/iu;

const LAST_DIGIT = /[\d#](?=[^\d#]*$)/;
/** The start of words separated from the number. */
const WORDS_APART = /^[)\],;:.]*[\s([]/;
/** Words that aren't vanity letters even directly after the number. Others may be. */
const ATTACHED_WORDS =
  /^[)\]]?[-\u2010-\u2015._]?(?:(?:tele)?fax|tel(?:efon|ephone)?|phone|mobile?|cell|handy|home|work|office|b\u00FCro|privat)(?!\p{L})/iu;

/**
 * Removes words after an input's last digit ("… Fax", "… (home)", "…-Fax"). Null if it doesn't end in words that are
 * separate from the number or known not to belong to it.
 */
export function withoutTrailingWords(input: string): string | null {
  const end = LAST_DIGIT.exec(input)?.index;
  if (end === undefined) return null;
  const after = input.slice(end + 1);
  const areWords = ATTACHED_WORDS.test(after) || (/\p{L}/u.test(after) && WORDS_APART.test(after));
  return areWords ? input.slice(0, end + 1) : null;
}

/** The last bracket, with no digits after it. */
export const LAST_BRACKET = /^(.*\S) *[([]([^()[\]]*)[)\]]\D*$/s;
/** A bracket of words that ends the text. */
const WORDS_IN_BRACKETS = /[([][^\d()[\]]*[)\]]\D*$/;
const SIX_DIGITS = /\d(?:[ ./-]?\d){5}/;
const YEAR = /^(?:19|20)\d\d$/;

/** Beyond this many digits, few plans have numbers, so a group at the end may be a postal code. */
const USUAL_NATIONAL_DIGITS = 11;

/** A text without one note at its end, in each way. */
function* withoutOne(text: string, { read }: Pick<Context, "read">): Generator<string> {
  const apart = text.replace(WORDS_IN_BRACKETS, "").trimEnd();
  if (apart !== text) yield apart;
  const [, before, inside] = LAST_BRACKET.exec(text) ?? [];
  if (before !== undefined && /\d/.test(inside!)) {
    const isYear = YEAR.test(inside!) && / [([]\d{4}[)\]]\D*$/.test(text);
    const isNote = isYear || (BRACKETED.test(inside!) && !NUMBERED.test(inside!));
    if (isNote && !SIX_DIGITS.test(inside!)) yield before;
  }
  const note = NOTE.exec(text);
  if (note !== null) yield text.slice(0, note.index);
  const town = TOWN.exec(text);
  if (town !== null) {
    const { number, classification } = read(withoutTrailingWords(text) ?? text);
    const isLong = !classification.valid || number!.nationalNumber.length > USUAL_NATIONAL_DIGITS;
    if (isLong || /[,;]/.test(town[1]!)) yield text.slice(0, town.index);
  }
  const withoutWords = withoutTrailingWords(text);
  if (withoutWords !== null) yield withoutWords;
}

/** A text without all its notes, as long as what is left is enough. After the first, `Fax` would be read as digits. */
export function withoutNotes(
  text: string,
  context: Pick<Context, "read">,
  isEnough: (left: string) => boolean,
): string {
  const next = [...withoutOne(text, context)].find(isEnough);
  return next === undefined ? text : withoutNotes(next, context, isEnough);
}

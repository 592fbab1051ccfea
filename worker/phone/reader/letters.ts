import { extractNumber, splitExtension, withoutNamedExtension } from "./grammar.ts";
import { withoutTrailingWords } from "./notes.ts";

const MASK = /[Xx*•#]{2,}|…|\.{3}/;
/** Before the digits, only a longer run: two stars start codes for the phone's own network. */
const LEADING_MASK = /^[^\p{L}\d+]*[Xx*•#]{3,}/u;
/** Brazil's way to write "any carrier's code" after the trunk prefix: (0xx11) 98765-4321. */
const ANY_CARRIER = /^[\s(]*(?:\+?55[\s(]*)?0[ -]?(?:xx|\*\*)[ -]?(?=[\s)]*\d)/i;
/** Dots in brackets after the number. */
const BRACKETED_DOTS = /[([] *(?:…|\.{3,}) *[)\]]/g;
const FROM_FIRST_TO_LAST = /\d.*[\dXx*•#….]/s;
const LETTER_BUT_X = /(?![Xx])\p{L}/u;

/** Whether some digits are hidden: 98XXXXXX10, +44 20 7946 ****. With other letters, x is one of a word's. */
export function isMasked(text: string): boolean {
  const within = FROM_FIRST_TO_LAST.exec(text.replace(ANY_CARRIER, "0").replace(BRACKETED_DOTS, ""))?.[0] ?? "";
  return (MASK.test(within) || LEADING_MASK.test(text)) && !LETTER_BUT_X.test(within);
}

const ANY_LETTER = /\p{L}/u;
const LETTERS = /[A-Za-z]/g;
/** The fewest digits with which a text is a mistyped number rather than something else. */
const MIN_DIGITS = 6;
/** Digits, and letters that look like some after the last one: 030 1234567O, 6OO OOO OOO. */
const FROM_FIRST_DIGIT = /\d.*(?:\d|(?:[OoIl]{2,}|(?<=\d)[OoIl])(?!\p{L}))/su;
const LOOKALIKES = /[OoIl]/g;

/**
 * One or two letters among the digits, or any number of O and l: 079OO 900123. Three others are a keypad word, and those
 * at the ends are dropped.
 */
function hasStrayLetters(text: string): boolean {
  const { rest } = splitExtension(extractNumber(text.replace(ANY_CARRIER, "0")));
  const within = FROM_FIRST_DIGIT.exec(rest)?.[0] ?? "";
  const letters = within.match(LETTERS)?.length ?? 0;
  const lookalikes = within.match(LOOKALIKES)?.length ?? 0;
  const digits = within.replace(/\D/g, "").length;
  if (letters > 0 && letters === lookalikes) return digits + letters >= MIN_DIGITS;
  return letters > 0 && letters <= 2 && digits >= MIN_DIGITS;
}

/** A number, a word, and more digits: 030 901820 Haus 3. Each lookahead spares attempts whose time would be quadratic. */
const WORD_AND_DIGITS = /^(?=.*\p{L}{3})(.*\d)(?=[^\p{L}\d]*\s)[^\p{L}\d]*\p{L}{3,}[^\p{L}\d]*\d+\D*$/su;

/** Letters that look like digits as those; null if there are others. */
export function withDigits(text: string): string | null {
  const digits = text.replace(/[Oo]/g, "0").replace(/[lI]/g, "1");
  return digits.search(LETTERS) >= 0 ? null : digits;
}

/** Whether letters among a text's digits are typos, or a word follows a number that is complete without it. */
export function hasLetters(text: string, isValid: (text: string) => boolean): boolean {
  if (!ANY_LETTER.test(text)) return false;
  const [, number] = WORD_AND_DIGITS.exec(withoutNamedExtension(withoutTrailingWords(text) ?? text)) ?? [];
  return hasStrayLetters(text) || (number !== undefined && isValid(number));
}

import { readSpreadsheetDamage } from "../../contract/spreadsheet-damage.ts";
import type { InvalidReason } from "../../contract/result-values.ts";
import { splitExtensionWord } from "./extension-words.ts";
import { extractNumber, splitExtension, withoutNamedExtension, withoutTrailingWords } from "./normalize.ts";
import type { PlanTable } from "./plan-table.ts";
import { readNumber } from "./read-number.ts";
import { findSeveral } from "./several-numbers.ts";
import { unwrap } from "./unwrap.ts";

/** Where we depart from libphonenumber's grammar, which would read a number that the writer didn't write. */
export type ReadingRule = "unwrapped" | "spreadsheet" | "masked" | "several" | "extension word" | "letters";

/** What an input says, before the grammar reads it. */
export interface Interpretation {
  /** What the grammar reads. */
  readonly text: string;
  /** The rules that changed the text or found the reason. */
  readonly rules: readonly ReadingRule[];
  /** Why the text isn't one complete number; null for the grammar to decide. */
  readonly reason: Extract<InvalidReason, "DIGITS_LOST" | "MASKED" | "MULTIPLE_NUMBERS" | "LETTERS"> | null;
  /** The numbers of a text with several. */
  readonly candidates: readonly string[];
  /** The text of LETTERS with O and l as 0 and 1; null if there are other letters. */
  readonly corrected: string | null;
}

/** No rule applies to these characters alone. */
const PLAIN = /^[ (]*\+?[\d ()-]*$/;

/**
 * Applies the rules, in order: wrappers and invisible characters, spreadsheets, words for extensions, masks, several
 * numbers, letters. `country` as in `parseNumber`. Never throws.
 */
export function interpret(input: string, country: string | undefined, plans: PlanTable): Interpretation {
  const asWritten: Interpretation = { text: input, rules: [], reason: null, candidates: [], corrected: null };
  if (PLAIN.test(input)) return asWritten;
  const damage = readSpreadsheetDamage(input);
  if (damage === "DIGITS_LOST") return { ...asWritten, rules: ["spreadsheet"], reason: damage };
  if (damage !== null) return { ...asWritten, text: damage.digits, rules: ["spreadsheet"] };

  const unwrapped = unwrap(input);
  const isOne = (text: string) => readNumber(text, country, plans).classification.valid;
  const withWord = splitExtensionWord(unwrapped);
  const isExtension = withWord !== null && isOne(withWord.rest);
  const text = isExtension ? `${withWord.rest};ext=${withWord.extension}` : unwrapped;
  const rules: ReadingRule[] = [];
  if (unwrapped !== input.trim()) rules.push("unwrapped");
  if (isExtension) rules.push("extension word");

  const reading = { ...asWritten, text: text.replaceAll("\n", " "), rules };
  if (isMasked(text)) return { ...reading, rules: [...rules, "masked"], reason: "MASKED" };
  const candidates = findSeveral(text, country, plans);
  if (candidates !== null) return { ...reading, rules: [...rules, "several"], reason: "MULTIPLE_NUMBERS", candidates };
  if (!hasStrayLetters(reading.text) && !hasWordAfterNumber(reading.text, isOne)) return reading;
  return { ...reading, rules: [...rules, "letters"], reason: "LETTERS", corrected: withDigits(reading.text) };
}

const MASK = /[Xx*•#]{2,}|…|\.{3}/;
/** Before the digits, only a longer run: two stars start codes for the phone's own network. */
const LEADING_MASK = /^[^\p{L}\d+]*[Xx*•#]{3,}/u;
/** Brazil's way to write "any carrier's code" after the trunk prefix: (0xx11) 98765-4321. */
const ANY_CARRIER = /^[\s(]*(?:\+?55[\s(]*)?0xx(?=[\s)]*\d)/i;
const FROM_FIRST_TO_LAST = /\d.*[\dXx*•#….]/s;
const LETTER_BUT_X = /(?![Xx])\p{L}/u;

/** Whether some digits are hidden: 98XXXXXX10, +44 20 7946 ****. With other letters, x is one of a word's. */
function isMasked(text: string): boolean {
  const within = FROM_FIRST_TO_LAST.exec(text.replace(ANY_CARRIER, "0"))?.[0] ?? "";
  return (MASK.test(within) || LEADING_MASK.test(text)) && !LETTER_BUT_X.test(within);
}

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

/** (212) 736-5000 (ext 4): the word isn't another one. */
const BRACKETED_EXTENSION = /[([] *e?xt(?:ensi[oó]n|n)?\.?[ :]*\d{1,9} *[)\]] *$/i;
/** A number, a word, and more digits: 030 901820 Haus 3. Each lookahead spares attempts whose time would be quadratic. */
const WORD_AND_DIGITS = /^(?=.*\p{L}{3})(.*\d)(?=[^\p{L}\d]*\s)[^\p{L}\d]*\p{L}{3,}[^\p{L}\d]*\d+\D*$/su;

/** Whether a word that the keypad would turn into digits follows a number that is complete without it. */
function hasWordAfterNumber(text: string, isOne: (text: string) => boolean): boolean {
  if (BRACKETED_EXTENSION.test(text)) return false;
  const [, number] = WORD_AND_DIGITS.exec(withoutNamedExtension(withoutTrailingWords(text) ?? text)) ?? [];
  return number !== undefined && isOne(number);
}

/** Letters that look like digits as those; null if there are others. */
function withDigits(text: string): string | null {
  const digits = text.replace(/[Oo]/g, "0").replace(/[lI]/g, "1");
  return digits.search(LETTERS) >= 0 ? null : digits;
}

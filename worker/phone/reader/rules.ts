import { readSpreadsheetDamage } from "../../../contract/spreadsheet-damage.ts";
import type { InvalidReason } from "../../../contract/result-values.ts";
import { type ShortNumber, shortNumber } from "../short-numbers.ts";
import { findExtension } from "./extensions.ts";
import { extractNumber, hasLeadingPlus, isViable, toDigits } from "./grammar.ts";
import { hasLetters, isMasked, withDigits } from "./letters.ts";
import { COUNTER, LAST_BRACKET, withoutNotes, withoutTrailingWords } from "./notes.ts";
import { notANumber, validNumber } from "./read-number.ts";
import type { Context, Decision, PartRead, RuleName, State } from "./reading.ts";
import { candidatesOf, splitNumbers } from "./several-numbers.ts";

/** A row of the table. Its texts are also those of the engine's chapter. */
export interface Rule {
  readonly name: RuleName;
  readonly says: string;
  /** An input for which it holds, and one that only looks like it. */
  readonly holds: readonly [input: string, country?: string];
  readonly leaves: readonly [input: string, country?: string];
  readonly source: string;
  /** What it needs to see in digits, spaces, dots, brackets, and hyphens. Without it, these are plain to the rule. */
  readonly amongDigits?: RegExp;
  /** Changes the text, decides, or doesn't hold. Without it, `read-text.ts` applies the rule before these, or to each part. */
  apply?(state: State, context: Context): { readonly next: State } | Decision | null;
}

function refused(reason: InvalidReason): Decision {
  return { found: notANumber(reason) };
}

/** More than any number has, even with notes. Bounds the work on a text. */
const MAX_TOKENS = 48;
const TOKEN = /\d+|[^\d ]/g;
const DATE = /^(?:(\d\d?)([./-])(\d\d?)\2(\d{4})|(\d{4})([./-])(\d\d?)\6(\d\d?))(?:[ T]\d\d?:\d\d(?::\d\d)?Z?)?$/;
const AMOUNT = /^\d{1,3}(?:\.\d{3})+,\d\d$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.\p{L}{2,}$/u;

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Whether a text is one calendar date from 1901 to 2099. */
function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const [first = 0, second = 0, third = 0] = text.split(/\D/).map(Number);
  const [year, month, day] = first > 31 ? [first, second, third] : [third, second, first];
  if (year <= 1900 || year >= 2100) return false;
  return isDay(year, month, day) || (text.includes("/") && isDay(year, day, month));
}

/** Words before a number. */
const LABEL = /^\s*\p{L}[\p{L} .-]*[ :]+(?=\d)/u;
/** A star and a few digits: a service of the caller's network. */
const STAR_CODE = /^\*\d{2,5}$/;

/** The short code that a text is in a country; null for other text, or without a country. */
function dialedShortCode(text: string, country: string | undefined): ShortNumber | null {
  if (country === undefined) return null;
  const dialed = text.trim().replace(/^tel:/i, "");
  // No short code is longer, even with separators.
  if (dialed.length > 20 || hasLeadingPlus(dialed)) return null;
  if (STAR_CODE.test(dialed)) return { cost: "unknown", emergency: false };
  if (!isViable(dialed) || /[^\p{Nd}\p{Zs}().-]/u.test(dialed)) return null;
  return shortNumber(toDigits(dialed), country);
}

/** A word at the end of a number, with hyphens: 1-800-GO-FEDEX. */
const VANITY = /^(.*?\d)[ .-]*(?:[A-Za-z][ -]?){3,}$/s;
const NORTH_AMERICAN_DIGITS = /^1?\d{10}/;

/** A text in letters that is a number, in +1 without the letters that are too many; null for others. */
function spelled(text: string, { callingCode, isValid }: Context): string | null {
  const [, before] = VANITY.exec(text) ?? [];
  if (before === undefined || /\p{L}/u.test(before) || isValid(before)) return null;
  if (isValid(text)) return text;
  if (callingCode !== "1") return null;
  const digits = NORTH_AMERICAN_DIGITS.exec(toDigits(extractNumber(text)))?.[0];
  return digits !== undefined && digits.length > toDigits(before).length && isValid(digits) ? digits : null;
}

/** Before the notes, which may contain its word, and after them, since they may follow it. */
const EXTENSION: Rule = {
  name: "extension",
  says: "digits after one of the words for an extension, after a complete number, or after a label or name that follows it",
  holds: ["01 58801 Hr. Maier DW 12", "AT"],
  leaves: ["1-800-FLOWERS", "US"],
  source: "GitHub, VeryApt/django-phone-field#2",
  apply(state, { callingCode, read, isValid }) {
    const found = findExtension(state.text, callingCode);
    if (found === null || state.extension !== null) return null;
    const { rest, extension, second } = found;
    // A label or a name may stand before the word.
    const number = [withoutTrailingWords(rest), rest].find((text) => text !== null && isValid(text));
    if (number === undefined || number === null) return null;
    if (second !== null) return { ...refused("MULTIPLE_NUMBERS"), candidates: candidatesOf([read(number)]) };
    return { next: { ...state, text: number, extension } };
  },
};

const WITHOUT_COUNTER: Rule = {
  name: "counter",
  says: "a counter or a numbered label before a number that has a prefix, or that is valid only without it",
  holds: ["3) 0171 1234567", "DE"],
  leaves: ["02) 312-3456", "KR"],
  source: "Business listings",
  amongDigits: /^[1-9]\d?(?:[.)]| -) |^\([1-9]\) /,
  apply(state, context) {
    const { callingCode, isValid, trunkPrefix } = context;
    const rest = state.text.replace(COUNTER, "");
    if (rest === state.text || !isValid(withoutNotes(rest, context, isValid))) return null;
    // What the plan calls a prefix is none that a list counts with.
    const counter = toDigits(state.text.slice(0, -rest.length));
    const isPrefix = trunkPrefix(toDigits(state.text)).startsWith(counter);
    const isInternational = /^\(?(?:\+|00)/.test(rest);
    const hasTrunk = !isPrefix && callingCode !== "1" && trunkPrefix(toDigits(rest)) !== "";
    // A hyphen also groups numbers.
    const isEnough = COUNTER.exec(state.text)?.[1] === undefined && !isValid(state.text);
    return isInternational || hasTrunk || isEnough ? { next: { ...state, text: rest } } : null;
  },
};

const WITHOUT_NOTES: Rule = {
  name: "note",
  says: "hours, a price, a count, a town, or words after a number that is complete without them",
  holds: ["030 901820 (24h)", "DE"],
  leaves: ["030 9018(20)", "DE"],
  source: "GitHub, openreferral#41",
  amongDigits: / \((?:(?:19|20)\d\d\)|\d\d?-\d\d?\)$)/,
  apply(state, context) {
    const { country, read, isValid } = context;
    const isEnough = (shorter: string) => isValid(shorter) || dialedShortCode(shorter, country) !== null;
    const text = withoutNotes(state.text, context, isEnough);
    if (text === state.text) return null;
    const [whole, alone] = [read(state.text).number, read(text).number];
    const isSame = whole?.e164 === alone?.e164 && whole?.extension === alone?.extension;
    const isLeftOut = isValid(text) && state.extension === null && !isSame;
    const flags = isLeftOut ? [...state.flags, "trailing_words" as const] : state.flags;
    return { next: { ...state, text, flags } };
  },
};

/** Reads the parts of a list: each is one number after the rules that say what isn't part of it. */
function ofParts(context: Context): Context {
  const reads = new Map<string, PartRead>();
  function read(part: string): PartRead {
    const known = reads.get(part);
    if (known !== undefined) return known;
    let state: State = { text: part, extension: null, flags: [] };
    for (const { apply } of [EXTENSION, WITHOUT_COUNTER, WITHOUT_NOTES, EXTENSION]) {
      const outcome = apply!(state, context);
      if (outcome !== null && "next" in outcome) state = outcome.next;
    }
    const found = context.read(wholeOf(state));
    reads.set(part, found);
    return found;
  }
  return { ...context, read, isValid: (part) => read(part).classification.valid };
}

/** With its extension in the grammar's form. */
function wholeOf({ text, extension }: State): string {
  return extension === null ? text : `${text};ext=${extension}`;
}

/** In this order. A rule that changes the text leaves it to the next ones; of the others, the first that holds decides. */
export const RULES: readonly Rule[] = [
  {
    name: "plain",
    says: "digits, spaces, dots, brackets, and hyphens that are a valid number need no rules",
    holds: ["030 901820", "DE"],
    leaves: ["01 58801 - 01 58802", "AT"],
    source: "libphonenumber 9.0.40",
  },
  {
    name: "wrapper",
    says: "links, contacts, entities, wrong encodings, invisible characters, and digits of other scripts are undone",
    holds: ["%2B12025550123"],
    leaves: ["sip:1001@example.com", "DE"],
    source: "GitHub, jasmin#357",
  },
  {
    name: "spreadsheet",
    says: "what a numeric column did to the number is undone if all its digits are there; otherwise they are lost",
    holds: ["6641234567.0", "AT"],
    leaves: ["0521.5576660.0", "DE"],
    source: "GitHub, wireservice/csvkit#1143",
    amongDigits: /^\+?\d+\.0+$/,
    apply(state) {
      const damage = readSpreadsheetDamage(state.text);
      if (damage === "DIGITS_LOST") return refused(damage);
      return damage && { next: { ...state, text: damage.digits, flags: [...state.flags, "spreadsheet_damage"] } };
    },
  },
  {
    name: "not a phone number",
    says: "a calendar date from 1901 to 2099, an amount with two decimals, or an email address",
    holds: ["05.10.1986", "DE"],
    leaves: ["02.511.11.11", "BE"],
    source: "GitHub, google/libphonenumber#708",
    amongDigits: /^\d\d?[.-]\d\d?[.-]\d{4}$|^\d{4}-\d\d?-\d\d?$/,
    apply({ text }) {
      const isLong = (text.match(TOKEN)?.length ?? 0) > MAX_TOKENS;
      return isLong || isDate(text) || AMOUNT.test(text) || EMAIL.test(text) ? refused("NOT_A_NUMBER") : null;
    },
  },
  {
    name: "masked",
    says: "two or more mask signs, or three dots, in place of digits",
    holds: ["98XXXXXX10", "IN"],
    leaves: ["(0xx11) 98765-4321", "BR"],
    source: "GitHub, 18F/identity-idp#13119",
    amongDigits: /\.{3}/,
    apply: ({ text }) => (isMasked(text) ? refused("MASKED") : null),
  },
  EXTENSION,
  WITHOUT_COUNTER,
  {
    name: "vanity",
    says: "a bracket that repeats a word in digits, and in +1 letters beyond the last digit",
    holds: ["1-800-273-TALK (8255)", "US"],
    leaves: ["1-800-GO-FEDEX", "US"],
    source: "GitHub, pathways-frontend#537",
    apply(state, context) {
      const [, before = state.text, inside = ""] = LAST_BRACKET.exec(state.text) ?? [];
      const text = spelled(before, context);
      if (text === null) return null;
      const repeated = inside.replace(/\D/g, "");
      const isItsEnd = repeated !== "" && context.read(text).number!.e164.endsWith(repeated);
      if (isItsEnd) return { next: { ...state, text } };
      return text === before ? null : { next: { ...state, text: text + state.text.slice(before.length) } };
    },
  },
  WITHOUT_NOTES,
  EXTENSION,
  {
    name: "short code",
    says: "a short or star code of the country, also under a label or before a note",
    holds: ["112 (24h)", "DE"],
    leaves: ["112 (24h)"],
    source: "libphonenumber, ShortNumberMetadata.xml",
    apply({ text, extension }, { country, isValid }) {
      const shortCode = extension === null ? dialedShortCode(text.replace(LABEL, ""), country) : null;
      return shortCode === null || isValid(text) ? null : { found: notANumber("SHORT_CODE", country), shortCode };
    },
  },
  {
    name: "several",
    says: "another number: with its own prefix, as long as the first, or sharing its start",
    holds: ["022-24921234, 24921235", "IN"],
    leaves: ["(202) 555-0123, 5678", "US"],
    source: "GitHub, phone-report#82",
    amongDigits: / - /,
    apply({ text }, context) {
      const inList = ofParts(context);
      const parts = splitNumbers(text, inList);
      if (parts === null) return null;
      const regionOfFirst = () => parts.map(inList.read).find(validNumber)?.classification.region ?? undefined;
      // Without a country, later numbers are in the first one's.
      const within = context.country === undefined ? ofParts(context.in(regionOfFirst())) : inList;
      const found = parts.map(within.read);
      const candidates = candidatesOf(found);
      const isTwice = candidates.length === 1 && found.every(validNumber);
      return isTwice ? { found: found[0]! } : { ...refused("MULTIPLE_NUMBERS"), candidates };
    },
  },
  {
    name: "letters",
    says: "one or two letters among six digits, any O and l, or a word between digits",
    holds: ["+44 2O 7946 0018"],
    leaves: ["055fff5088", "AE"],
    source: "GitHub, google/libphonenumber#1511",
    apply({ text }, { read, isValid }) {
      const line = text.replaceAll("\n", " ");
      if (!hasLetters(line, isValid)) return null;
      const corrected = validNumber(read(withDigits(line) ?? ""));
      const suggestion = corrected && { number: corrected.e164, reason: "LETTER_FOR_DIGIT" as const };
      return { ...refused("LETTERS"), suggestion };
    },
  },
  {
    name: "word's x",
    says: "an x that ends a word marks no extension",
    holds: ["Tel 22855000 Fax 22855", "NO"],
    leaves: ["22855000 x22", "NO"],
    source: "Business listings",
  },
  {
    name: "own calling code",
    says: "after 00, or where hardly anyone means the landline, the country's own calling code makes a number international",
    holds: ["491713369876", "DE"],
    leaves: ["358456485", "FI"],
    source: "GitHub, google/libphonenumber#1995",
  },
  {
    name: "joined",
    says: "all digits of the text are one number, as Google’s grammar reads it",
    holds: ["030/123456-78", "DE"],
    leaves: ["030 901820 / 0171 3369876", "DE"],
    source: "libphonenumber 9.0.40",
    apply(state, { read }) {
      const whole = wholeOf(state);
      const found = read(whole);
      const { flags } = state;
      return { found, text: whole, flags: found.lacksPlus === true ? [...flags, "missing_plus"] : flags };
    },
  },
];

/** Every rule once, in order. */
export const RULE_TEXTS: readonly Rule[] = [...new Set(RULES)];

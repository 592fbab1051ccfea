import { withoutNamedExtension, withoutTrailingWords } from "./normalize.ts";
import type { PhoneNumber } from "./number.ts";
import type { PlanTable } from "./plan-table.ts";
import { type NumberRead, readNumber } from "./read-number.ts";

/**
 * Finds texts with more than one number: `0171 1234567; 030 901820`, `(11) 98765-4321 / 98765-4322`, `1234567/68`. A
 * slash also groups one number (`0664/1234567`, `02/123.45.67`) and starts direct dials, so rules decide.
 */

const BETWEEN = /\D+/g;
/** What belongs to the digits after it. */
const START_OF_NUMBER = /[+(]+$/;
const LIST_SEPARATOR = /[;,|&\n]|::/;
const WORD = /\p{L}/u;
/** What stands before the end of a second number: `1234567/68`, `1234 u. 1235`. */
const ENDS = /^[ )]*(?:\/|u\.|or) *$/i;
/** What stands before another direct dial: `030 90182-0 / -12`. A hyphen sets the first one apart. */
const BEFORE_DIRECT_DIAL = /[ /,;]-$/;
const DIRECT_DIAL = /(?<=\d)-\d{1,4}[ )]*$/;
const MAX_DIRECT_DIAL_DIGITS = 4;
const MAX_EXTENSION_DIGITS = 6;

/** The fewest digits of a first number, and of a second one that starts with + or 00, and with the trunk prefix. */
const MIN_FIRST_DIGITS = 5;
const MIN_INTERNATIONAL_DIGITS = 8;
const MIN_TRUNK_DIGITS = 6;
/** The fewest digits of a second number without a prefix. */
const MIN_PLAIN_DIGITS = 7;
/** More than any number has, with its prefixes. */
const MAX_DIGITS = 22;
const MAX_LENGTH = 3 * MAX_DIGITS;
/** One or two digits are another number's end if they are higher by at most this. */
const MAX_STEP_DIGITS = 2;
const MAX_STEP = 20;
const MAX_CANDIDATES = 5;

interface Gap {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: "slash" | "list";
}

/** The places of a text that may separate two numbers. */
function gapsOf(text: string): Gap[] {
  return [...text.matchAll(BETWEEN)].flatMap(({ 0: nonDigits, index }) => {
    const isBetween = index > 0 && index + nonDigits.length < text.length;
    const between = isBetween ? nonDigits.replace(START_OF_NUMBER, "") : "";
    const isList = LIST_SEPARATOR.test(between) || WORD.test(between) || (isBetween && nonDigits.includes("+"));
    const kind = isList ? "list" : between.includes("/") ? "slash" : null;
    return kind === null ? [] : [{ start: index, end: index + between.length, text: between, kind } as const];
  });
}

/**
 * The valid numbers of a text that has more than one, in E.164: at most five, without repetition, possibly none. Null for
 * a text with one number or none.
 * @param country as in `parseNumber`
 */
export function findSeveral(text: string, country: string | undefined, plans: PlanTable): string[] | null {
  const before = withoutTrailingWords(text) ?? withoutNamedExtension(text);
  const gaps = gapsOf(before);
  if (gaps.length === 0) return null;

  const home = country === undefined ? undefined : plans.dialingIn(country);
  const read = (part: string) => readNumber(part, country, plans);
  const validNumber = (part: string) => {
    const { number, classification } = read(part);
    return classification.valid ? number : null;
  };

  /** Whether a text after another number is a number of its own. */
  function startsAnother(part: string, first: string): boolean {
    if (part.length > MAX_LENGTH) return false;
    const digits = digitsOf(part);
    if (digits.length < MIN_TRUNK_DIGITS || digits.length > MAX_DIGITS) return false;
    const isInternational = part.startsWith("+") || digits.startsWith("00");
    if (isInternational && digits.length >= MIN_INTERNATIONAL_DIGITS) return read(part).classification.possible;
    const trunkPrefix = home?.nationalPrefix?.exec(digits)?.[0] ?? "";
    // Some countries' rule for the trunk prefix also matches whole local numbers.
    const hasTrunkPrefix = trunkPrefix !== "" && trunkPrefix.length < digits.length;
    if (hasTrunkPrefix && read(part).classification.possible) return true;
    const difference = Math.abs(digits.length - digitsOf(first).length);
    return digits.length >= MIN_PLAIN_DIGITS && difference <= 1 && validNumber(first) !== null;
  }

  /** The second number of `90182-0 / -12`; null unless both are valid, and the first one also without its direct dial. */
  function withDirectDial(first: string, end: string): string | null {
    const base = first.replace(DIRECT_DIAL, "");
    const another = `${base}-${end}`;
    const isAnother = base !== first && end.length <= MAX_DIRECT_DIAL_DIGITS;
    return isAnother && [base, first, another].every(validNumber) ? another : null;
  }

  /**
   * The second number of `1234567/68` and `1234 u. 1235`, whose first part is only written once; null for others. After an
   * extension, the end is another extension: the number is the same.
   */
  function shortened(first: string, { text: sign }: Gap, end: string): string | null {
    if (BEFORE_DIRECT_DIAL.test(sign)) return withDirectDial(first, end);
    const mayHaveExtension = WORD.test(first);
    if (!ENDS.test(sign) || !(mayHaveExtension || mayEnd(first, sign, end))) return null;
    const number = validNumber(first);
    if (number === null) return null;
    if (number.extension !== null) return end.length <= MAX_EXTENSION_DIGITS ? number.e164 : null;
    if (!mayEnd(first, sign, end)) return null;
    const another = withEnd(number, end);
    if (end.length <= MAX_STEP_DIGITS) return another;
    const isOneNumber = sign.includes("/") && validNumber(first + end) !== null;
    return isOneNumber || validNumber(another) === null ? null : another;
  }

  const parts: string[] = [];
  let start = 0;
  let end = undefined as number | undefined;
  for (const [index, gap] of gaps.entries()) {
    const first = before.slice(start, end ?? gap.start);
    const digits = digitsOf(first).length;
    if (digits > MAX_DIGITS || parts.length > MAX_CANDIDATES) break;
    if (digits < MIN_FIRST_DIGITS) continue;
    const later = gaps.slice(index + 1);
    const next = before.slice(gap.end, later[0]?.start);
    const nextOfList = before.slice(gap.end, later.find(({ kind }) => kind === "list")?.start);
    if (startsAnother(next, first) || (nextOfList !== next && startsAnother(nextOfList, first))) {
      parts.push(first);
      start = gap.end;
      end = undefined;
      continue;
    }
    const another = shortened(first, gap, digitsOf(next));
    if (another === null && end !== undefined) break;
    if (another === null) continue;
    if (end === undefined) parts.push(first);
    parts.push(another);
    end = gap.start;
  }
  if (parts.length === 0) return null;
  if (end === undefined) parts.push(before.slice(start));
  const region = country ?? parts.map((part) => read(part).classification.region).find((found) => found !== null);
  const valid = parts.map((part) => readNumber(part, region ?? undefined, plans)).filter(isValid);
  return [...new Set(valid.map(({ number }) => number!.e164))].slice(0, MAX_CANDIDATES);
}

/** The digits of a text without those that letters stand for on a keypad: after a number, words are an address or a name. */
function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}

function isValid({ classification }: NumberRead): boolean {
  return classification.valid;
}

/** A number whose last digits are others, in E.164. */
function withEnd({ callingCode, nationalNumber }: PhoneNumber, end: string): string {
  return `+${callingCode}${nationalNumber.slice(0, -end.length)}${end}`;
}

/** Whether digits look like the end of another number: slightly higher, or as long as the first one's last groups. */
function mayEnd(first: string, sign: string, end: string): boolean {
  if (end === "" || end.length > MAX_DIGITS) return false;
  if (end.length > MAX_STEP_DIGITS) return !/or/i.test(sign) && isGroup(first, end.length);
  const step = Number(end) - Number(digitsOf(first).slice(-end.length));
  return step > 0 && step <= MAX_STEP;
}

/** Whether the last digits of a text, this many, are groups of their own. */
function isGroup(text: string, digits: number): boolean {
  let left = digits;
  for (let at = text.length - 1; at >= 0; at--) {
    const isDigit = /\d/.test(text[at]!);
    if (left === 0) return !isDigit;
    if (isDigit) left--;
  }
  return left === 0;
}

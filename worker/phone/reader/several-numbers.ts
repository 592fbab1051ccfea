import type { PhoneNumber } from "../number.ts";
import { withoutNamedExtension } from "./grammar.ts";
import { COUNTER, withoutTrailingWords } from "./notes.ts";
import type { NumberRead } from "./read-number.ts";
import type { Context } from "./reading.ts";

/**
 * Finds texts with more than one number: `0171 1234567; 030 901820`, `(11) 98765-4321 / 98765-4322`, `1234567/68`. A
 * slash also groups one number (`0664/1234567`, `02/123.45.67`) and starts direct dials, so rules decide.
 */

const BETWEEN = /\D+/g;
/** What belongs to the digits after it. */
const START_OF_NUMBER = /[+(]+$/;
const LIST_SEPARATOR = /[;,、，|&\n]|::/;
const WORD = /\p{L}/u;
/** What stands before the end of a second number: `1234567/68`, `1234 u. 1235`. */
const BEFORE_END = /^[ )]*(?:\/|u\.|&| (?:or|ou|oder|o|u|und|and|et|e|y|и|или|ve|veya)(?= )) *$/iu;
/** What stands before a subscriber number whose area code is written only once. */
const BEFORE_SUBSCRIBER = /^[ )]*(?:[,;、，&] ?|[、，] *|\/ | (?:and|or|und|oder|u\.|e|y|et|ou|o|и|или|ve) )[ (]*$/iu;
/** What stands before another direct dial: `030 90182-0 / -12`. A hyphen sets the first one apart. */
const BEFORE_DIRECT_DIAL = /[ /,;]-$/;
const DIRECT_DIAL = /(?<=\d)-\d{1,4}[ )]*$/;
const MAX_DIRECT_DIAL_DIGITS = 4;
/** Where a hyphen, or a wave dash, before one or two digits at the end means a range of lines. */
const RANGES: Readonly<Record<string, ReadonlySet<string>>> = {
  "-": new Set(["30", "66", "98", "90"]),
  "~": new Set(["82", "81", "886"]),
};
const MAX_RANGE_END_DIGITS = 4;

/** What follows a counter, and the counter at the end of what is before it. */
const COUNTER_SIGN = /^[.):] /;
const LAST_COUNTER = /\s+[1-9]\d?$/;
/** Slashes before: they group one number. */
const GROUPED_BY_SLASHES = /\/.*\//s;

/** The fewest digits of a first number, and of a second one that starts with + or 00, and with the trunk prefix. */
const MIN_FIRST_DIGITS = 5;
const MIN_INTERNATIONAL_DIGITS = 8;
const MIN_TRUNK_DIGITS = 6;
/** The fewest digits of a second number without a prefix, and of one that shares the first's area code. */
const MIN_PLAIN_DIGITS = 7;
const SUBSCRIBER_DIGITS = { min: 6, max: 8 } as const;
/** More than any number has, with its prefixes. */
const MAX_DIGITS = 22;
const MAX_LENGTH = 3 * MAX_DIGITS;
/** One or two digits are another number's end if they are higher by at most this. */
const MAX_STEP_DIGITS = 2;
const MAX_STEP = 20;
const MAX_CANDIDATES = 5;

type GapKind = "list" | "slash" | "dash" | "hyphen" | "wave";

/** Digits with their signs, and what stands between them and the digits before. */
interface Segment {
  readonly gap: string;
  /** What the gap may separate; null for one number's grouping. */
  readonly kind: GapKind | null;
  readonly text: string;
}

function kindOf(between: string, isInternational: boolean): GapKind | null {
  if (LIST_SEPARATOR.test(between) || WORD.test(between) || isInternational) return "list";
  if (between.includes("/")) return "slash";
  if (/ - /.test(between)) return "dash";
  if (between.includes("-")) return "hyphen";
  return between.includes("~") ? "wave" : null;
}

/** A text's digits in order, each with what stands before it. */
function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let [start, gap, kind] = [0, "", null as GapKind | null];
  for (const { 0: nonDigits, index } of text.matchAll(BETWEEN)) {
    if (index === 0 || index + nonDigits.length === text.length) continue;
    const between = nonDigits.replace(START_OF_NUMBER, "");
    segments.push({ gap, kind, text: text.slice(start, index) });
    [start, gap, kind] = [index + between.length, between, kindOf(between, nonDigits.includes("+"))];
  }
  return [...segments, { gap, kind, text: text.slice(start) }];
}

/** A hyphen, with spaces only if no other has them. */
function isRangeSign(gap: string, first: string): boolean {
  return gap === "-" || (gap === " - " && !first.includes(" - "));
}

/** The digits of a text without those that letters stand for on a keypad: after a number, words are an address or a name. */
function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}

/** What a gap has before its list separator, such as the end of a bracket, belongs to the digits before. */
function endOf(gap: string): string {
  return gap.slice(0, Math.max(0, gap.search(LIST_SEPARATOR)));
}

/** A number whose last digits are others, in E.164. */
function withEnd({ callingCode, nationalNumber }: PhoneNumber, end: string): string {
  return `+${callingCode}${nationalNumber.slice(0, -end.length)}${end}`;
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

/**
 * The numbers of a text that has more than one, each as a text to read; null for a text with one number or none.
 * `030 901820 (24h), 0171 3369876` has the segments `030 901820`, `(24`, and `0171 3369876`. The second is no number, so
 * it is joined to the first; the third is whole, so the first ends with the gap's `h)`.
 */
export function splitNumbers(text: string, { read, trunkPrefix, callingCode }: Context): string[] | null {
  const isWave = callingCode !== undefined && RANGES["~"]!.has(callingCode) && text.includes("~");
  const segments = segmentsOf(withoutTrailingWords(text) ?? (isWave ? text : withoutNamedExtension(text)));
  if (segments.every(({ kind }) => kind === null)) return null;

  function validNumber(part: string): PhoneNumber | null {
    const { number, classification } = read(part);
    return classification.valid ? number : null;
  }

  function hasPrefix(part: string): boolean {
    const digits = digitsOf(part);
    return part.startsWith("+") || digits.startsWith("00") || trunkPrefix(digits) !== "";
  }

  /** Whether a text after another number is a separate number. */
  function isWhole(part: string, kind: GapKind, first: string): boolean {
    const digits = digitsOf(part);
    if (part.length > MAX_LENGTH || digits.length < MIN_TRUNK_DIGITS || digits.length > MAX_DIGITS) return false;
    if (kind === "slash" && validNumber(first) === null && validNumber(`${first}/${part}`) !== null) return false;
    const isInternational = part.startsWith("+") || digits.startsWith("00");
    const isLong = !isInternational || digits.length >= MIN_INTERNATIONAL_DIGITS;
    if (kind === "wave") return false;
    // A hyphen also groups: both sides must be numbers.
    if (kind === "dash" || kind === "hyphen") {
      if (digitsOf(first).length < MIN_TRUNK_DIGITS || validNumber(first) === null || validNumber(part) === null)
        return false;
      if (hasPrefix(part) && hasPrefix(first)) return isLong;
      return kind === "dash" && isAsLong(digits, first);
    }
    if (hasPrefix(part) && isLong && read(part).classification.possible) return true;
    return isAsLong(digits, first) && validNumber(first) !== null;
  }

  function isAsLong(digits: string, first: string): boolean {
    return digits.length >= MIN_PLAIN_DIGITS && Math.abs(digits.length - digitsOf(first).length) <= 1;
  }

  /** The second number of `90182-0 / -12`; null unless both are valid, and the first one also without its direct dial. */
  function withDirectDial(first: string, end: string): string | null {
    const base = first.replace(DIRECT_DIAL, "");
    const another = `${base}-${end}`;
    const isAnother = base !== first && end.length <= MAX_DIRECT_DIAL_DIGITS;
    return isAnother && [base, first, another].every(validNumber) ? another : null;
  }

  /** Whether digits look like the end of another number: slightly higher, or as long as the first one's last groups. */
  function mayEnd(first: string, sign: string, end: string): boolean {
    if (end.length > MAX_STEP_DIGITS) return /[/~]|u\./.test(sign) && isGroup(first, end.length);
    const step = Number(end) - Number(digitsOf(first).slice(-end.length));
    return step > 0 && step <= MAX_STEP;
  }

  /** The second number of `1234567/68`, `1234 u. 1235`, and `2345-6789; 2345-6790`, whose start is only written once. */
  function shortened(first: string, { gap, kind, text: end }: Segment, isAfterEnd: boolean): string | null {
    if (!/^\d+(?:[ .-]\d+)*[ )]*$/.test(end) || end.length > MAX_DIGITS) return null;
    const digits = digitsOf(end);
    if (BEFORE_DIRECT_DIAL.test(gap)) return withDirectDial(first, digits);
    const number = validNumber(first);
    if (number === null || number.extension !== null) return null;
    const another = withEnd(number, digits);
    const range = RANGES[kind === "wave" ? "~" : "-"]!;
    const isRange = (kind === "wave" || isRangeSign(gap, first)) && callingCode !== undefined && range.has(callingCode);
    if (isRange) {
      const isEnd = digits.length <= (kind === "wave" ? MAX_RANGE_END_DIGITS : MAX_STEP_DIGITS);
      return isEnd && mayEnd(first, gap, digits) ? another : null;
    }
    if (isAfterEnd && digits.length === MAX_RANGE_END_DIGITS && kind === "list") return another;
    const { min, max } = SUBSCRIBER_DIGITS;
    if (digits.length >= min && digits.length <= max && BEFORE_SUBSCRIBER.test(gap)) {
      const isUnbroken = /^\d+$/.test(first);
      if ((isUnbroken || isGroup(first, digits.length)) && validNumber(another) !== null) return another;
    }
    if (!BEFORE_END.test(gap) || !mayEnd(first, gap, digits)) return null;
    if (digits.length <= MAX_STEP_DIGITS) return another;
    const isOneNumber = gap.includes("/") && validNumber(first + digits) !== null;
    return isOneNumber || validNumber(another) === null ? null : another;
  }

  /** How many segments from one on are a part: up to the next that one of these separates. */
  function lengthUpTo(kinds: readonly (GapKind | null)[], at: number): number {
    const next = segments.findIndex(({ kind }, index) => index > at && kinds.includes(kind));
    return (next < 0 ? segments.length : next) - at;
  }

  function partAt(at: number, length: number): string {
    const [{ text: first }, ...rest] = segments.slice(at, at + length) as [Segment, ...Segment[]];
    return (first + rest.map(({ gap, text: digits }) => gap + digits).join("")).replace(COUNTER, "");
  }

  const numbers: string[] = [];
  let current = segments[0]!.text;
  /** Whether the last number is one that shares the start of `current`, which is also among the numbers. */
  let isShared = false;
  for (let at = 1; at < segments.length; at++) {
    const { gap, kind } = segments[at]!;
    const length = digitsOf(current).length;
    if (length > MAX_DIGITS || numbers.length > MAX_CANDIDATES) break;
    // A slash or a hyphen in the second number groups it.
    const separators: readonly (GapKind | null)[] =
      kind === "dash"
        ? ["list", "slash", "dash"]
        : kind === "hyphen"
          ? [kind, "list", "slash", "dash"]
          : ["list", "slash"];
    const lengths =
      kind === null || length < MIN_FIRST_DIGITS || (kind === "slash" && GROUPED_BY_SLASHES.test(current))
        ? []
        : [lengthUpTo(separators, at), lengthUpTo(["list"], at)];
    // What stands right before the next number may be its counter.
    const first = COUNTER_SIGN.test(gap) ? current.replace(LAST_COUNTER, "") : current + endOf(gap);
    if (lengths.some((each) => isWhole(partAt(at, each), kind!, first))) {
      if (!isShared) numbers.push(first);
      [current, isShared] = [partAt(at, lengths[0]!), false];
      at += lengths[0]! - 1;
      continue;
    }
    const another =
      lengths.length === 0 ? null : shortened(current, { gap, kind, text: partAt(at, lengths[0]!) }, isShared);
    if (another !== null) {
      if (!isShared) numbers.push(current);
      numbers.push(another);
      isShared = true;
      at += lengths[0]! - 1;
      continue;
    }
    if (isShared) break;
    current += gap + segments[at]!.text;
  }
  if (numbers.length === 0) return null;
  return isShared ? numbers : [...numbers, current];
}

/** The valid numbers among those of a text, in E.164: at most five, without repetition. */
export function candidatesOf(parts: readonly NumberRead[]): string[] {
  const valid = parts.filter(({ classification }) => classification.valid);
  return [...new Set(valid.map(({ number }) => number!.e164))].slice(0, MAX_CANDIDATES);
}

import { validNumber } from "./read-number.ts";
import { type Context, digitsOf, type Group, type Separator } from "./reading.ts";

/** Reads numbers whose start is written only once: `1234567/68`, `1234 u. 1235`, `2345-6789; 2345-6790`, `90182-0 / -12`. */

/** Digits in groups, without a prefix. */
const ENDING = /^\d+(?:[ .-]\d+)*[ )]*$/;
/** What stands before the end of another number: `1234567/68`, `1234 u. 1235`. */
const BEFORE_END = /^[ )]*(?:\/|u\.|&| (?:or|ou|oder|o|u|und|and|et|e|y|и|или|ve|veya)(?= )) *$/iu;
/** Where it may also be longer than a step. */
const BEFORE_LONG_END = /[/~]|u\./;
/** An end of this many digits is higher than the first one's, by at most this. */
const STEP = { mostDigits: 2, most: 20 } as const;
/** What stands before a subscriber number whose area code is written only once. */
const BEFORE_SUBSCRIBER = /^[ )]*(?:[,;、，&] ?|[、，] *|\/ | (?:and|or|und|oder|u\.|e|y|et|ou|o|и|или|ve) )[ (]*$/iu;
const SUBSCRIBER_DIGITS = { fewest: 6, most: 8 } as const;
/** What stands before another direct dial: `030 90182-0 / -12`. A hyphen sets the first one apart. */
const BEFORE_DIRECT_DIAL = /[ /,;]-$/;
const DIRECT_DIAL = /(?<=\d)-\d{1,4}[ )]*$/;
const MOST_DIRECT_DIAL_DIGITS = 4;
/** Numbers in a list after an end: `2345/2346, 2347`. */
const LISTED_END_DIGITS = 4;

interface Range {
  readonly callingCodes: ReadonlySet<string>;
  /** The most digits of its end. */
  readonly mostDigits: number;
}
const HYPHEN_RANGE: Range = { callingCodes: new Set(["30", "66", "98", "90"]), mostDigits: STEP.mostDigits };
/** Where these before the end of a text mean a range of lines. */
const RANGES: Partial<Record<Separator, Range>> = {
  hyphen: HYPHEN_RANGE,
  dash: HYPHEN_RANGE,
  wave: { callingCodes: new Set(["82", "81", "886"]), mostDigits: 4 },
};

export function hasRanges(separator: Separator, { callingCode = "" }: Context): boolean {
  return RANGES[separator]?.callingCodes.has(callingCode) === true;
}

/** The number that shares this one's start and ends with this group; null if it doesn't. */
export function withSharedStart(first: string, last: Group, isAfterEnd: boolean, context: Context): string | null {
  const { read, isValid } = context;
  const { gap, separator, text } = last;
  if (separator === null || !ENDING.test(text)) return null;
  const end = digitsOf(text);
  if (BEFORE_DIRECT_DIAL.test(gap)) {
    const base = first.replace(DIRECT_DIAL, "");
    const another = `${base}-${end}`;
    const isAnother = base !== first && end.length <= MOST_DIRECT_DIAL_DIGITS;
    return isAnother && [base, first, another].every(isValid) ? another : null;
  }
  const number = validNumber(read(first));
  if (number === null || number.extension !== null) return null;
  const another = number.e164.slice(0, -end.length) + end;
  if (hasRanges(separator, context) && isRangeSign(last, first)) {
    return end.length <= RANGES[separator]!.mostDigits && mayEnd(first, gap, end) ? another : null;
  }
  if (isAfterEnd && separator === "list" && end.length === LISTED_END_DIGITS) return another;
  const isSubscriber = end.length >= SUBSCRIBER_DIGITS.fewest && end.length <= SUBSCRIBER_DIGITS.most;
  if (isSubscriber && BEFORE_SUBSCRIBER.test(gap) && (/^\d+$/.test(first) || endsWithGroups(first, end.length))) {
    if (isValid(another)) return another;
  }
  if (!BEFORE_END.test(gap) || !mayEnd(first, gap, end)) return null;
  if (end.length <= STEP.mostDigits) return another;
  // Longer ends may be direct dials.
  const isOneNumber = gap.includes("/") && isValid(first + end);
  return !isOneNumber && isValid(another) ? another : null;
}

/** A wave dash, or a hyphen, with spaces only if no other has them. */
function isRangeSign({ gap, separator }: Group, first: string): boolean {
  return separator === "wave" || gap === "-" || (gap === " - " && !first.includes(" - "));
}

/** Whether digits may replace the end of a number: slightly higher, or as long as its last groups. */
function mayEnd(first: string, gap: string, end: string): boolean {
  if (end.length > STEP.mostDigits) return BEFORE_LONG_END.test(gap) && endsWithGroups(first, end.length);
  const step = Number(end) - Number(digitsOf(first).slice(-end.length));
  return step > 0 && step <= STEP.most;
}

/** Whether the last digits of a text, this many, are groups of their own. */
function endsWithGroups(text: string, digits: number): boolean {
  let left = digits;
  for (const group of text.split(/\D+/).toReversed()) {
    if (left <= 0) break;
    left -= group.length;
  }
  return left === 0;
}

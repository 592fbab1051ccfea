import { withoutNamedExtension } from "./grammar.ts";
import { COUNTER, withoutTrailingWords } from "./notes.ts";
import { type NumberRead, validNumber } from "./read-number.ts";
import { type Context, digitsOf, type Group, type Separator } from "./reading.ts";
import { hasRanges, withSharedStart } from "./shared-start.ts";

/**
 * Finds texts with more than one number: `0171 1234567; 030 901820`, `(11) 98765-4321 / 98765-4322`, `1234567/68`. A
 * slash also groups one number (`0664/1234567`, `02/123.45.67`) and starts direct dials, so rules decide.
 */

/** A number after the first, and how many groups it takes. */
interface Another {
  readonly text: string;
  readonly length: number;
  /** Whether it is written in full. */
  readonly isWhole: boolean;
}

const GAP = /\D+/g;
/** What belongs to the digits after it. */
const START_OF_NUMBER = /[+(]+$/;
const LIST_MARK = /[;,、，|&\n]|::/;
const WORD = /\p{L}/u;
/** The next number's counter at the end of this one. */
const NEXT_COUNTER = /(?<!\s)\s+[1-9]\d?[.):] \D*$/;

/** What ends the second number, by what stands before it: slashes and hyphens also group one number. */
const ENDS: Readonly<Record<Separator, ReadonlySet<Separator | null>>> = {
  list: new Set(["list", "slash"]),
  slash: new Set(["list", "slash"]),
  wave: new Set(["list", "slash"]),
  dash: new Set(["list", "slash", "dash"]),
  hyphen: new Set(["list", "slash", "dash", "hyphen"]),
};
const LIST_ALONE: ReadonlySet<Separator | null> = new Set(["list"]);
/** Slashes before: they group one number. */
const GROUPED_BY_SLASHES = /\/.*\//s;

/** The fewest digits of a first number, and of another one by what it begins with. */
const FEWEST_DIGITS = { first: 5, international: 8, trunkPrefix: 6, noPrefix: 7 } as const;
/** More than any number has, with its prefixes. */
const MOST_DIGITS = 22;
const MOST_CANDIDATES = 5;

/**
 * The numbers of a text that has more than one, each as a text to read; null for a text with one number or none.
 * `030 901820 (24h), 0171 3369876` has the groups `030`, `901820`, `(24`, `0171`, and `3369876`. No number begins with
 * `(24`, so it belongs to the first one. `0171 3369876` is whole, so the first one ends with the gap's `h)`.
 */
export function splitNumbers(text: string, context: Context): string[] | null {
  const [first, ...others] = groupsOf(withoutEnd(text, context)) as [Group, ...Group[]];
  const numbers = [first.text];
  let rest = others;
  /** The last one in full: those after it share its start. */
  let last = 0;
  while (rest.length > 0) {
    const number = numbers[last]!;
    if (digitsOf(number).length > MOST_DIGITS) break;
    const isShared = last < numbers.length - 1;
    const another = anotherAfter(number, rest, isShared, context);
    const [{ gap, text: digits }] = rest as [Group];
    if (another === null) {
      if (isShared) break;
      numbers[last] = number + gap + digits;
    } else {
      if (another.isWhole && !isShared) numbers[last] = endedBy(number, gap);
      numbers.push(another.text);
      if (another.isWhole) last = numbers.length - 1;
    }
    rest = rest.slice(another?.length ?? 1);
  }
  return numbers.length > 1 ? numbers : null;
}

/** The valid numbers among those of a text, in E.164: at most five, without repetition. */
export function candidatesOf(parts: readonly NumberRead[]): string[] {
  return [...new Set(parts.flatMap((part) => validNumber(part)?.e164 ?? []))].slice(0, MOST_CANDIDATES);
}

/** A text without words and an extension at its end. A wave dash that means a range of lines marks no extension. */
function withoutEnd(text: string, context: Context): string {
  const withoutWords = withoutTrailingWords(text);
  if (withoutWords !== null) return withoutWords;
  return text.includes("~") && hasRanges("wave", context) ? text : withoutNamedExtension(text);
}

/** A text's digits in order, each with what stands before. */
function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let [start, gap, separator] = [0, "", null as Separator | null];
  for (const { 0: nonDigits, index } of text.matchAll(GAP)) {
    if (index === 0 || index + nonDigits.length === text.length) continue;
    const between = nonDigits.replace(START_OF_NUMBER, "");
    groups.push({ gap, separator, text: text.slice(start, index) });
    [start, gap, separator] = [index + between.length, between, separatorIn(between, nonDigits.includes("+"))];
  }
  return [...groups, { gap, separator, text: text.slice(start) }];
}

function separatorIn(gap: string, isBeforePlus: boolean): Separator | null {
  if (LIST_MARK.test(gap) || WORD.test(gap) || isBeforePlus) return "list";
  if (gap.includes("/")) return "slash";
  if (gap.includes(" - ")) return "dash";
  if (gap.includes("-")) return "hyphen";
  return gap.includes("~") ? "wave" : null;
}

/** A number before a gap, with the end of a bracket that the gap has before its list mark, but without the next one's counter. */
function endedBy(number: string, gap: string): string {
  const counter = NEXT_COUNTER.exec(number + gap);
  if (counter !== null) return number.slice(0, counter.index);
  return number + gap.slice(0, Math.max(0, gap.search(LIST_MARK)));
}

/** How many of these groups belong together: up to the next that one of these separates. */
function lengthUpTo(ends: ReadonlySet<Separator | null>, groups: readonly Group[]): number {
  const end = groups.findIndex(({ separator }, at) => at > 0 && ends.has(separator));
  return end < 0 ? groups.length : end;
}

/** The text of groups, without the gap and a counter before it. */
function textOf([first, ...others]: readonly Group[]): string {
  return others.reduce((text, group) => text + group.gap + group.text, first!.text).replace(COUNTER, "");
}

/** Another number at the start of these groups; null if they continue this one. */
function anotherAfter(number: string, groups: readonly Group[], isShared: boolean, context: Context): Another | null {
  const [{ gap, separator }] = groups as [Group];
  if (separator === null || digitsOf(number).length < FEWEST_DIGITS.first) return null;
  if (separator === "slash" && GROUPED_BY_SLASHES.test(number)) return null;
  const length = lengthUpTo(ENDS[separator], groups);
  const text = textOf(groups.slice(0, length));
  const isWhole = [text, textOf(groups.slice(0, lengthUpTo(LIST_ALONE, groups)))].some((whole) =>
    isWholeAfter(endedBy(number, gap), separator, whole, context),
  );
  if (isWhole) return { text, length, isWhole };
  const shared = withSharedStart(number, { gap, separator, text }, isShared, context);
  return shared === null ? null : { text: shared, length, isWhole };
}

/** Whether a text after this number is a number in full. */
function isWholeAfter(number: string, separator: Separator, text: string, context: Context): boolean {
  const digits = digitsOf(text);
  if (separator === "wave" || digits.length < FEWEST_DIGITS.trunkPrefix || digits.length > MOST_DIGITS) return false;
  const { read, isValid, trunkPrefix } = context;
  if (separator === "slash" && !isValid(number) && isValid(`${number}/${text}`)) return false;

  const isInternational = (one: string) => one.startsWith("+") || digitsOf(one).startsWith("00");
  const hasPrefix = (one: string) => isInternational(one) || trunkPrefix(digitsOf(one)) !== "";
  const isLong = !isInternational(text) || digits.length >= FEWEST_DIGITS.international;
  const lengthBefore = digitsOf(number).length;
  const isAsLong = digits.length >= FEWEST_DIGITS.noPrefix && Math.abs(digits.length - lengthBefore) <= 1;
  // A hyphen also groups: both sides must be numbers.
  if (separator === "dash" || separator === "hyphen") {
    if (lengthBefore < FEWEST_DIGITS.trunkPrefix || !isValid(number) || !isValid(text)) return false;
    return hasPrefix(text) && hasPrefix(number) ? isLong : separator === "dash" && isAsLong;
  }
  if (hasPrefix(text) && isLong && read(text).classification.possible) return true;
  return isAsLong && isValid(number);
}

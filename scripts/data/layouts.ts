import type { HeadLayout } from "../../worker/phone/plan-table.ts";
import type { Formatting, RawFormat } from "./plan-metadata.ts";
import type { Outcome } from "./automaton.ts";
import { acceptingForGood, reading, type State } from "./pattern.ts";

/** How to format numbers with given leading digits and the length of the groups. */
interface Format {
  readonly start: readonly State[];
  /** The absorbing state reached when the leading digits match. */
  readonly fits: State;
  readonly groups: readonly (readonly [shortest: number, longest: number])[];
  readonly template: string;
}

/** A format in libphonenumber's metadata. */
export interface FormatRule {
  readonly pattern: string;
  readonly template: string;
  /**
   * Each pattern is more specific than the previous one; only the last, included here, decides. Empty for any leading
   * digits.
   */
  readonly leadingDigits: string;
}

export interface NationalFormatRule extends FormatRule {
  /** Replaces the template's first group; empty for none. */
  readonly nationalPrefixRule: string;
}

/** A calling code's formats; the first match wins. */
export interface FormatRules {
  readonly national: readonly NationalFormatRule[];
  readonly international: readonly FormatRule[];
  readonly extensionPrefix: string;
}

/**
 * The rules of libphonenumber-js's metadata. It lacks formats for dialing within the country only, which libphonenumber
 * marks with `<intlFormat>NA</intlFormat>`; without them those numbers lose their grouping and national prefix. They
 * are inserted from Google's library at their original positions.
 */
export function formatRules({ formats, extensionPrefix }: Formatting, library: FormatRules | undefined): FormatRules {
  const common = ([pattern, template, leadingDigits]: RawFormat): FormatRule => ({
    pattern,
    template,
    leadingDigits: (leadingDigits || []).at(-1) ?? "",
  });
  const national = formats.map((raw) => ({ ...common(raw), nationalPrefixRule: raw[3] || "" }));
  for (const [place, rule] of nationalOnly(library)) national.splice(place, 0, rule);
  const international = formats.map((raw) => ({ ...common(raw), template: raw[5] || raw[1] }));
  return { national, international, extensionPrefix };
}

/** National rules without an international counterpart, in ascending position in the full list. */
function nationalOnly({ national, international }: FormatRules = NO_RULES): (readonly [number, NationalFormatRule])[] {
  let matched = 0;
  return [...national.entries()].filter(([, { pattern, leadingDigits }]) => {
    const next = international[matched];
    const isBoth = next?.pattern === pattern && next.leadingDigits === leadingDigits;
    if (isBoth) matched++;
    return !isBoth;
  });
}

const NO_RULES: FormatRules = { national: [], international: [], extensionPrefix: "" };

/** All calling codes' layouts, deduplicated and numbered by first appearance. */
export function createLayouts() {
  const layouts: HeadLayout[] = [];
  /** By the layout's JSON. */
  const indexes = new Map<string, number>();

  /** The start and outcomes of a calling code's layout automaton. */
  function automatonOf(rules: FormatRules): { start: readonly State[]; outcome: Outcome } {
    const national = rules.national.map((rule) => toFormat(rule, withPrefix(rule.template, rule.nationalPrefixRule)));
    const international = rules.international.map((rule) => toFormat(rule, withSpaces(rule.template)));
    return {
      start: [...national, ...international].flatMap(({ start }) => start),
      outcome(states, length) {
        const layout: HeadLayout = {
          national: maskOf(national, states, length),
          international: maskOf(international, states, length),
        };
        const text = JSON.stringify(layout);
        if (!indexes.has(text)) indexes.set(text, layouts.push(layout) - 1);
        return indexes.get(text)!;
      },
    };
  }

  return { automatonOf, layouts };
}

/** The first format that matches, as in libphonenumber. */
function maskOf(formats: readonly Format[], states: ReadonlySet<State>, length: number): string | null {
  for (const { fits, groups, template } of formats) {
    if (!states.has(fits)) continue;
    const lengths = groupLengths(groups, length);
    if (lengths !== null) return `${lengths.join(",")} ${template}`;
  }
  return null;
}

/** How many digits each group gets: greedily, like a regular expression. Null when they don't fit. */
function groupLengths(groups: Format["groups"], length: number): number[] | null {
  const [first, ...others] = groups;
  if (first === undefined) return length === 0 ? [] : null;
  for (let taken = Math.min(first[1], length); taken >= first[0]; taken--) {
    const rest = groupLengths(others, length - taken);
    if (rest !== null) return [taken, ...rest];
  }
  return null;
}

function toFormat({ pattern, leadingDigits }: FormatRule, template: string): Format {
  if (!/^(?:\(\\d(?:\{\d+(?:,\d+)?\})?\))+$/.test(pattern)) throw new Error(`Not groups of any digits: ${pattern}`);
  const groups = [...pattern.matchAll(/\\d(?:\{(\d+)(?:,(\d+))?\})?/g)].map(
    ([, shortest = "1", longest = shortest]) => {
      return [Number(shortest), Number(longest)] as const;
    },
  );
  const fits = acceptingForGood();
  return { start: leadingDigits === "" ? [fits] : reading(leadingDigits, [fits]), fits, groups, template };
}

/** Applies a national prefix rule such as "(0$1)" to the template's first group; $1 in a rule is that group. */
function withPrefix(template: string, rule: string): string {
  return rule === "" ? template : template.replace(/(\$\d)/, rule);
}

/** ITU-T E.123 separates groups by spaces; libphonenumber has hyphens for some countries. */
function withSpaces(template: string): string {
  return template.replaceAll(/[^$\d]+/g, " ").trim();
}

import { MAX_NATIONAL_LENGTH } from "../../worker/phone/number.ts";
import type { ShortNumberPatterns } from "../../worker/phone/short-numbers.ts";
import { createNodePool } from "./automaton.ts";
import { accepting, reading } from "./pattern.ts";
import { childOf, lengthsOf, patternIn, territoriesIn, type XmlElement } from "./xml.ts";

/** In the order of ShortNumberPatterns. Only the first two make a number a short number. */
const KINDS = ["shortCode", "emergency", "tollFree", "standardRate", "premiumRate"];
const SHORT_NUMBER = 0b11;

/**
 * Converts Google's ShortNumberMetadata.xml to the worker's format. Google checks lengths before patterns. The table has
 * no lengths, so this throws if they make a difference.
 */
export function compileShortNumbers(metadata: XmlElement): ShortNumberPatterns {
  return Object.fromEntries(
    territoriesIn(metadata).map((territory) => {
      const country = territory.attributes["id"]!;
      const patterns = KINDS.map((kind) => patternOf(territory, kind));
      return [country, patterns.slice(0, patterns.findLastIndex((pattern) => pattern !== "") + 1)];
    }),
  );
}

/** An automaton that returns which of a country's patterns match: one bit each. */
export function openShortNumbers(patterns: readonly string[]) {
  const ends = patterns.map(() => accepting());
  const start = patterns.flatMap((pattern, kind) => (pattern === "" ? [] : reading(pattern, [ends[kind]!])));
  const pool = createNodePool();
  const root = pool.add(start, MAX_NATIONAL_LENGTH, (states) =>
    ends.reduce((kinds, end, kind) => (states.has(end) ? kinds | (1 << kind) : kinds), 0),
  );
  return { root, nodes: pool.fields() };
}

/** The automaton's outcome in words; null if it isn't a short number. */
export function shortNumberKinds(kinds: number): string | null {
  return kinds & SHORT_NUMBER ? KINDS.filter((_, kind) => kinds & (1 << kind)).join(" ") : null;
}

function patternOf(territory: XmlElement, kind: string): string {
  const description = childOf(territory, kind);
  if (description === undefined) return "";
  const pattern = patternIn(description);
  const { national } = lengthsOf(description);
  const end = accepting();
  const start = reading(pattern, [end]);
  const pool = createNodePool();
  const [anyLength, theirLengths] = [() => true, (length: number) => national.includes(length)].map((fits) =>
    pool.add(start, MAX_NATIONAL_LENGTH, (states, length) => (states.has(end) && fits(length) ? 1 : 0)),
  );
  if (anyLength !== theirLengths) {
    throw new Error(`${territory.attributes["id"]}: the lengths of ${kind} shorten its pattern ${pattern}`);
  }
  return pattern;
}

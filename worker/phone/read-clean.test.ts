import { describe, expect, test } from "vitest";
import { classify, parseNumber, plans, table } from "../../test/engine.ts";
import { examples, google } from "../../test/google-oracle.ts";
import { allOrSome, longOrShort } from "../../test/long.ts";
import { transitionCover } from "../../test/transition-cover.ts";
import { formatE164 } from "./format.ts";
import { readPlanTable, typeOf } from "./plan-table.ts";
import { readClean } from "./read-clean.ts";

const { head, nodesOf } = readPlanTable(table("plans.bin"));

/**
 * The transition cover's numbers in E.164, all or some of each calling code: regions, types, lengths, and what is just
 * outside.
 */
function covered(): string[] {
  return Object.entries(head.plans).flatMap(([callingCode, { assignmentRoot }]) => {
    const { words } = transitionCover({
      root: assignmentRoot,
      nodes: nodesOf(callingCode),
      accepts: (said) => typeOf(said) !== "unknown",
    });
    return allOrSome([...words]).map((word) => `+${callingCode}${word}`);
  });
}

/** The difference from the parser's result; null if there is none, or the parser is needed. */
function difference(input: string, country?: string): string | null {
  const clean = readClean(input, plans);
  if (clean === null) return null;
  const parsed = parseNumber(input, country, plans);
  if (!parsed.ok) return `${input}: the parser says ${parsed.reason}`;
  const ours = JSON.stringify(clean.number);
  const theirs = JSON.stringify({ ...parsed.number, e164: formatE164(parsed.number) });
  if (ours !== theirs) return `${input}: ${ours}, the parser ${theirs}`;
  const same = JSON.stringify(clean.classification) === JSON.stringify(classify(parsed.number));
  return same ? null : `${input}: its classification is another's`;
}

describe("input on the fast path", () => {
  const inputs = covered();

  test("returns the parser's result for every transition of every automaton", () => {
    const read = inputs.filter((input) => readClean(input, plans) !== null);
    expect(read.length).toBeGreaterThan(longOrShort(700_000, 60_000));
    expect(read.flatMap((input) => difference(input) ?? [])).toEqual([]);
  });

  test("returns the parser's result with any country", () => {
    const countries = google.getSupportedRegions();
    const some = inputs.filter((_, index) => index % longOrShort(7, 1) === 0);
    const differences = some.flatMap((input, index) => difference(input, countries[index % countries.length]) ?? []);
    expect(differences).toEqual([]);
  });

  test("returns the same result with separators", () => {
    const separators = [" ", "-", ".", "(", ") ", " (", " - "];
    const some = inputs.filter((_, index) => index % longOrShort(7, 1) === 0);
    const separated = some.map((input, index) => {
      const at = 2 + (index % Math.max(1, input.length - 3));
      return input.slice(0, at) + separators[index % separators.length] + input.slice(at);
    });
    expect(separated.filter((input) => readClean(input, plans) !== null).length).toBeGreaterThan(
      longOrShort(90_000, 50_000),
    );
    expect(separated.flatMap((input) => difference(input) ?? [])).toEqual([]);
  });

  test("includes every example and nearly every valid number", () => {
    const missing = (all: readonly string[]) => all.filter((input) => readClean(input, plans) === null);
    expect(missing(examples().map(formatE164))).toEqual([]);
    const valid = inputs.filter((input) => {
      const parsed = parseNumber(input, undefined, plans);
      return parsed.ok && formatE164(parsed.number) === input && classify(parsed.number).valid;
    });
    expect(missing(valid).length / valid.length).toBeLessThan(0.02);
  });
});

test.each([
  ["12025550123", "no plus sign"],
  ["＋12025550123", "another plus sign"],
  ["++12025550123", "two plus signs"],
  [" +12025550123", "text before"],
  ["+12025550123 ", "text after"],
  ["+12025550123x5", "an extension"],
  ["+1 800 FLOWERS", "letters"],
  ["+1/202/555/0123", "a separator that can also start a second number"],
  ["+١٢٠٢٥٥٥٠١٢٣", "other digits"],
  ["+011 44 20 7946 0018", "an international prefix"],
  ["+44 (0)20 7946 0018", "a national prefix"],
  ["+7 8 800 555 35 35", "a national prefix"],
  ["+54 11 15 2345 6789", "a prefix that is rewritten"],
  ["+86 17911 13812345678", "a carrier code"],
  ["+999 1234567", "an unknown calling code"],
  ["+1", "no national number"],
  ["+12", "too few digits"],
  ["+1202555012345678901", "too many digits"],
  [`+1 202 555 012${" ".repeat(240)}3`, "too many characters"],
])("%j is left to the parser: %s", (input) => {
  expect(readClean(input, plans)).toBeNull();
});

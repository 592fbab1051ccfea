import { describe, expect, test } from "vitest";
import { NODE_FIELDS } from "../../worker/phone/plan-table.ts";
import { createNodePool, follow } from "./automaton.ts";
import { accepting, acceptingForGood, alternatives, reading, type State } from "./pattern.ts";

/** Every string of up to four digits. */
const WORDS = [
  "",
  ...[1, 2, 3, 4].flatMap((length) => Array.from({ length: 10 ** length }, (_, n) => String(n).padStart(length, "0"))),
];

/** Compiles a single pattern; the outcome is 1 for a match. */
function compile(pattern: string, end: State) {
  const pool = createNodePool();
  const root = pool.add(reading(pattern, [end]), 6, (states) => (states.has(end) ? 1 : 0));
  const fields = pool.fields();
  function matches(word: string): boolean {
    return fields[follow(fields, root, word) * NODE_FIELDS] === 1;
  }
  return { matches, size: fields.length / NODE_FIELDS };
}

const PATTERNS = [
  "12",
  "1?2",
  "[1-35]\\d",
  "1(?:2|3[4-6])?",
  "(0[12]|9)\\d{1,2}",
  "\\d{2}(?:\\d{2})?",
  "|7",
  "1{2,4}|11",
  "(?:1|12)(?:3|23)",
];

describe("an automaton", () => {
  test.each(PATTERNS)("agrees with the regular expression for whole words: %s", (pattern) => {
    const { matches } = compile(pattern, accepting());
    const expected = new RegExp(`^(?:${pattern})$`);
    expect(WORDS.filter((word) => matches(word) !== expected.test(word))).toEqual([]);
  });

  test.each(PATTERNS)("and for prefixes: %s", (pattern) => {
    const { matches } = compile(pattern, acceptingForGood());
    const expected = new RegExp(`^(?:${pattern})`);
    expect(WORDS.filter((word) => matches(word) !== expected.test(word))).toEqual([]);
  });

  test("is minimal", () => {
    // One node each for zero, one, two, and three digits, the last accepting, and a dead state.
    expect(compile("\\d{3}", accepting()).size).toBe(5);
    expect(compile("(?:0\\d|[1-9]\\d)\\d|123", accepting()).size).toBe(5);
    // Digits after the 1 don't matter.
    expect(compile("1\\d?", acceptingForGood()).size).toBe(3);
  });
});

test.each(["1+", "1*", "(?=1)2", "(1", "1)", "a", ".", "[^1]", "1{2,}"])(
  "syntax that no pattern uses is rejected: %s",
  (pattern) => {
    expect(() => reading(pattern, [accepting()])).toThrow(/Unsupported syntax/);
  },
);

test("only alternatives outside all groups count", () => {
  expect(alternatives("(a|b)c|d(?:e|(f|g))|h$")).toEqual(["(a|b)c", "d(?:e|(f|g))", "h$"]);
  expect(alternatives("")).toEqual([""]);
});

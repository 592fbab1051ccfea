import { describe, expect, test } from "vitest";
import { examples } from "../../test/google-oracle.ts";
import { table, verify } from "../../test/engine.ts";
import { allOrSome } from "../../test/long.ts";
import { transitionCover } from "../../test/transition-cover.ts";
import { formatE164 } from "./format.ts";
import { readPlanTable, typeOf } from "./plan-table.ts";

/** Google's examples, and valid numbers that cover every transition of every automaton. */
function validNumbers(): string[] {
  const { head, nodesOf } = readPlanTable(table("plans.bin"));
  const cover = Object.entries(head.plans).flatMap(([callingCode, { assignmentRoot }]) => {
    const { words } = transitionCover({
      root: assignmentRoot,
      nodes: nodesOf(callingCode),
      accepts: (said) => typeOf(said) !== "unknown",
    });
    return allOrSome([...words].filter(Boolean)).map((digits) => `+${callingCode}${digits}`);
  });
  const numbers = [...examples().map(formatE164), ...cover].flatMap((input) => {
    const { valid, number } = verify(input);
    return valid ? number! : [];
  });
  return [...new Set(numbers)];
}

const NUMBERS = validNumbers();

/**
 * Numbers whose local format, parsed in their country, is another number, by country and digits after the plus sign.
 */
const EXCEPTIONS = [
  {
    country: "AR",
    numbers: /^54\d{2,4}15/,
    reason: "A fixed line whose subscriber number starts with 15 is written as a mobile is dialed at home",
  },
  {
    country: "GA",
    numbers: /^241[2-7]\d{6}$/,
    reason: "The old plan's form with 0, which is the local format of the form without it, is valid too",
  },
  {
    country: "SM",
    numbers: /^390549/,
    reason: "Reached through Italy; San Marino dials the same digits for its own calling code",
  },
  ...[
    ["BG", "359"],
    ["PA", "507"],
    ["QA", "974"],
    ["TH", "66"],
  ].map(([country, callingCode]) => ({
    country,
    numbers: new RegExp(`^${callingCode}00`),
    reason: "A toll-free number that starts with 00 is dialed like a call abroad",
  })),
];

test("a valid number is possible, has at most 15 digits in E.164, and has no reason", () => {
  expect(NUMBERS.length).toBeGreaterThan(15_000);
  const wrong = NUMBERS.filter((number) => {
    const result = verify(number);
    return !result.possible || !/^\+\d{4,15}$/.test(result.number ?? "") || result.reason !== null;
  });
  expect(wrong).toEqual([]);
});

describe("verified again, with its country, a number is the same", () => {
  test("by number, international_format, and rfc3966, without exception", () => {
    const different = NUMBERS.filter((number) => {
      const { country_code, international_format, rfc3966 } = verify(number);
      return [number, international_format!, rfc3966!].some(
        (form) => verify(form, country_code ?? undefined).number !== number,
      );
    });
    expect(different).toEqual([]);
  });

  test("by local_format, except for known cases, each of which still occurs", () => {
    const met = new Set<(typeof EXCEPTIONS)[number]>();
    const different = NUMBERS.filter((number) => {
      const { country_code, local_format } = verify(number);
      if (country_code === null || verify(local_format!, country_code).number === number) return false;
      const exception = EXCEPTIONS.find(
        ({ country, numbers }) => country === country_code && numbers.test(number.slice(1)),
      );
      if (exception !== undefined) met.add(exception);
      return exception === undefined;
    });
    expect(different).toEqual([]);
    expect(EXCEPTIONS.filter((exception) => !met.has(exception))).toEqual([]);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verify } from "../../test/engine.ts";

/**
 * Numbers from public issue threads of phone libraries and from national plans, with the correct result and its source.
 */
const CASES = readFileSync(join(import.meta.dirname, "foreign.cases.tsv"), "utf8")
  .trimEnd()
  .split("\n")
  .filter((line) => !line.startsWith("# "))
  .map((line) => {
    const [input = "", country = "", expected = "", suggestion = "", why = "", source = ""] = line.split("\t");
    return { input, country: country === "-" ? undefined : country, expected, suggestion, why, source };
  });

test("there are at least 300 distinct cases, each with a reason and a source", () => {
  expect(CASES.length).toBeGreaterThanOrEqual(300);
  for (const { why, source } of CASES) {
    expect(why.length).toBeGreaterThan(5);
    expect(source).toMatch(/^https?:\/\/\S+$|^\p{Lu}\S+, .+$/u);
  }
  expect(new Set(CASES.map(({ input, country }) => `${input} ${country}`)).size).toBe(CASES.length);
});

test("each is parsed, validated, and typed as in its source", () => {
  const different = CASES.flatMap(({ input, country, expected, suggestion, why, source }) => {
    const result = verify(input, country);
    const withNumber = / \+\d+$/.test(expected);
    const judged = result.valid
      ? `${result.country_code ?? "001"} ${result.number_type}${withNumber ? ` ${result.number}` : ""}`
      : result.reason;
    const suggested = result.suggestion === null ? "-" : `${result.suggestion.number} ${result.suggestion.reason}`;
    if (judged === expected && suggested === suggestion) return [];
    return [`${input} (${country}), ${why}: ${judged}, ${suggested}; expected ${expected}, ${suggestion}; ${source}`];
  });
  expect(different).toEqual([]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verify } from "../../../test/engine.ts";

/** The rows of the page's tables: input, country, and result. */
const ROWS = readFileSync(join(import.meta.dirname, "reading-numbers.mdx"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => {
    const [, input = "", country = "", result = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { input: input.slice(1, -1), country: country.replaceAll("`", ""), result: result.replaceAll("`", "") };
  });

test("the page has examples", () => {
  expect(ROWS.length).toBeGreaterThan(25);
});

test.each(ROWS)("$input with $country is $result", ({ input, country, result }) => {
  const { valid, number, extension, reason } = verify(input, country === "" ? undefined : country);
  expect(valid ? `${number}${extension === null ? "" : ` ext ${extension}`}` : reason).toBe(result);
});

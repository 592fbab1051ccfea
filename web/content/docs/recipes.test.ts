import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verify } from "../../../test/engine.ts";

const PAGE = readFileSync(join(import.meta.dirname, "recipes.mdx"), "utf8");

/** The code in the cells of the tables' rows. */
const ROWS: readonly string[][][] = PAGE.split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split("|").slice(1, -1))
  .map((cells) => cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)));

/** What WhatsApp may send, and the number it is. */
const CONTACTS = ROWS.filter(([country, id]) => country!.length === 0 && /^\d/.test(id?.[0] ?? "")).map((cells) => ({
  id: cells[1]![0]!,
  number: cells[2]![0]!,
}));
/** What people write, its country, and the result: a number, or a reason and a suggestion. */
const INPUTS = ROWS.filter(([input]) => input!.length > 0).map((cells) => ({
  input: cells[0]![0]!,
  country: cells[1]![0],
  result: cells[2]!,
}));

test("the page has examples", () => {
  expect([CONTACTS.length, INPUTS.length]).toStrictEqual([3, 7]);
});

test.each(CONTACTS)("WhatsApp's $id is $number", ({ id, number }) => {
  const result = verify(`+${id}`);
  const { reason = null } = result.suggestion ?? {};
  expect(result.valid ? result.number : result.suggestion?.number).toBe(number);
  expect(reason).toBe(result.valid ? null : "NUMBERING_PLAN_CHANGED");
});

test.each(INPUTS)("$input with $country is $result", ({ input, country, result }) => {
  const { valid, number, reason, suggestion } = verify(input, country);
  expect(valid ? [number] : [reason, suggestion?.number]).toStrictEqual(result);
});

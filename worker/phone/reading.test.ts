import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verify } from "../../test/engine.ts";

/** The lines of a table of cases, each with its cells, as a person would type them. */
function cases(name: string): string[][] {
  return readFileSync(join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("# "))
    .map((line) => line.split("\t"));
}

/** An input as typed: the table has line breaks and invisible characters as in JSON. */
function unescaped(cell: string): string {
  return cell.includes("\\") ? (JSON.parse(`"${cell.replaceAll('"', '\\"')}"`) as string) : cell;
}

function verifyCell(input: string, country: string) {
  return verify(unescaped(input), country === "-" ? undefined : country);
}

/** A result in the words of the tables. */
function told(result: ReturnType<typeof verify>, flag = ""): string {
  if (!result.valid) return [result.reason, ...result.candidates].join(" ");
  const extension = result.extension === null ? "" : ` ext ${result.extension}`;
  return `${result.number}${extension}${result.deliverability.flags.some((name) => flag.endsWith(name)) ? flag : ""}`;
}

const NOTATIONS = cases("notations.cases.tsv");
const READINGS = cases("reading.cases.tsv");

test("there are enough cases, and each has a reason and a source", () => {
  expect(NOTATIONS.length).toBeGreaterThan(150);
  expect(READINGS.length).toBeGreaterThan(100);
  for (const row of [...NOTATIONS, ...READINGS]) {
    expect(row.at(-2)!.length).toBeGreaterThan(5);
    expect(row.at(-1)).toMatch(/^https?:\/\/\S+$|^\p{Lu}\S+ ?.*, .+$/u);
  }
});

test("notations that look odd and are right stay right, without a flag or a suggestion of ours", () => {
  const different = NOTATIONS.flatMap(([input = "", country = "", expected = "", why]) => {
    const result = verifyCell(input, country);
    return told(result) === expected && result.suggestion === null
      ? []
      : [`${input} (${country}), ${why}: ${told(result)}`];
  });
  expect(different).toEqual([]);
});

test("text that isn't one complete number is refused with its reason, and the rest is read", () => {
  const different = READINGS.flatMap(([input = "", country = "", expected = "", suggestion = "", why]) => {
    const result = verifyCell(input, country);
    const flag = / (?:[a-z]+_[a-z_]+)$/.exec(expected)?.[0];
    const suggested = result.suggestion === null ? "-" : `${result.suggestion.number} ${result.suggestion.reason}`;
    if (told(result, flag) === expected && suggested === suggestion) return [];
    return [`${input} (${country}), ${why}: ${told(result, flag)}, ${suggested}; expected ${expected}, ${suggestion}`];
  });
  expect(different).toEqual([]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { headerAt, labelsOf } from "./columns/header.ts";
import { createCountryReader } from "./columns/read-country.ts";
import { readText } from "./read/read-text.ts";
import { createSheet } from "./sheet.ts";
import { readingOf } from "./summary.ts";

const readCountry = createCountryReader();
const [, ...cases] = readFileSync(join(import.meta.dirname, "exports.cases.txt"), "utf8").split(/^=== /m);

/** A case's title, what is expected, and the file. */
function partsOf(text: string): [title: string, expected: Record<string, string>, file: string] {
  const [title = "", ...lines] = text.split("\n");
  const expected = lines.slice(0, 3).map((line) => /^(\w+): (.*)$/.exec(line)!.slice(1) as [string, string]);
  return [title, Object.fromEntries(expected), lines.slice(3).join("\n")];
}

test.each(cases.map(partsOf))("%s", (_, expected, file) => {
  const table = readText(file);
  const reading = readingOf(table, headerAt(table.rows), readCountry);
  const labels = labelsOf(table.rows, reading.header);
  const { items } = createSheet(table, reading, {
    country: "",
    coversUnread: false,
    readCountry,
    expectsCountry: false,
  });
  const sent = items.slice(0, 2).map((item) => (typeof item === "string" ? item : `${item.country} ${item.number}`));
  expect({
    phone: labels[reading.column],
    country: reading.countryColumn === null ? "-" : labels[reading.countryColumn],
    sent: sent.join("; "),
  }).toStrictEqual(expected);
});

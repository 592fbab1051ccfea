import { formatCount } from "../contract/format.ts";
import type { ListSummary } from "./summary.ts";

/** How many rows and numbers a list has: "2,000 rows", "1,677 numbers to verify". The others add up to the first. */
export function countsIn({ rows, numbers, repeated, findings }: ListSummary): string[] {
  const parts = [formatCount(rows, "row"), `${formatCount(numbers, "number")} to verify`];
  const skipped = rows - numbers - repeated - findings.EMPTY;
  if (repeated > 0) parts.push(`${formatCount(repeated)} repeated, verified once`);
  if (skipped > 0) parts.push(`${formatCount(skipped)} skipped`);
  if (findings.EMPTY > 0) parts.push(`${formatCount(findings.EMPTY)} empty`);
  return parts;
}

const listed = new Intl.ListFormat("en-US");

/** In how many rows a country can't be read, and the first few of those. */
export function unreadIn({ rows, texts, different }: ListSummary["unread"]): string {
  const quoted = texts.map((text) => `“${text}”`);
  if (different > texts.length) quoted.push(`${formatCount(different - texts.length)} more`);
  return `${formatCount(rows, "row")} ${rows === 1 ? "has" : "have"} a country we can’t read: ${listed.format(quoted)}.`;
}

/**
 * What we don't understand in a list, and what a spreadsheet did to it, in sentences.
 * @param country for all rows, or ""
 */
export function concernsIn({ findings, unreadColumn }: ListSummary, country: string): string[] {
  const { FORMULA_ERROR: errors, NO_DIGITS: withoutDigits, SCIENTIFIC: scientific, DATE: dates } = findings;
  const { reformatted, apostrophes, needingCountry } = findings;
  const rows = (count: number, one: string, many: string) => `${formatCount(count, "row")} ${count === 1 ? one : many}`;
  const skipped = (count: number) => (count === 1 ? "We’ll skip it." : "We’ll skip them.");
  const said: string[] = [];
  if (unreadColumn !== null) {
    const quoted = unreadColumn.texts.map((text) => `“${text}”`).join(", ");
    said.push(`We can’t read the countries in “${unreadColumn.name}”, such as ${quoted}, so we don’t use that column.`);
  }
  if (scientific > 0) {
    const what = rows(scientific, "has a number", "have numbers");
    said.push(`${what} that a spreadsheet shortened, like 4.15556E+11. Digits were lost. ${skipped(scientific)}`);
  }
  if (reformatted > 0) {
    const what = rows(reformatted, "has a number", "have numbers");
    said.push(`${what} that a spreadsheet changed, like 1713369876.0. No digits were lost, so we read 1713369876.`);
  }
  if (errors > 0) {
    const what = rows(errors, "has an error", "have errors");
    said.push(`${what} such as #NAME? instead of a number. ${skipped(errors)}`);
  }
  if (withoutDigits > 0) said.push(`${rows(withoutDigits, "has", "have")} no digits. ${skipped(withoutDigits)}`);
  if (dates > 0) said.push(`${rows(dates, "has a date", "have dates")} instead of a number. ${skipped(dates)}`);
  if (needingCountry > 0 && country === "") {
    const what = rows(needingCountry, "has a number", "have numbers");
    said.push(`${what} without a plus sign and calling code, such as +1. Add them, or choose a country.`);
  }
  if (apostrophes > 0) {
    said.push(`${rows(apostrophes, "begins", "begin")} with an apostrophe. We remove it.`);
  }
  return said;
}

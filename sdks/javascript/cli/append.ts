import { tidy } from "../../../lists/cells.ts";
import { countryIn } from "../../../lists/columns/columns.ts";
import type { CountryReader } from "../../../lists/columns/read-country.ts";
import { NOT_SENT, notSentOf } from "../../../lists/damage.ts";
import { noteOn } from "../../../lists/write/note.ts";
import { appendedNames, cellsOf, RESULT_COLUMNS } from "../../../lists/write/result-columns.ts";
import { ChecklineError } from "../src/index.js";
import type { LookupResult } from "../src/index.js";
import { fieldsOf, writtenSeparator } from "./read-rows.ts";
import type { Row, TextFile } from "./read-rows.ts";
import type { Columns } from "./survey.ts";

const NO_RESULT = RESULT_COLUMNS.map(() => null);

export type Outcome = "valid" | "invalid" | "not_sent" | "failed";

/** Our cells of a row. */
export interface Appended {
  readonly outcome: Outcome;
  readonly cells: readonly unknown[];
}

/** A value by the API's names: `countryName` is `country_name`. */
export function named(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      named(field),
    ]),
  );
}

/** What to send for a row. */
export interface Question {
  readonly number: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** A cell in the country column that names none. */
  readonly unreadCountry: string | null;
}

/** Reads a row's number and country, or why nothing is sent. A row has the general country if its own cell is blank. */
export function questionOf(
  { cells }: Row,
  { phone, country: column }: Columns,
  general: string | null,
  readCountry: CountryReader,
): Question | Appended {
  const cell = cells[phone];
  const why = notSentOf(cell);
  if (why !== null) return { outcome: "not_sent", cells: ["not_sent", ...NO_RESULT, NOT_SENT[why]] };
  const number = tidy(cell ?? "");
  const own = column === null ? null : countryIn(cells[column], readCountry);
  if (typeof own === "string") return { number, country: own, unreadCountry: null };
  return own === null
    ? { number, country: general, unreadCountry: null }
    : { number, country: null, unreadCountry: own.unread };
}

/** Our cells for a number's result, or its own error, as the sandbox has them. */
export function answerOf(result: LookupResult | ChecklineError, { number, unreadCountry }: Question): Appended {
  if (result instanceof ChecklineError) {
    return { outcome: "failed", cells: ["failed", ...NO_RESULT, `${result.code}: ${result.message}`] };
  }
  const outcome = result.valid ? "valid" : "invalid";
  const { reason } = result;
  const suggestion = result.suggestion?.number ?? null;
  const note = noteOn(number, { reason, suggestion, acceptance: null, unreadCountry });
  return { outcome, cells: [outcome, ...cellsOf(named(result) as object), note] };
}

/** How a result is written: the rows as they are, with our cells after them. */
export interface Layout {
  /** What the result starts with, before the first row of data. */
  readonly top: string;
  /** A row's own part, with as many cells as the widest one and a separator. */
  own(row: Row): string;
  /** A row with our cells. */
  line(row: Row, appended: Appended): string;
}

/** The layout for a list. `top` needs its rows up to the header. */
export function layoutOf(
  { hasMark, separatorLine, separator: given, lineEnd }: Omit<TextFile, "rows">,
  { header, names }: Columns,
  topRows: readonly Row[],
): Layout {
  const separator = writtenSeparator(given);
  function own({ text, cells }: Pick<Row, "text" | "cells">): string {
    const kept = separator === given ? text : fieldsOf(cells, separator);
    return kept + separator.repeat(names.length - cells.length + 1);
  }
  const ours = fieldsOf(appendedNames(names), separator);
  const titles = topRows.slice(0, -1).map(({ text }) => text + lineEnd);
  const head = header === null ? fieldsOf(names, separator) + separator : own(topRows.at(-1)!);
  return {
    top: (hasMark ? "\uFEFF" : "") + separatorLine + titles.join("") + head + ours + lineEnd,
    own,
    line: (row, { cells }) => own(row) + fieldsOf(cells, separator) + (row.lineEnd || lineEnd),
  };
}

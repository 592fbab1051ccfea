import { countryColumn, phoneColumns } from "../../../lists/columns/columns.ts";
import { headerAt, labelsOf, namesOf } from "../../../lists/columns/header.ts";
import type { CountryReader } from "../../../lists/columns/read-country.ts";
import type { Cell, Rows } from "../../../lists/cells.ts";
import type { ListRow } from "../../../lists/read/open-rows.ts";
import { isBlank } from "../../../lists/read/table.ts";
import { InputError } from "./failure.ts";

/** How many rows are kept to find the columns: the first, which have the header, and others evenly from the whole file. */
const FIRST = 100;
const MOST_KEPT = 4_000;

/** What a file contains, without its rows. */
export interface Survey {
  readonly rows: number;
  /** The most cells of a row. */
  readonly width: number;
  readonly sample: Rows;
}

/** Reads all the rows. @throws InputError for an empty file */
export async function surveyOf(rows: Iterable<ListRow> | AsyncIterable<ListRow>): Promise<Survey> {
  const first: (readonly Cell[])[] = [];
  let spread: (readonly Cell[])[] = [];
  let [count, width, step] = [0, 0, 1];
  let isEmpty = true;
  for await (const { cells } of rows) {
    count += 1;
    width = Math.max(width, cells.length);
    isEmpty &&= isBlank(cells);
    if (count <= FIRST) first.push(cells);
    else if (count % step === 0) spread.push(cells);
    if (spread.length < MOST_KEPT) continue;
    step *= 2;
    spread = spread.filter((_, at) => at % 2 === 1);
  }
  if (isEmpty) throw new InputError("The file is empty.");
  return { rows: count, width, sample: [...first, ...spread] };
}

/** The columns to use, by position. */
export interface Columns {
  /** The header's row, from 0; null without one. */
  readonly header: number | null;
  readonly names: readonly string[];
  readonly phone: number;
  readonly country: number | null;
}

/** The columns that the user named: a header, or a position from 1. */
export interface Wanted {
  readonly phoneColumn?: string | undefined;
  readonly countryColumn?: string | undefined;
}

function listed(names: readonly string[]): string {
  return names
    .slice(0, 30)
    .map((name) => `“${name}”`)
    .join(", ");
}

/** The position of a named column. @throws InputError with the names there are */
function find(wanted: string, names: readonly string[], labels: readonly string[]): number {
  const plain = wanted.trim().toLowerCase();
  for (const list of [names, labels]) {
    const named = list.findIndex((name) => name.toLowerCase() === plain);
    if (named !== -1) return named;
  }
  const position = /^\d{1,5}$/.test(plain) ? Number(plain) - 1 : -1;
  if (position in names) return position;
  throw new InputError(`There is no column “${wanted}”. The list has ${listed(names)}.`);
}

/** Chooses the columns by the rules of the dashboard's bulk check. @throws InputError without numbers */
export function chooseColumns({ sample, width }: Survey, wanted: Wanted, readCountry: CountryReader): Columns {
  const header = headerAt(sample);
  const found = namesOf(sample, header);
  // The widest row may be none of the sample.
  const names = Array.from({ length: width }, (_, at) => found[at] ?? `Column ${at + 1}`);
  const headings = labelsOf(sample, header);
  const labels = names.map((name, at) => headings[at] ?? name);
  const phone =
    wanted.phoneColumn === undefined ? phoneColumns(sample, header)[0] : find(wanted.phoneColumn, names, labels);
  if (phone === undefined) {
    throw new InputError(`No column has phone numbers. Choose one with --phone-column: ${listed(names)}.`);
  }
  const country =
    wanted.countryColumn === undefined
      ? countryColumn(sample, header, phone, readCountry)
      : find(wanted.countryColumn, names, labels);
  if (country === phone) {
    throw new InputError(`The column “${names[phone]!}” can’t have both the numbers and the countries.`);
  }
  return { header, names, phone, country };
}

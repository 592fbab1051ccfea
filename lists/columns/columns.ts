import { looksLikePhone } from "../cells.ts";
import type { Cell, Rows } from "../cells.ts";
import { isOtherData, mayHaveNumber, phonesIn } from "./column-content.ts";
import {
  distanceOf,
  isOfPhone,
  namesCountry,
  namesFax,
  namesMobile,
  namesOther,
  namesPhone,
  qualifiersOf,
} from "./header-words.ts";
import { below, cellText, labelsOf } from "./header.ts";
import type { CountryReader } from "./read-country.ts";

/** Sampled rows for detecting a column's content. */
const SAMPLE = 2_000;

/** How a table is interpreted. */
export interface Reading {
  /** The header's row, from 0; null without one. Rows above it are a title. */
  readonly header: number | null;
  /** Which column has the numbers. */
  readonly column: number;
  /** Which column has each row's country; null if none does. */
  readonly countryColumn: number | null;
}

/** Evenly spread rows: the first may lack what later ones have. */
function sampleOf(rows: Rows): Rows {
  const step = Math.ceil(rows.length / SAMPLE);
  return step > 1 ? rows.filter((_, at) => at % step === 0) : rows;
}

interface Candidate {
  readonly column: number;
  readonly count: number;
  /** Better ones are larger, first the first. */
  readonly rank: readonly number[];
}

/** The columns with the highest rank, then most numbers, first. Those with less than half as many come last. */
function inOrder(candidates: readonly Candidate[]): number[] {
  const most = Math.max(...candidates.map(({ count }) => count));
  const rankOf = ({ count, rank }: Candidate) => (count >= most / 2 ? [1, ...rank] : [0]);
  function compare(one: Candidate, other: Candidate): number {
    const [ranks, others] = [rankOf(one), rankOf(other)];
    const at = ranks.findIndex((rank, place) => rank !== others[place]);
    return at === -1 ? other.count - one.count : (others[at] ?? 0) - ranks[at]!;
  }
  return candidates.toSorted(compare).map(({ column }) => column);
}

/** What a header says of a column of numbers: first whose it is, then mobile before others, then plain before others. */
function rankOfName(name: string): number[] {
  return [-distanceOf(name), namesMobile(name) ? 1 : 0, -qualifiersOf(name).size];
}

interface Named {
  readonly name: string;
  readonly column: number;
  /** The sample's nonempty cells. */
  readonly texts: readonly string[];
}

function columnsOf(rows: Rows, header: number | null): Named[] {
  const sample = sampleOf(below(rows, header));
  return labelsOf(rows, header).map((name, column) => ({
    name,
    column,
    texts: sample.map((row) => cellText(row[column])).filter((text) => text !== ""),
  }));
}

/** Those with numbers, perhaps among words, in a tenth of the cells. */
function withNumbers(columns: readonly Named[]): Candidate[] {
  return columns.flatMap(({ name, column, texts }) => {
    const count = mayHaveNumber(texts);
    return count === 0 || count < texts.length / 10 ? [] : [{ column, count, rank: rankOfName(name) }];
  });
}

/**
 * The columns with phone numbers, best first. Those with a header that says so win over everything, and among them those
 * of whom the row is about, mobile numbers if they are half as many as the others, and the plainest name. Without such a
 * header, what the columns contain decides. A fax is better than nothing.
 */
export function phoneColumns(rows: Rows, header: number | null): number[] {
  const columns = columnsOf(rows, header);
  const named = header === null ? [] : columns.filter(({ name }) => namesPhone(name));
  const found = withNumbers(named);
  if (found.length > 0) return inOrder(found);

  const others = columns.flatMap(({ name, column, texts }) => {
    const { count, certainty } = phonesIn(texts);
    const isOther = (header !== null && (namesOther(name) || namesCountry(name) === true)) || isOtherData(texts);
    return count < texts.length / 2 || count === 0 || isOther ? [] : [{ column, count, rank: [certainty] }];
  });
  if (others.length > 0) return inOrder(others);
  const faxes = withNumbers(header === null ? [] : columns.filter(({ name }) => namesFax(name)));
  if (faxes.length > 0) return inOrder(faxes);
  // Every number may be damaged.
  return named.map(({ column }) => column);
}

/** The column that most likely has the phone numbers; the first with any number, or the first, if none does. */
export function bestColumn(rows: Rows, header: number | null): number {
  const [best] = phoneColumns(rows, header);
  if (best !== undefined) return best;
  return Math.max(
    0,
    columnsOf(rows, header).findIndex(({ texts }) => texts.some(looksLikePhone)),
  );
}

/** How well a country's column goes with a column of numbers: by its name, then by its place. */
function fitOf(country: string, phone: string): number {
  if (phone === "" || namesCountry(country) === "weak") return 0;
  const [its, own] = [qualifiersOf(country), qualifiersOf(phone)];
  const shared = [...its].filter((word) => own.has(word)).length;
  if (shared > 0) return 2 + shared;
  return its.size === 0 && own.size === 0 ? 3 : its.size === 0 ? 1 : 0;
}

/** Abbreviations of states of the US, of which many are countries' codes too. */
const US_STATES = new Set(
  "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR".split(
    " ",
  ),
);

/** Whether a column has countries: at least half of its cells, and nearly all if its header may name something else. */
function hasCountries({ name, texts }: Named, readCountry: CountryReader): boolean {
  const isWeak = namesCountry(name) === "weak";
  if (texts.length === 0 || (isWeak && texts.every((text) => US_STATES.has(text)))) return false;
  // Of ISO 3166's numbers, many happen to be calling codes.
  const areNumbers = texts.filter((text) => /^\d+$/.test(text)).length >= texts.length / 2;
  const share = isWeak || areNumbers ? 0.8 : 0.5;
  return texts.filter((text) => readCountry(text) !== null).length >= texts.length * share;
}

/**
 * The column with each row's country: of those whose header says so and whose texts are countries, the one whose header
 * shares a word with the phone column's, such as `Billing`, or else the nearest. Null if there is none, as without a
 * header: codes of languages and states look like those of countries.
 * @param phone the column with the numbers
 */
export function countryColumn(
  rows: Rows,
  header: number | null,
  phone: number,
  readCountry: CountryReader,
): number | null {
  if (header === null) return null;
  const columns = columnsOf(rows, header);
  const own = columns[phone]?.name ?? "";
  const found = columns.filter(
    (each) => each.column !== phone && namesCountry(each.name) !== false && hasCountries(each, readCountry),
  );
  const rankOf = ({ name, column }: Named) => [
    namesCountry(name) === true ? 1 : 0,
    fitOf(name, own),
    isOfPhone(name) ? 1 : 0,
    -Math.abs(column - phone),
  ];
  const [best] = inOrder(found.map((each) => ({ column: each.column, count: 1, rank: rankOf(each) })));
  return best ?? null;
}

/** A column whose header names a country, of whose cells we can read fewer than half. */
export function unreadCountryColumn(rows: Rows, header: number | null, readCountry: CountryReader): number | null {
  if (header === null) return null;
  const named = columnsOf(rows, header).filter(({ name, texts }) => namesCountry(name) === true && texts.length > 0);
  return named.length === 1 && !hasCountries(named[0]!, readCountry) ? named[0]!.column : null;
}

/** A row's country, ISO 3166-1 alpha-2: null if its cell is blank, `unread` if we can't tell which it is. */
export type RowCountry = string | null | { readonly unread: string };

/** The country in a cell. */
export function countryIn(cell: Cell | undefined, readCountry: CountryReader): RowCountry {
  const text = cellText(cell);
  if (text === "") return null;
  return readCountry(text) ?? { unread: text };
}

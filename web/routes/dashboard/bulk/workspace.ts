import { readSpreadsheetDamage } from "../../../../contract/spreadsheet-damage.ts";
import { acceptance } from "../../../../contract/acceptance.ts";
import { createCountryReader } from "../../../../lists/columns/read-country.ts";
import type { CountryReader } from "../../../../lists/columns/read-country.ts";
import type { BatchItem, VerificationResult } from "../../../../contract/verification.ts";
import { conditionsOf, ROW_COUNTRY } from "../../../lib/acceptance.ts";
import type { Condition } from "../../../lib/acceptance.ts";
import { textOf, tidy } from "../../../../lists/cells.ts";
import { Unusable } from "./unusable.ts";
import type { Cell } from "../../../../lists/cells.ts";
import {
  below,
  bestColumn,
  countryColumn,
  countryIn,
  headerAt,
  namesOf,
  phoneColumns,
} from "../../../../lists/columns/columns.ts";
import type { Reading } from "../../../../lists/columns/columns.ts";
import { needsCountry, notSentOf } from "../../../../lists/damage.ts";
import { readFile } from "./read-table.ts";
import { readText } from "./read-text.ts";
import type { Table } from "./table.ts";
import { cellsOf } from "../../../../lists/write/result-columns.ts";
import { createSheetCheck } from "./sheet-check.ts";
import type { SheetCheck } from "./sheet-check.ts";
import type { CheckChoices, CheckInfo, CheckStore } from "./store.ts";
import { EVERYTHING, PAGE_SIZE } from "./view.ts";
import type { Counts, Page, View } from "./view.ts";
import { writeTable } from "./write-table.ts";
import type { Format } from "./write-table.ts";

/** What a spreadsheet did to a column's cells, as row counts. */
export interface Findings {
  readonly empty: number;
  /** Errors of formulas in place of numbers. */
  readonly errors: number;
  readonly withoutDigits: number;
  readonly scientific: number;
  /** Changed, but with all digits: `1713369876.0`. */
  readonly reformatted: number;
  readonly dates: number;
  readonly apostrophes: number;
  /** Without a calling code, and without a country in the row. */
  readonly needingCountry: number;
}

/** An interpreted list, for the page to show before the check. */
export interface ListSummary {
  /** The file's name; null for pasted text. */
  readonly name: string | null;
  readonly sheets: readonly string[];
  readonly sheet: string | null;
  readonly reading: Reading;
  readonly columns: readonly string[];
  /** Other columns with phone numbers, by name. */
  readonly others: readonly string[];
  readonly preview: readonly (readonly string[])[];
  readonly rows: number;
  /** Distinct numbers with their country, each sent once. */
  readonly numbers: number;
  readonly repeated: number;
  readonly findings: Findings;
  /** Rows with a number and a country that we can't read, and the first few such countries. */
  readonly unread: { readonly rows: number; readonly texts: readonly string[]; readonly different: number };
}

/** The user's correction of how a list is read. */
export interface ReadingChange {
  readonly column?: number;
  readonly countryColumn?: number | null;
  readonly hasHeader?: boolean;
}

/** A check as run by the page. */
export interface Work {
  readonly id: string;
  readonly name: string | null;
  readonly condition: Condition;
  /** Every different number, with its country if it has one. */
  readonly numbers: readonly BatchItem[];
  /** How many of them have a result already. */
  readonly checked: number;
  readonly rows: number;
  readonly repeated: number;
  readonly counts: Counts;
  /** Whether it survives a reload. */
  readonly isKept: boolean;
}

const PREVIEW_ROWS = 5;
/** Countries that can't be read, shown as examples. */
const UNREAD_SHOWN = 3;

/** @param hasCountry whether the country of a cell's row is known */
function findingsOf(cells: readonly (Cell | undefined)[], hasCountry: (at: number) => boolean): Findings {
  const found = {
    empty: 0,
    errors: 0,
    withoutDigits: 0,
    scientific: 0,
    reformatted: 0,
    dates: 0,
    apostrophes: 0,
    needingCountry: 0,
  };
  for (const [at, cell] of cells.entries()) {
    const why = notSentOf(cell);
    if (why === "EMPTY") found.empty += 1;
    if (why === "FORMULA_ERROR") found.errors += 1;
    if (why === "NO_DIGITS") found.withoutDigits += 1;
    if (why === "SCIENTIFIC") found.scientific += 1;
    if (why === "DATE") found.dates += 1;
    const written = textOf(cell);
    const text = tidy(written);
    const damage = readSpreadsheetDamage(text);
    if (damage !== null && damage !== "DIGITS_LOST") found.reformatted += 1;
    if (written.trimStart().startsWith("'")) found.apostrophes += 1;
    if (why === null && needsCountry(text) && !hasCountry(at)) found.needingCountry += 1;
  }
  return found;
}

interface Opened {
  readonly file: File | null;
  readonly table: Table;
  readonly reading: Reading;
}

/**
 * A list, its check, and its results, off the page's thread: reading, searching, and writing a hundred thousand rows
 * takes seconds.
 */
export interface Workspace {
  /** A file, or pasted text. @throws Unusable */
  open(given: File | string): Promise<ListSummary>;
  /** Another sheet of the same workbook. @throws Unusable */
  openSheet(name: string): Promise<ListSummary>;
  /** Another interpretation of what is open: its column, or whether a row is a header. */
  read(change: ReadingChange): Promise<ListSummary>;
  /** Starts checking what is open. @throws Unusable */
  begin(check: CheckChoices & Pick<CheckInfo, "id" | "account" | "startedAt">): Promise<Work>;
  /** The account's interrupted check; null if there is none. */
  restore(account: string, now: number): Promise<Work | null>;
  /** The results of the next numbers. */
  record(results: readonly VerificationResult[]): Promise<{ readonly counts: Counts; readonly isKept: boolean }>;
  page(view: View, at: number): Promise<Page>;
  /** The rows as a file, either a view's or all. @throws Unusable */
  file(format: Format, view: View | null): Promise<Blob>;
  /** Deletes the browser's copy of the check. Its results stay here. */
  forget(): Promise<void>;
}

/**
 * @param store in which checks survive a reload
 * @param readCountry in the user's languages
 */
export function createWorkspace(store: CheckStore, readCountry: CountryReader = createCountryReader()): Workspace {
  let opened: Opened | null = null;
  let current: { readonly info: CheckInfo; readonly check: SheetCheck } | null = null;
  let isKept = false;

  function summarize(): ListSummary {
    const { file, table, reading } = opened!;
    const { rows, sheets, sheet } = table;
    const { header, column } = reading;
    const shown = below(rows, header);
    const columns = namesOf(rows, header);
    const { numbers, repeated } = createSheetCheck(table, reading, { country: "", coversUnread: false, readCountry });
    const countries = shown.map((row) =>
      reading.countryColumn === null ? null : countryIn(row[reading.countryColumn], readCountry),
    );
    const unread = countries.flatMap((country, at) =>
      country === null || typeof country === "string" || notSentOf(shown[at]![column]) !== null ? [] : [country.unread],
    );
    const different = [...new Set(unread)];
    return {
      name: file?.name ?? null,
      sheets,
      sheet,
      reading,
      columns,
      others: phoneColumns(rows, header)
        .filter((at) => at !== column)
        .map((at) => columns[at]!),
      preview: shown.slice(0, PREVIEW_ROWS).map((row) => row.map(textOf)),
      rows: shown.length,
      numbers: numbers.length,
      repeated,
      findings: findingsOf(
        shown.map((row) => row[column]),
        (at) => typeof countries[at] === "string",
      ),
      unread: { rows: unread.length, texts: different.slice(0, UNREAD_SHOWN), different: different.length },
    };
  }

  function readingOf({ rows }: Table, header: number | null): Reading {
    return { header, column: bestColumn(rows, header), countryColumn: countryColumn(rows, header, readCountry) };
  }

  function load(file: File | null, table: Table): ListSummary {
    opened = { file, table, reading: readingOf(table, headerAt(table.rows)) };
    return summarize();
  }

  /** Stores the check if the browser allows it; otherwise it lasts as long as the page. */
  async function keep(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch {
      isKept = false;
    }
  }

  function workOf({ id, name, condition }: CheckInfo, check: SheetCheck): Work {
    const { numbers, checked, rows, repeated } = check;
    return {
      id,
      name: name || null,
      condition,
      numbers,
      checked,
      rows,
      repeated,
      counts: check.counts(),
      isKept,
    };
  }

  /** A result as its row's country has it: the service knows only conditions for all numbers. */
  function judged(result: VerificationResult, item: BatchItem | undefined): VerificationResult {
    const { condition } = current!.info;
    if (condition.country !== ROW_COUNTRY || typeof item !== "object") return result;
    return { ...result, ...acceptance(result, conditionsOf(condition, item.country)) };
  }

  function checkNow(): SheetCheck {
    if (current === null) throw new Unusable("No check found.");
    return current.check;
  }

  return {
    async open(given) {
      return typeof given === "string" ? load(null, readText(given)) : load(given, await readFile(given));
    },
    async openSheet(sheet) {
      const file = opened!.file!;
      return load(file, await readFile(file, sheet));
    },
    async read({ hasHeader, ...columns }) {
      const { table, reading } = opened!;
      const next =
        hasHeader === undefined
          ? { ...reading, ...columns }
          : // Without its header, a table may have its numbers elsewhere.
            readingOf(table, hasHeader ? (headerAt(table.rows) ?? 0) : null);
      opened = { ...opened!, reading: next };
      return summarize();
    },
    async begin(given) {
      if (opened === null) throw new Unusable("Nothing to verify.");
      const { file, table, reading } = opened;
      const countries = new Map<string, string>();
      const check = createSheetCheck(table, reading, {
        ...given,
        readCountry(text) {
          const country = readCountry(text);
          if (country !== null) countries.set(text, country);
          return country;
        },
      });
      const info = { ...given, name: file?.name ?? "", reading, countries };
      if (check.numbers.length === 0) throw new Unusable("No numbers in this column.");
      current = { info, check };
      isKept = true;
      await keep(() => store.begin(info, table));
      return workOf(info, check);
    },
    async restore(account, now) {
      const saved = await store.load(account, now).catch(() => null);
      if (saved === null) return null;
      const { countries } = saved.info;
      const check = createSheetCheck(saved, saved.info.reading, {
        ...saved.info,
        readCountry: (text) => countries.get(text) ?? null,
      });
      check.add(saved.results);
      current = { info: saved.info, check };
      isKept = true;
      return workOf(saved.info, check);
    },
    async record(results) {
      const check = checkNow();
      const first = check.checked;
      const cells = results.map((result, at) => cellsOf(judged(result, check.numbers[first + at])));
      check.add(cells);
      if (isKept) await keep(() => store.add(current!.info.id, first, cells));
      return { counts: check.counts(), isKept };
    },
    async page(view, at) {
      const check = checkNow();
      const places = check.select(view);
      const first = Math.min(at, Math.max(0, Math.ceil(places.length / PAGE_SIZE) - 1)) * PAGE_SIZE;
      return {
        rows: places.slice(first, first + PAGE_SIZE).map((place) => check.show(place)),
        total: places.length,
        countries: check.countries(),
      };
    },
    async file(format, view) {
      const check = checkNow();
      const places = check.select(view ?? EVERYTHING);
      return writeTable(check, places, format);
    },
    async forget() {
      isKept = false;
      if (current !== null) await store.clear(current.info.id).catch(() => {});
    },
  };
}

import type { VerificationResult } from "../../../../contract/verification.ts";
import { headerAt } from "../../../../lists/columns/header.ts";
import type { Reading } from "../../../../lists/columns/columns.ts";
import type { CountryReader } from "../../../../lists/columns/read-country.ts";
import { checkSize, readFile } from "../../../../lists/read/read-file.ts";
import { readText } from "../../../../lists/read/read-text.ts";
import type { Table } from "../../../../lists/read/table.ts";
import { createRun, isActive, nextChunk } from "../../../../lists/run.ts";
import type { Call, Outcome, Run, Snapshot } from "../../../../lists/run.ts";
import { createSheet } from "../../../../lists/sheet.ts";
import type { Counts, Offer, Sheet } from "../../../../lists/sheet.ts";
import { readingOf, summaryOf } from "../../../../lists/summary.ts";
import type { ListSummary } from "../../../../lists/summary.ts";
import { Unusable } from "../../../../lists/unusable.ts";
import { cellsOf } from "../../../../lists/write/result-columns.ts";
import { writeTable } from "../../../../lists/write/write-table.ts";
import type { Format } from "../../../../lists/write/write-table.ts";
import { conditionsOf, ROW_COUNTRY } from "../../../lib/acceptance.ts";
import { createRowsView } from "./rows-view.ts";
import type { RowsView } from "./rows-view.ts";
import type { CheckChoices, CheckInfo, CheckStore, Progress } from "./store.ts";
import { EVERYTHING, PAGE_SIZE } from "./view.ts";
import type { Page, View } from "./view.ts";

/** The user's correction of how a list is read. */
export interface ReadingChange {
  readonly column?: number;
  readonly countryColumn?: number | null;
  readonly hasHeader?: boolean;
}

/** A started check, as the page needs it. */
export interface Work extends Pick<CheckInfo, "id" | "startedAt"> {
  /** The file's name; null for pasted text. */
  readonly name: string | null;
  readonly rows: number;
  readonly repeated: number;
  readonly state: State;
}

/** How far a check is. */
export interface State extends Snapshot {
  /** How many numbers are sent, with suggestions that were accepted. */
  readonly numbers: number;
  readonly counts: Counts;
  /** How many numbers had a result when all rows were downloaded; 0 if they have changed since. */
  readonly saved: number;
  /** Whether it survives a reload. */
  readonly isKept: boolean;
}

/** What the desk tells the page without being asked. */
export type News = { readonly state: State } | { readonly page: Page };

interface DeskTools {
  /** In which checks survive a reload. */
  readonly store: CheckStore;
  /** In the user's languages. */
  readonly readCountry: CountryReader;
  readonly send: (call: Call, signal: AbortSignal) => AsyncGenerator<readonly VerificationResult[], Outcome>;
  readonly tell: (news: News) => void;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** How often the shown page follows the results, in milliseconds. */
const REFRESH_MS = 600;

/** What accepting suggestions does: in how many rows, and how many numbers are looked up. */
export type Offered = Pick<Offer, "rows" | "numbers">;

interface Current {
  /** Its progress changes. */
  info: CheckInfo;
  readonly sheet: Sheet;
  readonly rows: RowsView;
  readonly run: Run;
}

/** The desk in a web worker: it has a list, runs its check, and has the results. The page sees snapshots. */
export type Desk = ReturnType<typeof createDesk>;

export function createDesk({ store, readCountry, send, tell, now, sleep }: DeskTools) {
  let opened: { readonly file: File | null; readonly table: Table; readonly reading: Reading } | null = null;
  let current: Current | null = null;
  let isKept = false;
  /** What the page shows: a view, and which page of it. */
  let shown: { readonly view: View; readonly at: number } | null = null;
  let isRefreshing = false;

  function load(file: File | null, table: Table): ListSummary {
    return read(file, table, readingOf(table, headerAt(table.rows), readCountry));
  }
  function read(file: File | null, table: Table, reading: Reading): ListSummary {
    opened = { file, table, reading };
    return summaryOf(table, reading, readCountry);
  }
  async function openFile(file: File, sheet: string | null): Promise<ListSummary> {
    // Checked first: reading a larger one would exhaust the memory.
    checkSize(file.size);
    const bytes = await file.arrayBuffer().catch(() => {
      throw new Unusable("We couldn’t read the file. Choose it again.");
    });
    return load(file, await readFile(new Uint8Array(bytes), file.name, sheet));
  }

  /** Stores the check if the browser allows it; otherwise it lasts as long as the page. */
  async function keep(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch {
      isKept = false;
    }
  }

  function stateOf({ run, sheet, info }: Current): State {
    return { ...run.snapshot(), numbers: sheet.items.length, counts: sheet.counts(), saved: info.saved, isKept };
  }

  /** Keeps what has changed besides results. */
  async function change(progress: Partial<Progress>): Promise<void> {
    const { info } = started();
    current!.info = { ...info, ...progress };
    if (isKept) await keep(() => store.change(info.id, info, { ...info, ...progress }));
    tell({ state: stateOf(current!) });
  }

  function pageOf({ run, rows }: Current, view: View, at: number): Page {
    // Waiting rows would only push the results away.
    const isWaiting = view.kind === "all" && isActive(run.snapshot().phase);
    const places = rows.select(isWaiting ? { ...view, kind: "checked" } : view);
    const page = Math.min(at, Math.max(0, Math.ceil(places.length / PAGE_SIZE) - 1));
    const first = page * PAGE_SIZE;
    return {
      view,
      at: page,
      rows: places.slice(first, first + PAGE_SIZE).map((place) => rows.show(place)),
      total: places.length,
      ...rows.tallies(),
    };
  }

  /** Shows the results so far, at most so often. */
  function refresh(): void {
    if (isRefreshing) return;
    isRefreshing = true;
    setTimeout(() => {
      isRefreshing = false;
      if (current !== null && shown !== null) tell({ page: pageOf(current, shown.view, shown.at) });
    }, REFRESH_MS);
  }

  function check(info: CheckInfo, sheet: Sheet): Work {
    const run = createRun<VerificationResult>(
      { total: sheet.items.length, checked: sheet.checked, conditions: conditionsOf(info.condition), id: info.id },
      {
        next: (first, most) => nextChunk(sheet.items, first, most),
        send,
        async store(results) {
          const first = sheet.checked;
          const cells = results.map(cellsOf);
          sheet.add(cells);
          refresh();
          if (isKept) await keep(() => store.add(info.id, first, cells));
        },
        now,
        sleep,
      },
    );
    const made = { info, sheet, rows: createRowsView(sheet, info.reading.column), run };
    run.subscribe(() => {
      if (current !== made) return;
      tell({ state: stateOf(made) });
      if (!isActive(run.snapshot().phase)) refresh();
    });
    current = made;
    shown = null;
    return {
      id: info.id,
      name: info.name || null,
      startedAt: info.startedAt,
      rows: sheet.rows.length,
      repeated: sheet.repeated,
      state: stateOf(made),
    };
  }

  function started(): Current {
    if (current === null) throw new Unusable("No check found.");
    return current;
  }

  function offerOf(place: number | null): Offer {
    const { sheet } = started();
    return sheet.offer(place === null ? [...sheet.rows.keys()] : [place - 1]);
  }

  return {
    /** A file, or pasted text. @throws Unusable */
    async open(given: File | string): Promise<ListSummary> {
      return typeof given === "string" ? load(null, readText(given)) : openFile(given, null);
    },
    /** Another sheet of the same workbook. @throws Unusable */
    async openSheet(sheet: string): Promise<ListSummary> {
      return openFile(opened!.file!, sheet);
    },
    /** Another interpretation of what is open: its column, or whether a row is a header. */
    async read({ hasHeader, ...columns }: ReadingChange): Promise<ListSummary> {
      const { file, table, reading } = opened!;
      if (hasHeader === undefined) return read(file, table, { ...reading, ...columns });
      // Without its header, a table may have its numbers elsewhere.
      return read(file, table, readingOf(table, hasHeader ? (headerAt(table.rows) ?? 0) : null, readCountry));
    },
    /** Starts checking what is open. @throws Unusable */
    async begin(given: CheckChoices & Pick<CheckInfo, "id" | "account" | "startedAt">): Promise<Work> {
      if (opened === null) throw new Unusable("Nothing to verify.");
      const { file, table, reading } = opened;
      const countries = new Map<string, string>();
      const sheet = createSheet(table, reading, {
        ...given,
        expectsCountry: given.condition.country === ROW_COUNTRY,
        readCountry(text) {
          const country = readCountry(text);
          if (country !== null) countries.set(text, country);
          return country;
        },
      });
      if (sheet.items.length === 0) throw new Unusable("No numbers in this column.");
      const info = { ...given, name: file?.name ?? "", reading, countries, taken: [], saved: 0 };
      isKept = true;
      await keep(() => store.begin(info, table));
      const work = check(info, sheet);
      current!.run.start();
      return { ...work, state: stateOf(current!) };
    },
    /** The account's interrupted check; null if there is none. */
    async restore(account: string, at: number): Promise<Work | null> {
      const saved = await store.load(account, at).catch(() => null);
      if (saved === null) return null;
      const { countries } = saved.info;
      const readSaved = (text: string) => countries.get(text) ?? null;
      const expectsCountry = saved.info.condition.country === ROW_COUNTRY;
      const sheet = createSheet(saved, saved.info.reading, { ...saved.info, readCountry: readSaved, expectsCountry });
      sheet.take(saved.info.taken);
      sheet.add(saved.results);
      isKept = true;
      return check(saved.info, sheet);
    },
    /** Resumes after a pause or a stop. */
    async start(): Promise<void> {
      started().run.start();
    },
    async pause(): Promise<void> {
      started().run.pause();
    },
    /** Ends for good. Results so far stay. */
    async cancel(): Promise<void> {
      started().run.cancel();
    },
    /** Shows a page of the results, which then follows them. */
    async look(view: View, at: number): Promise<void> {
      shown = { view, at };
      tell({ page: pageOf(started(), view, at) });
    },
    /** The rows as a file, either a view's or all. @throws Unusable */
    async file(format: Format, view: View | null): Promise<Blob> {
      const { sheet, rows } = started();
      return writeTable(sheet, rows.select(view ?? EVERYTHING), format);
    },
    /** All rows have been passed to the browser as a file. */
    async noteSaved(): Promise<void> {
      await change({ saved: started().sheet.checked });
    },
    /** What accepting a row's suggestion, or all of them, would do. */
    async offer(place: number | null): Promise<Offered> {
      const { rows, numbers } = offerOf(place);
      return { rows, numbers };
    },
    /** Accepts a row's suggestion, or all, and looks up those that have no result yet. */
    async take(place: number | null): Promise<void> {
      const { sheet, run, info } = started();
      const { taken } = offerOf(place);
      sheet.take(taken);
      await change({ taken: [...info.taken, ...taken], saved: 0 });
      run.grow(sheet.items.length);
      run.start();
      refresh();
    },
    /** Deletes the browser's copy of the check. Its results stay here. */
    async forget(): Promise<void> {
      isKept = false;
      if (current === null) return;
      tell({ state: stateOf(current) });
      await store.clear(current.info.id).catch(() => {});
    },
  };
}

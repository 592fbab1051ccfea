import type { BatchItem } from "../contract/verification.ts";
import type { Cell, Rows } from "./cells.ts";
import { below, namesOf } from "./columns/header.ts";
import type { Reading } from "./columns/columns.ts";
import { createPlan, outcomeOf } from "./plan.ts";
import type { Content, Entry, Outcome, PlanChoices } from "./plan.ts";
import type { Table } from "./read/table.ts";
import { createLayout } from "./write/layout.ts";
import type { Layout } from "./write/layout.ts";
import { appendedNames, suggestionIn } from "./write/result-columns.ts";
import type { ResultCells } from "./write/result-columns.ts";

/** Row counts by outcome. */
export type Counts = Readonly<Record<Exclude<Outcome, "failed">, number>>;

/** A suggestion that was accepted: the number's position in `items`, and the number that is sent in its place. */
export interface Taken {
  readonly at: number;
  readonly number: string;
}

/** A table that is verified: what its rows have, and their results as they arrive. */
export interface Sheet {
  /** The numbers to send, in order of first appearance. */
  readonly items: readonly BatchItem[];
  readonly rows: Rows;
  /** Rows with the same number and country as an earlier row. */
  readonly repeated: number;
  /** Adds the results of the next numbers. */
  add(results: readonly ResultCells[]): void;
  /** How many numbers have a result. */
  readonly checked: number;
  counts(): Counts;
  content(place: number): Content;
  note(place: number): string | null;
  /** The suggested number of a row, unless it was accepted; null if there is none. */
  suggestion(place: number): string | null;
  /** What accepting the suggestions of these rows does. */
  offer(places: readonly number[]): Offer;
  /** Sends suggestions in place of numbers, in every row that has them. */
  take(taken: readonly Taken[]): void;
  /** What the output begins with: the input's title. */
  readonly titles: Rows;
  /** How many columns the input has. */
  readonly given: number;
  /** The columns of the output: the input's, then ours, with distinct names. */
  head(): string[];
  /** The cells of an output row. */
  line(place: number): Cell[];
  /** A text file's own writing of these rows; null for other inputs. */
  readonly written: Written | null;
}

/** What accepting suggestions does: in how many rows, and how many numbers are sent that have no result yet. */
export interface Offer {
  readonly taken: readonly Taken[];
  readonly rows: number;
  readonly numbers: number;
}

/** How a text file writes the rows of a sheet. */
export interface Written extends Layout {
  readonly titles: readonly string[];
  /** Null if the input has no header. */
  readonly head: string | null;
  /** A row with as many separators as the widest one. */
  line(place: number): string;
}

export function createSheet(
  { rows: all, source }: Pick<Table, "rows" | "source">,
  reading: Reading,
  choices: Omit<PlanChoices, "reading">,
): Sheet {
  const { header } = reading;
  const rows = below(all, header);
  const names = namesOf(all, header);
  const plan = createPlan({ reading, ...choices });
  const contents = rows.map((row) => plan.read(row));
  const entries = [...new Set(contents.filter((content): content is Entry => typeof content !== "string"))];
  const distinct = entries.length;
  const tally = { valid: 0, invalid: 0, not_sent: 0, not_checked: 0 };
  for (const content of contents) tally[tallyOf(content)] += 1;
  const asked = tally.not_checked;
  let checked = 0;
  /** The rows whose number is a suggestion that was accepted. */
  const replaced = new Set<number>();

  /** A batch has no failures. */
  function tallyOf(content: Content): keyof Counts {
    return outcomeOf(content) as keyof Counts;
  }

  function suggestion(place: number): string | null {
    const content = contents[place]!;
    if (typeof content === "string" || content.result === null || replaced.has(place)) return null;
    return suggestionIn(content.result);
  }

  function entriesByKey(): Map<string, Entry> {
    return new Map(entries.map((entry) => [entry.key, entry]));
  }
  /** How a suggestion is sent in place of an entry's number. */
  function entryFor(number: string, { item }: Entry): Entry {
    return plan.entryOf(number, typeof item === "string" ? "" : (item.country ?? ""));
  }

  function note(at: number): string | null {
    const said = plan.note(rows[at]!, contents[at]!);
    return replaced.has(at) ? ["You accepted the suggestion.", said].filter(Boolean).join(" ") : said;
  }

  function writtenBy({ lines, ...form }: NonNullable<Table["source"]>): Written {
    const layout = createLayout(form, names.length);
    const own = (at: number) => layout.own({ text: lines[at]!, cells: all[at]! });
    return {
      ...layout,
      titles: lines.slice(0, header ?? 0),
      head: header === null ? null : own(header),
      line: (at) => own(at + all.length - rows.length),
    };
  }

  return {
    get items() {
      return entries.map(({ item }) => item);
    },
    rows,
    repeated: asked - distinct,
    add(results) {
      for (const result of results) {
        const entry = entries[checked]!;
        checked += 1;
        entry.result = result;
        tally.not_checked -= entry.rows;
        tally[tallyOf(entry)] += entry.rows;
      }
    },
    get checked() {
      return checked;
    },
    counts: () => ({ ...tally }),
    content: (at) => contents[at]!,
    note,
    suggestion,
    offer(places) {
      const positions = new Map(entries.map((entry, at) => [entry, at]));
      const known = entriesByKey();
      const taken = new Map<number, Taken>();
      const unknown = new Set<string>();
      let count = 0;
      for (const place of places) {
        const number = suggestion(place);
        const entry = contents[place] as Entry;
        if (number === null || taken.has(positions.get(entry)!)) continue;
        taken.set(positions.get(entry)!, { at: positions.get(entry)!, number });
        count += entry.rows;
        const { key } = entryFor(number, entry);
        if (!known.has(key)) unknown.add(key);
      }
      return { taken: [...taken.values()], rows: count, numbers: unknown.size };
    },
    take(taken) {
      const known = entriesByKey();
      const targets = new Map<Entry, Entry>();
      for (const { at, number } of taken) {
        const made = entryFor(number, entries[at]!);
        const meant = known.get(made.key) ?? made;
        if (meant === made) entries.push(made);
        known.set(made.key, meant);
        targets.set(entries[at]!, meant);
      }
      for (const [at, content] of contents.entries()) {
        if (typeof content === "string") continue;
        const meant = targets.get(content);
        if (meant === undefined) continue;
        tally[tallyOf(content)] -= 1;
        tally[tallyOf(meant)] += 1;
        content.rows -= 1;
        meant.rows += 1;
        contents[at] = meant;
        replaced.add(at);
      }
    },
    titles: all.slice(0, header ?? 0),
    given: names.length,
    head: () => [...names, ...appendedNames(names)],
    line(at) {
      const ours = plan.cells(rows[at]!, contents[at]!);
      return [...names.map((_, place) => rows[at]![place] ?? null), ...ours.slice(0, -1), note(at)];
    },
    written: source && writtenBy(source),
  };
}

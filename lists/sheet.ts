import type { BatchItem } from "../contract/verification.ts";
import type { Cell, Rows } from "./cells.ts";
import { below, namesOf } from "./columns/header.ts";
import type { Reading } from "./columns/columns.ts";
import { createPlan } from "./plan.ts";
import type { Content, Entry, Outcome, PlanChoices } from "./plan.ts";
import type { Table } from "./read/table.ts";
import { createLayout } from "./write/layout.ts";
import type { Layout } from "./write/layout.ts";
import { appendedNames, isValid } from "./write/result-columns.ts";
import type { ResultCells } from "./write/result-columns.ts";

/** Row counts by outcome. */
export type Counts = Readonly<Record<Exclude<Outcome, "failed">, number>>;

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
  const tally = { valid: 0, invalid: 0, not_sent: 0, not_checked: 0 };
  for (const content of contents) tally[typeof content === "string" ? "not_sent" : "not_checked"] += 1;
  let checked = 0;

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
    items: entries.map(({ item }) => item),
    rows,
    repeated: tally.not_checked - entries.length,
    add(results) {
      for (const result of results) {
        const entry = entries[checked]!;
        checked += 1;
        entry.result = result;
        tally.not_checked -= entry.rows;
        tally[isValid(result) ? "valid" : "invalid"] += entry.rows;
      }
    },
    get checked() {
      return checked;
    },
    counts: () => ({ ...tally }),
    content: (at) => contents[at]!,
    note: (at) => plan.note(rows[at]!, contents[at]!),
    titles: all.slice(0, header ?? 0),
    given: names.length,
    head: () => [...names, ...appendedNames(names)],
    line: (at) => [...names.map((_, place) => rows[at]![place] ?? null), ...plan.cells(rows[at]!, contents[at]!)],
    written: source && writtenBy(source),
  };
}

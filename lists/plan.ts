import { REJECTIONS, hintOf } from "../contract/reasons.ts";
import type { RejectionReason } from "../contract/result-values.ts";
import type { BatchItem } from "../contract/verification.ts";
import { textOf, tidy, writingKey } from "./cells.ts";
import type { Cell } from "./cells.ts";
import { countryIn } from "./columns/columns.ts";
import type { Reading } from "./columns/columns.ts";
import type { CountryReader } from "./columns/read-country.ts";
import { NOT_SENT, notSentOf } from "./damage.ts";
import type { NotSent } from "./damage.ts";
import { noteOn } from "./write/note.ts";
import { isValid, RESULT_COLUMNS, suggestionIn, textIn } from "./write/result-columns.ts";
import type { ResultCells } from "./write/result-columns.ts";

/** A row's outcome. `failed`: the service had an error instead of a result, as the sandbox does for some numbers. */
export type Outcome = "valid" | "invalid" | "not_sent" | "not_checked" | "failed";

/** How rows become numbers. */
export interface PlanChoices {
  readonly reading: Pick<Reading, "column" | "countryColumn">;
  /** ISO 3166-1 alpha-2, for rows without a country of their own; "" for none. */
  readonly country: string;
  /** Whether it is also for rows whose country can't be read. */
  readonly coversUnread: boolean;
  readonly readCountry: CountryReader;
  /** Whether a number is accepted from its row's country only; one without a country, from any. */
  readonly expectsCountry: boolean;
}

/** A number with its country, however many rows have it, and its result once there is one. */
export interface Entry {
  /** The same for each writing of a number with the same country. */
  readonly key: string;
  readonly item: BatchItem;
  /** How many rows have it. */
  rows: number;
  result: ResultCells | null;
  /** The service's error instead of a result. */
  failure: string | null;
}

/** What a row has: a number, or why nothing is sent. */
export type Content = Entry | NotSent;

const NO_RESULT: ResultCells = RESULT_COLUMNS.map(() => null);

export function outcomeOf(content: Content): Outcome {
  if (typeof content === "string") return "not_sent";
  if (content.failure !== null) return "failed";
  if (content.result === null) return "not_checked";
  return isValid(content.result) ? "valid" : "invalid";
}

/** What rows have: each number is sent once per country, however it is written. */
export interface Plan {
  /** What a row has; the same entry for each row of a number. */
  read(row: readonly Cell[]): Content;
  /** Why there is no valid or accepted number, and the suggestion, in words; null if there is nothing to say. */
  note(row: readonly Cell[], content: Content): string | null;
  /** A number with a country, or "" for none, that no row has yet. */
  entryOf(number: string, country: string): Entry;
  /** Our columns of a row: the outcome, the result, the note. */
  cells(row: readonly Cell[], content: Content): Cell[];
}

/** @param most how many numbers are remembered for rows that repeat one; a list may have more than fit into memory */
export function createPlan(
  { reading: { column, countryColumn }, country: general, coversUnread, readCountry, expectsCountry }: PlanChoices,
  most = Infinity,
): Plan {
  const entries = new Map<string, Entry>();

  function ownCountry(row: readonly Cell[]) {
    return countryColumn === null ? null : countryIn(row[countryColumn], readCountry);
  }
  /** The country that a row's number is sent with, or "". */
  function countryOf(row: readonly Cell[]): string {
    const own = ownCountry(row);
    if (typeof own === "string") return own;
    return own === null || coversUnread ? general : "";
  }

  function itemOf(number: string, country: string): BatchItem {
    if (country === "") return number;
    return expectsCountry ? { number, country, expect_country: country } : { number, country };
  }

  function entryOf(number: string, country: string): Entry {
    const key = `${country} ${writingKey(number)}`;
    return { key, item: itemOf(number, country), rows: 0, result: null, failure: null };
  }

  function note(row: readonly Cell[], content: Content): string | null {
    if (typeof content === "string") return NOT_SENT[content];
    const { result, failure } = content;
    if (result === null) return failure;
    const own = ownCountry(row);
    const rejection = textIn(result, "rejected_because") as RejectionReason | null;
    return noteOn(row[column], {
      reason: textIn(result, "reason"),
      suggestion: suggestionIn(result),
      acceptance: rejection && hintOf(REJECTIONS, rejection),
      unreadCountry: own !== null && typeof own === "object" ? own.unread : null,
    });
  }

  return {
    note,
    entryOf,
    read(row) {
      const why = notSentOf(row[column]);
      if (why !== null) return why;
      const made = entryOf(tidy(textOf(row[column])), countryOf(row));
      const entry = entries.get(made.key) ?? made;
      if (entry === made) {
        entries.set(made.key, made);
        if (entries.size > most) entries.delete(entries.keys().next().value!);
      }
      entry.rows += 1;
      return entry;
    },
    cells: (row, content) => [
      outcomeOf(content),
      ...((typeof content === "string" ? null : content.result) ?? NO_RESULT),
      note(row, content),
    ],
  };
}

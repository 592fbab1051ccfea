/** What became of a row. */
export type Kind = "valid" | "invalid" | "not_sent" | "not_checked";

/** Rows by what became of them. */
export type Counts = Readonly<Record<Kind, number>>;

/** What a table shows of all rows. */
export interface View {
  /** "checked": all but those that wait. */
  readonly kind: Kind | "all" | "checked";
  /** ISO code, or "" for all. */
  readonly country: string;
  readonly search: string;
}

export const EVERYTHING: View = { kind: "all", country: "", search: "" };

/** A row as the page shows it. */
export interface ShownRow {
  /** Its place among the rows, from 1; the head is not counted. */
  readonly place: number;
  readonly input: string;
  readonly kind: Kind;
  readonly number: string | null;
  readonly country: string | null;
  /** What else is known, or why there is nothing. */
  readonly detail: string;
  readonly code: string | null;
}

/** One page of the results. */
export interface Page {
  readonly rows: readonly ShownRow[];
  /** Rows that the view has in all. */
  readonly total: number;
  readonly countries: readonly { readonly code: string; readonly name: string }[];
}

/** Rows of one page: a table of thousands would be slow to draw and to read. */
export const PAGE_SIZE = 50;

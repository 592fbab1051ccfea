import type { Counts } from "../../../../lists/sheet.ts";

/** A row's outcome. */
export type Kind = keyof Counts;

/** A filter over all rows. */
export interface View {
  /** "checked": all except waiting ones. */
  readonly kind: Kind | "all" | "checked";
  /** ISO code, or "" for all. */
  readonly country: string;
  /** Rows with a suggestion to accept, or with a number that several rows have; "" for all. */
  readonly only: "" | "suggestion" | "repeated";
  readonly search: string;
}

export const EVERYTHING: View = { kind: "all", country: "", only: "", search: "" };

/** A row as the page shows it. */
export interface ShownRow {
  /** Its row number, from 1; the header is not counted. */
  readonly place: number;
  readonly input: string;
  readonly kind: Kind;
  readonly number: string | null;
  readonly country: string | null;
  /** More details, or why there are none. */
  readonly detail: string;
  readonly code: string | null;
  /** A suggested number that can be accepted. */
  readonly suggestion: string | null;
}

/** One page of the results. */
export interface Page {
  readonly view: View;
  /** From 0. */
  readonly at: number;
  readonly rows: readonly ShownRow[];
  /** The view's total number of rows. */
  readonly total: number;
  /** Of all rows: how many have a suggestion, and how many a number that several rows have. */
  readonly suggestions: number;
  readonly repeats: number;
  readonly countries: readonly { readonly code: string; readonly name: string }[];
}

/** Rows per page: a table of thousands would be slow to draw and to read. */
export const PAGE_SIZE = 25;

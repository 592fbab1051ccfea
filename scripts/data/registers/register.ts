import type { AllocationState, LineType } from "../../../contract/result-values.ts";

/** What a register says about numbers. */
export interface RegisterRange {
  /** Calling code and national digits of the first number, or its prefix. */
  readonly from: string;
  /** Of the last number, or its prefix. */
  readonly to: string;
  /** Null if the register says nothing about these numbers, within a prefix that it covers. */
  readonly status: AllocationState | null;
  /** The legal name; null if unknown. */
  readonly holder: string | null;
  /** If not the register's own date. */
  readonly holderAsOf?: string;
  /** In the register's own words, if its line types come from there. */
  readonly lineType?: LineType;
}

/** A register as published. */
export interface RegisterContents {
  /** "2026-07-06" */
  readonly asOf: string;
  /** How many rows its files have. */
  readonly rows: number;
  /** Calling codes with first national digits that the register covers: what it doesn't list there is unassigned. */
  readonly covers: readonly string[];
  readonly ranges: readonly RegisterRange[];
}

/** Reads a country's register; what it is, contract/registers.ts says. */
export interface RegisterReader {
  /** Where to download its files, by the start of their names; none if there's no address. Not tried yet. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Compiles the files in a folder; null if it lacks them. @throws Error if they aren't as expected */
  read(directory: string): RegisterContents | null;
}

/** A numbering range as a whole: the same numbers, with one status and no holder. */
export function without(prefix: string, status: AllocationState | null): RegisterRange {
  return { from: prefix, to: prefix, status, holder: null };
}

import type * as v from "valibot";
import { VerificationResult } from "../../contract/verification.ts";

interface ResultColumn {
  readonly name: string;
  readonly read: (result: Readonly<Record<string, unknown>>) => unknown;
}

interface Schema extends v.GenericSchema {
  readonly wrapped?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
}

/** A column for each value of a schema, with nested names joined. Constants have none. */
function columnsOf(entries: Readonly<Record<string, Schema>>, prefix = ""): ResultColumn[] {
  return Object.entries(entries).flatMap(([key, given]) => {
    let schema = given;
    while (schema.wrapped) schema = schema.wrapped;
    if (schema.type === "literal") return [];
    const name = prefix + key;
    if (!schema.entries) return [{ name, read: (result) => result[key] }];
    return columnsOf(schema.entries, `${name}_`).map((column) => ({
      name: column.name,
      read: (result) => {
        const part = result[key];
        return part === null || part === undefined ? null : column.read(part as Record<string, unknown>);
      },
    }));
  });
}

const COLUMNS = columnsOf(VerificationResult.entries as unknown as Record<string, Schema>);

/** A result's columns, from the contract's schema, so new fields are included automatically. */
export const RESULT_COLUMNS: readonly string[] = COLUMNS.map(({ name }) => name);

/** The columns after a list's own: the outcome, a result's, and a note. */
export const OUR_COLUMNS: readonly string[] = ["outcome", ...RESULT_COLUMNS, "note"];

/** Those columns, or some, with names that the list doesn't have. */
export function appendedNames(taken: readonly string[], columns = OUR_COLUMNS): string[] {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  return columns.map((name) => {
    let free = name;
    while (names.has(free)) free = `checkline_${free}`;
    names.add(free);
    return free;
  });
}

/** A result's value in a table: lists are joined by spaces. */
export type ResultCell = string | boolean | null;

/** A result as cells for those columns. */
export type ResultCells = readonly ResultCell[];

function cellOf(value: unknown): ResultCell {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value;
  return Array.isArray(value) ? value.join(" ") : String(value);
}

/** The cells of a result. */
export function cellsOf(result: object): ResultCells {
  return COLUMNS.map(({ read }) => cellOf(read(result as Record<string, unknown>)));
}

const PLACES = new Map(RESULT_COLUMNS.map((name, at) => [name, at]));

type TextColumn = {
  [Key in keyof VerificationResult]-?: VerificationResult[Key] extends string | null | readonly string[] ? Key : never;
}[keyof VerificationResult];

/** The text in a column of a result's cells; null if there is none. */
export function textIn(cells: ResultCells, column: TextColumn): string | null {
  return (cells[PLACES.get(column)!] as string | null | undefined) ?? null;
}

/** The suggested number; null if there is none. */
export function suggestionIn(cells: ResultCells): string | null {
  return (cells[PLACES.get("suggestion_number")!] as string | null | undefined) ?? null;
}

/** Whether the number of the cells is valid. */
export function isValid(cells: ResultCells): boolean {
  return cells[PLACES.get("valid")!] === true;
}

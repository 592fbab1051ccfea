import type { D1Database } from "@cloudflare/workers-types";
import { Column, getTableColumns, is, SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** Typed queries over a D1 database. Opening it creates no connection. */
export function openDatabase(d1: D1Database) {
  return drizzle(d1);
}

export type Database = ReturnType<typeof openDatabase>;

type Statement = BatchItem<"sqlite">;

/** Statements in order, by position or name. */
export type Statements = readonly Statement[] | Readonly<Record<string, Statement>>;

/** The result of each statement. */
export type Results<S extends Statements> = {
  readonly [Name in keyof S]: S[Name] extends Statement ? S[Name]["_"]["result"] : never;
};

/** Runs statements in one transaction. @param first one whose result is of no interest */
export async function batchOf<const S extends Statements>(
  db: Database,
  statements: S,
  first: readonly Statement[] = [],
): Promise<Results<S>> {
  const all = [...first, ...Object.values(statements)] as [Statement, ...Statement[]];
  const results = (await db.batch(all)).slice(first.length);
  if (Array.isArray(statements)) return results as never;
  return Object.fromEntries(Object.keys(statements).map((name, index) => [name, results[index]])) as never;
}

/** A row to insert, by column: values, or what a query selects. */
type SelectedRow<Table extends SQLiteTable> = {
  readonly [Name in keyof Table["$inferInsert"]]: Table["$inferInsert"][Name] | SQL | Column;
};

/**
 * An `insert … select` with named columns. Columns that are not named get their default, or null.
 * @param source what follows the columns: `from … where …`
 */
export function insertFrom<Table extends SQLiteTable>(
  db: Database,
  table: Table,
  row: SelectedRow<Table>,
  source: SQL,
) {
  const selected = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = row[name as keyof typeof row] ?? column.default ?? null;
    return is(value, SQL) || is(value, Column) ? sql`${value}` : sql`${sql.param(value, column)}`;
  });
  return db.insert(table).select(sql`select ${sql.join(selected, sql`, `)} ${source}`);
}

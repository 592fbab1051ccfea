import type { D1Database } from "@cloudflare/workers-types";
import { Column, getTableColumns, is, SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** Typed queries over a D1 database. Opening it creates no connection. */
export function openDatabase(d1: D1Database) {
  return drizzle(d1);
}

export type Database = ReturnType<typeof openDatabase>;

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

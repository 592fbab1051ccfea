import type { D1Database } from "@cloudflare/workers-types";
import { drizzle } from "drizzle-orm/d1";

/**
 * Typed queries over a D1 database. Making one holds no connection and is all but free, since it is not given the schema: only
 * relational queries need that, and reading it takes longer than verifying a number.
 */
export function openDatabase(d1: D1Database) {
  return drizzle(d1);
}

export type Database = ReturnType<typeof openDatabase>;

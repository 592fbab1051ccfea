import type { D1Database } from "@cloudflare/workers-types";
import { drizzle } from "drizzle-orm/d1";

/**
 * Typed queries over a D1 database. Opening it creates no connection and is almost free without the schema: only
 * relational queries need that, and processing it takes longer than verifying a number.
 */
export function openDatabase(d1: D1Database) {
  return drizzle(d1);
}

export type Database = ReturnType<typeof openDatabase>;

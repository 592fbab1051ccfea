import type { D1Database } from "@cloudflare/workers-types";
import { drizzle } from "drizzle-orm/d1";
import * as schema from "../schema.ts";

/** Typed queries over a D1 database. Making one is free: it holds no connection. */
export function openDatabase(d1: D1Database) {
  return drizzle(d1, { schema });
}

export type Database = ReturnType<typeof openDatabase>;

import type { Context } from "hono";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { keyCache } from "../keys/cache/key-cache.ts";
import type { Publishing } from "../keys/cache/publish.ts";

/** What it takes to tell the edge of a change to keys. In this isolate it holds at once. */
export function publishing(c: Context<AppEnv>): Publishing {
  return { kv: c.env.EDGE, db: openDatabase(c.env.DB), now: Date.now(), remember: keyCache.remember };
}

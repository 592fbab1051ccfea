import type { KVNamespace } from "@cloudflare/workers-types";
import { isNull, sql } from "drizzle-orm";
import { apiKeys, erasedKeys } from "../../schema.ts";
import { insertFrom } from "../platform/db.ts";
import type { Database } from "../platform/db.ts";
import { AdministrationError } from "../platform/errors.ts";
import { RECORD_PREFIX } from "./edge.ts";

export interface Republished {
  /** Keys in D1 that are not revoked, all of which will be written. */
  readonly keys: number;
  /** Keys only in KV, which will be rejected for good. */
  readonly missing: number;
}

/**
 * Makes the scheduled job rewrite every key to KV, and write a tombstone for each record in KV whose key D1 doesn't
 * have: for a restored database or a new KV namespace.
 * @throws AdministrationError NO_KEYS for a database without active keys, which would end every key in KV for good
 */
export async function republishKeys({
  db,
  edge,
  now,
}: {
  readonly db: Database;
  readonly edge: Pick<KVNamespace, "list">;
  readonly now: number;
}): Promise<Republished> {
  const { meta } = await db.update(apiKeys).set({ syncedAt: null }).where(isNull(apiKeys.revokedAt));
  if (meta.changes === 0)
    throw new AdministrationError("NO_KEYS", "The database has no active keys. Has it been restored?");
  let missing = 0;
  for (let cursor: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof edge.list>> = await edge.list({ prefix: RECORD_PREFIX, cursor });
    // A key is in D1 before it is in KV, so one that is listed and then not found is gone.
    const hashes = page.keys.map(({ name }) => name.slice(RECORD_PREFIX.length));
    const erased = await insertFrom(
      db,
      erasedKeys,
      { hash: sql`value`, at: now },
      sql`from json_each(${JSON.stringify(hashes)}) where value not in (select hash from ${apiKeys})`,
    )
      .onConflictDoNothing()
      .returning();
    missing += erased.length;
    // A record of a revoked key is left from an earlier state of the database.
    await db.run(sql`
      update ${apiKeys} set synced_at = null
      where revoked_at is not null and hash in (select value from json_each(${JSON.stringify(hashes)}))`);
    if (page.list_complete) return { keys: meta.changes, missing };
    cursor = page.cursor;
  }
}

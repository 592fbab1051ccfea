import { and, eq, isNull, sql } from "drizzle-orm";
import { apiKeys } from "../../schema.ts";
import type { Database } from "../platform/db.ts";

/** What every change to a key's row, or to what it may do, sets. */
export function changedAt(now: number) {
  return {
    version: sql`${apiKeys.version} + 1`,
    // Later than the last copy even when this clock is behind: only then is the copy known to be old.
    updatedAt: sql`max(${now}, ${apiKeys.updatedAt}, coalesce(${apiKeys.syncedAt}, 0) + 1)`,
  };
}

/** Marks the account's active keys as changed, for a batch with a change that decides what they may do. */
export function touchActiveKeys(db: Database, userId: string, now: number) {
  return db
    .update(apiKeys)
    .set(changedAt(now))
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)));
}

/**
 * Has every key written to KV again by the scheduled job, some hundreds a minute: after a restored database or a new KV namespace.
 * @returns how many
 */
export async function republishKeys(db: Database): Promise<number> {
  const { meta } = await db.update(apiKeys).set({ syncedAt: null });
  return meta.changes;
}

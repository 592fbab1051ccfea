import { and, eq, isNull, sql } from "drizzle-orm";
import { apiKeys } from "../../schema.ts";
import type { Database } from "../platform/db.ts";

/** What every change to a key's row or permissions sets. */
export function changedAt(now: number) {
  return {
    version: sql`${apiKeys.version} + 1`,
    previousAt: sql`${apiKeys.updatedAt}`,
    // Later than the last copy even if this clock is behind, so the copy is known to be outdated.
    updatedAt: sql`max(${now}, ${apiKeys.updatedAt}, coalesce(${apiKeys.syncedAt}, 0) + 1)`,
  };
}

/** Marks the account's active keys as changed, for a batch with a change to their permissions. */
export function touchActiveKeys(db: Database, userId: string, now: number) {
  return db
    .update(apiKeys)
    .set(changedAt(now))
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)));
}

import { and, eq, isNull, sql } from "drizzle-orm";
import type { KeyMode } from "../../contract/limits.ts";
import { apiKeys } from "../../schema.ts";
import type { Database } from "../db.ts";
import type { RevokedKey } from "./cache/publish.ts";

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
 * Revokes an account's active keys: all, those of a mode, or the one with this id. Returns those that stopped working: none for an id
 * that does not exist, is revoked already or is another account's, which look the same from here.
 */
export async function revokeApiKeys(
  db: Database,
  now: number,
  which: { readonly userId: string; readonly mode?: KeyMode | undefined; readonly id?: string },
): Promise<RevokedKey[]> {
  const { userId, mode, id } = which;
  return db
    .update(apiKeys)
    .set({ revokedAt: now, ...changedAt(now) })
    .where(
      and(
        eq(apiKeys.userId, userId),
        isNull(apiKeys.revokedAt),
        mode === undefined ? undefined : eq(apiKeys.mode, mode),
        id === undefined ? undefined : eq(apiKeys.id, id),
      ),
    )
    .returning({ id: apiKeys.id, hash: apiKeys.hash, version: apiKeys.version });
}

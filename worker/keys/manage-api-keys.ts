import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { ListedKey } from "../../contract/keys.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { apiKeys } from "../../schema.ts";
import type { Database } from "../db.ts";

/** An account's active keys, newest first. */
export async function listApiKeys(db: Database, userId: string): Promise<ListedKey[]> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  return rows.map(({ id, mode, name, hint, createdAt, lastUsedAt }) => ({
    id,
    mode,
    name,
    hint,
    created_at: new Date(createdAt).toISOString(),
    last_used_at: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  }));
}

/**
 * Revokes an account's active keys: all, those of a mode, or the one with this id. Returns how many stopped working: 0 for an id
 * that does not exist, is revoked already or is another account's, which look the same from here.
 */
export async function revokeApiKeys(
  db: Database,
  now: number,
  which: { readonly userId: string; readonly mode?: KeyMode | undefined; readonly id?: string },
): Promise<number> {
  const { userId, mode, id } = which;
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: now, updatedAt: now, version: sql`${apiKeys.version} + 1` })
    .where(
      and(
        eq(apiKeys.userId, userId),
        isNull(apiKeys.revokedAt),
        mode === undefined ? undefined : eq(apiKeys.mode, mode),
        id === undefined ? undefined : eq(apiKeys.id, id),
      ),
    )
    .returning({ id: apiKeys.id });
  return revoked.length;
}

import { and, desc, eq, isNull } from "drizzle-orm";
import type { ListedKey } from "../../contract/keys.ts";
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

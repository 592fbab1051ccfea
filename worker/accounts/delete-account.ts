import { and, eq, isNull } from "drizzle-orm";
import { apiKeys, users } from "../../schema.ts";
import type { Database } from "../db.ts";
import type { RevokedKey } from "../keys/cache/publish.ts";

/**
 * Erases an account; its keys, subscription, tokens and usage go with it by the schema's cascades. Returns the keys that worked until
 * now, for the edge to be told: read with the deletion in one step, so that none is made in between.
 */
export async function deleteAccount(db: Database, userId: string): Promise<RevokedKey[]> {
  const [keys] = await db.batch([
    db
      .select({ hash: apiKeys.hash, version: apiKeys.version })
      .from(apiKeys)
      .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt))),
    db.delete(users).where(eq(users.id, userId)),
  ]);
  return keys.map(({ hash, version }) => ({ id: null, hash, version: version + 1 }));
}

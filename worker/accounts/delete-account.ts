import { and, eq, isNull } from "drizzle-orm";
import { apiKeys, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { publishTombstones } from "../keys/cache/publish.ts";
import { forgetMails } from "../mail/mailbox.ts";

/**
 * Erases an account; its keys, subscription, tokens and usage go with it by the schema's cascades. The keys that worked until now are
 * read with the deletion in one step, so that none is made in between, and are refused everywhere as soon as KV shows it.
 */
export async function deleteAccount(io: Io, userId: string): Promise<void> {
  const { db, config, edge } = io;
  const [keys] = await db.batch([
    db
      .select({ hash: apiKeys.hash, version: apiKeys.version })
      .from(apiKeys)
      .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt))),
    db.delete(users).where(eq(users.id, userId)),
  ]);
  const erased = keys.map(({ hash, version }) => ({ id: null, hash, version: version + 1 }));
  await publishTombstones(io, erased);
  if (config.mail?.driver === "mailbox") await forgetMails(edge, userId);
}

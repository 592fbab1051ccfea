import { eq } from "drizzle-orm";
import type { KeyMode } from "../../contract/limits.ts";
import { apiKeys, subscriptions, users } from "../../schema.ts";
import type { Database } from "../db.ts";
import type { SubscriptionPeriod } from "../subscriptions/is-active.ts";

/** What a request needs to know about the key it came with. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly userId: string;
  readonly mode: KeyMode;
  readonly revokedAt: number | null;
  /** When its account was shut out, or null. */
  readonly suspendedAt: number | null;
  /** Null for an account that never had one. */
  readonly subscription: SubscriptionPeriod | null;
}

/** The key with this hash, revoked or not, together with its account's subscription; null when there is none. */
export async function findApiKey(db: Database, hash: string): Promise<ApiKeyRecord | null> {
  const row = await db
    .select({
      id: apiKeys.id,
      userId: apiKeys.userId,
      mode: apiKeys.mode,
      revokedAt: apiKeys.revokedAt,
      suspendedAt: users.suspendedAt,
      subscription: { status: subscriptions.status, expiresAt: subscriptions.expiresAt },
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(subscriptions, eq(subscriptions.userId, apiKeys.userId))
    .where(eq(apiKeys.hash, hash))
    .get();
  return row ?? null;
}

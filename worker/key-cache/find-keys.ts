import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { planTerms } from "../../contract/plans.ts";
import type { PlanLimits } from "../../contract/plans.ts";
import { apiKeys, subscriptions, users } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { needsOf } from "./record.ts";
import type { KeyRecord, KeyState } from "./record.ts";

/** Must match the index `api_keys_unsynced`, without which SQLite would scan every key. */
export const isUnsynced: SQL = sql`(${apiKeys.syncedAt} is null or ${apiKeys.syncedAt} < ${apiKeys.updatedAt})`;

/**
 * An account's keys that KV may need: those that are not revoked, or were recently.
 * @param userId the account's id, or a query for it
 */
export function currentKeysOf(userId: string | SQL): SQL | undefined {
  return and(eq(apiKeys.userId, userId), or(isNull(apiKeys.revokedAt), isUnsynced));
}

/** Key rows joined with their accounts. */
export function selectKeys(db: Database) {
  return db
    .select({
      id: apiKeys.id,
      userId: apiKeys.userId,
      mode: apiKeys.mode,
      hash: apiKeys.hash,
      version: apiKeys.version,
      updatedAt: apiKeys.updatedAt,
      previousAt: apiKeys.previousAt,
      revokedAt: apiKeys.revokedAt,
      expiresAt: apiKeys.expiresAt,
      rootId: apiKeys.rootId,
      monthlyCap: apiKeys.monthlyCap,
      origins: apiKeys.allowedOrigins,
      suspendedAt: users.suspendedAt,
      subscription: {
        plan: subscriptions.plan,
        status: subscriptions.status,
        startedAt: subscriptions.startedAt,
        expiresAt: subscriptions.expiresAt,
      },
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(subscriptions, eq(subscriptions.userId, apiKeys.userId));
}

/** A key's row joined with its account. */
export type KeyRow = Awaited<ReturnType<typeof selectKeys>>[number];

/** A plan's limits for a version of the worker without the plan; nothing for a plan that this version doesn't know. */
function limitsToStore(plan: string): { readonly limits?: PlanLimits } {
  const terms = planTerms(plan);
  if (terms === undefined) return {};
  const { quota, requestsPerMinute, numbersPerMinute } = terms;
  return { limits: { quota, requestsPerMinute, numbersPerMinute } };
}

/** What a row means for KV and for requests. @param asOf a time before the row was read, in milliseconds since the Unix epoch */
export function stateOf(row: KeyRow, asOf: number): KeyRecord | "revoked" {
  const { id, userId, mode, version, revokedAt, expiresAt, rootId, monthlyCap, origins, suspendedAt, subscription } =
    row;
  if (revokedAt !== null) return "revoked";
  const root = rootId ?? id;
  const cap = monthlyCap;
  return {
    id,
    userId,
    mode,
    expiresAt,
    root,
    cap,
    origins,
    needs: needsOf({ cap, origins }),
    suspendedAt,
    version,
    asOf,
    subscription: subscription && { ...subscription, ...limitsToStore(subscription.plan) },
  };
}

/**
 * What D1 has of the key with this SHA-256 (hex).
 * @param asOf the current time, in milliseconds since the Unix epoch
 * @throws whatever D1 throws
 */
export async function findKey(db: Database, hash: string, asOf: number): Promise<KeyState> {
  const row = await selectKeys(db).where(eq(apiKeys.hash, hash)).get();
  return row === undefined ? "unknown" : stateOf(row, asOf);
}

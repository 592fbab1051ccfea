import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { apiKeys, subscriptions, users } from "../../../schema.ts";
import type { Database } from "../../platform/db.ts";
import type { KeyRecord, Sighting, Tombstone } from "./record.ts";

/** A key's row and what the edge should have of it. */
export interface KeyRow {
  readonly id: string;
  readonly hash: string;
  readonly version: number;
  /** Milliseconds since the Unix epoch. */
  readonly updatedAt: number;
  readonly sighting: KeyRecord | Tombstone;
}

/** Must match the index `api_keys_unsynced`, without which SQLite would scan every key. */
export const isUnsynced: SQL = sql`(${apiKeys.syncedAt} is null or ${apiKeys.syncedAt} < ${apiKeys.updatedAt})`;

/** Passes any number of values as one parameter, since D1 allows 100. */
export function isOneOf(
  column: typeof apiKeys.id | typeof apiKeys.hash | typeof apiKeys.userId,
  values: readonly string[],
): SQL {
  return sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;
}

/** The keys of these accounts that the edge may need. */
export function currentKeysOf(userIds: readonly string[]): SQL | undefined {
  return and(isOneOf(apiKeys.userId, userIds), or(isNull(apiKeys.revokedAt), isUnsynced));
}

/** Key rows joined with their accounts, in one query. */
export function selectKeys(db: Database) {
  return db
    .select({
      id: apiKeys.id,
      userId: apiKeys.userId,
      mode: apiKeys.mode,
      hash: apiKeys.hash,
      version: apiKeys.version,
      updatedAt: apiKeys.updatedAt,
      revokedAt: apiKeys.revokedAt,
      expiresAt: apiKeys.expiresAt,
      rootId: apiKeys.rootId,
      monthlyCap: apiKeys.monthlyCap,
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

type SelectedKey = Awaited<ReturnType<typeof selectKeys>>[number];

/** @param asOf a time before the row was read, in milliseconds since the Unix epoch */
export function keyRow(selected: SelectedKey, asOf: number): KeyRow {
  const { id, hash, version, updatedAt } = selected;
  return { id, hash, version, updatedAt, sighting: sightingOf(selected, asOf) };
}

function sightingOf(selected: SelectedKey, asOf: number): KeyRecord | Tombstone {
  const { id, userId, mode, version, revokedAt, expiresAt, rootId, monthlyCap, suspendedAt, subscription } = selected;
  if (revokedAt !== null) return { revoked: true, version };
  const cap = monthlyCap === null ? null : { root: rootId ?? id, most: monthlyCap };
  return { revoked: false, revokedAt, version, asOf, id, userId, mode, expiresAt, cap, suspendedAt, subscription };
}

/**
 * What D1 has of the keys with these SHA-256 (hex), in one statement.
 * @param asOf the current time, in milliseconds since the Unix epoch
 * @throws whatever D1 throws
 */
export async function findKeys(
  db: Database,
  hashes: readonly string[],
  asOf: number,
): Promise<ReadonlyMap<string, Sighting>> {
  const found = await selectKeys(db).where(isOneOf(apiKeys.hash, hashes));
  const sightings = new Map<string, Sighting>(hashes.map((hash) => [hash, { revoked: null, asOf }]));
  for (const row of found) sightings.set(row.hash, sightingOf(row, asOf));
  return sightings;
}

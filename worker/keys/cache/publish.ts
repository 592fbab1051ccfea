import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { apiKeys } from "../../../schema.ts";
import type { Database } from "../../platform/db.ts";
import { failureText, logLine } from "../../platform/log.ts";
import { forgetRecord, writeEdge } from "./edge.ts";
import type { EdgeKv } from "./edge.ts";
import { currentKeysOf, isOneOf, keyRow, selectKeys } from "./find-keys.ts";
import type { KeyRecord, Tombstone } from "./record.ts";
import { sleep } from "../../platform/time-limit.ts";
import type { Sleep } from "../../platform/time-limit.ts";

/** KV allows one write per second per name, so a rejected write is retried after that. */
const PAUSE_MS = 1_100;
const MAX_TRIES = 3;

export interface Publishing {
  readonly edge: EdgeKv;
  readonly db: Database;
  /** The current time, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** The cache in which the change must take effect immediately. */
  readonly keyCache?: { remember(hash: string, sighting: KeyRecord | Tombstone): void };
  readonly sleep?: Sleep;
}

/** What the edge has of a key. */
export interface Publication {
  /** Null for a key whose row is gone, which no later run can repair. */
  readonly id: string | null;
  readonly hash: string;
  readonly version: number;
  readonly sighting: KeyRecord | Tombstone;
}

export interface Published {
  readonly written: number;
  /** Left for the next run of `syncOutbox`. */
  readonly failed: number;
}

async function write(io: Publishing, { hash, sighting }: Publication, tries: number): Promise<boolean> {
  const wait = io.sleep ?? sleep;
  for (let left = tries; left > 0; left--) {
    try {
      await writeEdge(io.edge, hash, sighting, wait);
      // A record beside a tombstone is ignored, but contains the account's id.
      if (sighting.revoked) await forgetRecord(io.edge, hash, wait);
      return true;
    } catch (error) {
      if (left === 1) logLine("warn", "key_not_published", { message: failureText(error) });
      else await wait(PAUSE_MS);
    }
  }
  return false;
}

/** Records what the edge has. A row that changed again in between has a new version and stays unsynced. */
async function markSynced(db: Database, written: readonly Publication[]): Promise<void> {
  const marks = written.filter(({ id }) => id !== null).map(({ id, version }) => ({ id, version }));
  if (marks.length === 0) return;
  // Set to the time of the change, not the current time: a fast clock would hide the next change.
  await db.run(sql`
    update ${apiKeys} set synced_at = updated_at
    from (
      select value ->> 'id' as id, value ->> 'version' as version from json_each(${JSON.stringify(marks)})
    ) as written
    where ${apiKeys.id} = written.id and ${apiKeys.version} = written.version`);
}

/** Writes to KV and marks what was written. Returns it. */
export async function writeAll(io: Publishing, keys: readonly Publication[], tries: number): Promise<Publication[]> {
  const done = await Promise.all(keys.map((key) => write(io, key, tries)));
  const written = keys.filter((_, index) => done[index]);
  await markSynced(io.db, written);
  return written;
}

function choose(which: PublishedKeys): SQL | undefined {
  if ("userId" in which) return currentKeysOf([which.userId]);
  return "hashes" in which ? isOneOf(apiKeys.hash, which.hashes) : isOneOf(apiKeys.id, which.keyIds);
}

export type PublishedKeys =
  | { readonly userId: string }
  | { readonly hashes: readonly string[] }
  | { readonly keyIds: readonly string[] };

async function publish(io: Publishing, load: () => Promise<readonly Publication[]>, tries: number): Promise<Published> {
  let keys: readonly Publication[] = [];
  try {
    keys = await load();
    for (const { hash, sighting } of keys) io.keyCache?.remember(hash, sighting);
    const written = await writeAll(io, keys, tries);
    return { written: written.length, failed: keys.length - written.length };
  } catch (error) {
    logLine("warn", "keys_not_published", { count: keys.length, message: failureText(error) });
    return { written: 0, failed: keys.length };
  }
}

/**
 * Publishes keys to the edge after a change: rereads them, remembers them in this isolate, writes records and
 * tombstones to KV, and marks the rows as synced. Never rejects, since the change itself has been made: failures are
 * logged and left to `syncOutbox`.
 * @param which all keys of an account, or some by hash or id
 */
export async function publishKeys(io: Publishing, which: PublishedKeys): Promise<Published> {
  return publish(
    io,
    async () => {
      const rows = await selectKeys(io.db).where(choose(which));
      return rows.map((row) => keyRow(row, io.now));
    },
    1,
  );
}

/** A revoked key or, with a null id, one whose row is erased. */
export interface RevokedKey {
  readonly id: string | null;
  readonly hash: string;
  readonly version: number;
}

/**
 * Publishes revoked or erased keys to the edge, without another D1 read. This isolate rejects them before the first
 * `await`, so the call can go to `waitUntil`. Never rejects; a failed tombstone is tried three times, then left to
 * `syncOutbox` or, for an erased key, to the 15 minutes its last record is trusted.
 */
export async function publishTombstones(io: Publishing, keys: readonly RevokedKey[]): Promise<Published> {
  const publications = keys.map(({ id, hash, version }): Publication => ({
    id,
    hash,
    version,
    sighting: { revoked: true, version },
  }));
  for (const { hash, sighting } of publications) io.keyCache?.remember(hash, sighting);
  return publish(io, async () => publications, MAX_TRIES);
}

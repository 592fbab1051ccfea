import { and, asc, desc, gt, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { apiKeys, erasedKeys, users } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import type { Sleep } from "../platform/time-limit.ts";
import type { EdgeKv } from "./edge.ts";
import { isUnsynced, selectKeys, stateOf } from "./find-keys.ts";
import type { KeyRow } from "./find-keys.ts";
import { fiveAtATime, writeKey } from "./publish.ts";
import type { KeyRecord } from "./record.ts";

/** Rows that are read and written together. */
const PAGE = 50;
/** The last page of a run begins below this: with two KV calls for a tombstone, a run makes at most 900 of 1,000. */
const MAX_KV_CALLS = 800;
/** How long a run begins new pages, in milliseconds: the next run is due after a minute. */
const RUN_MS = 45_000;
/** How long an earlier write of the same key may be pending, in milliseconds. */
const PENDING_MS = 60_000;

export interface Syncing {
  readonly edge: EdgeKv;
  readonly db: Database;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  readonly sleep?: Sleep;
}

/** A run's result. */
export interface Synced {
  /** Keys that KV accepted. */
  readonly written: number;
  /** Keys that KV rejected. */
  readonly failed: number;
  /** Whether there may be more than this run looked at. */
  readonly more: boolean;
}

/** A key that KV needs. */
interface Waiting {
  readonly hash: string;
  readonly state: KeyRecord | "revoked";
  /** When it changed, in milliseconds since the Unix epoch. */
  readonly changedAt: number;
}

/** Some of the waiting keys, in pages. */
interface Queue<Key extends Waiting> {
  read(io: Syncing, last: Key | null): Promise<Key[]>;
  /** Takes keys off the queue, unless they have changed again. */
  remove(db: Database, keys: readonly Key[]): Promise<void>;
}

interface WaitingRow extends Waiting {
  readonly row: KeyRow;
}

/** A page of waiting rows, the latest changes first: `republish` makes every row wait, for hours. */
export function selectPage(db: Database, which: SQL | undefined, last: KeyRow | null) {
  const after =
    last === null
      ? undefined
      : or(
          lt(apiKeys.updatedAt, last.updatedAt),
          and(sql`${apiKeys.updatedAt} = ${last.updatedAt}`, lt(apiKeys.id, last.id)),
        );
  return selectKeys(db)
    .where(and(isUnsynced, which, after))
    .orderBy(desc(apiKeys.updatedAt), desc(apiKeys.id))
    .limit(PAGE);
}

function changedKeys(which: SQL | undefined): Queue<WaitingRow> {
  return {
    async read({ db, now }, last) {
      const asOf = now();
      const rows = await selectPage(db, which, last?.row ?? null);
      return rows.map((row) => ({ row, hash: row.hash, state: stateOf(row, asOf), changedAt: row.updatedAt }));
    },
    async remove(db, keys) {
      const written = keys.map(({ row: { id, version } }) => ({ id, version }));
      // Set to the time of the change, not the current time: a fast clock would hide the next change.
      await db.run(sql`
        update ${apiKeys} set synced_at = updated_at
        from (
          select value ->> 'id' as id, value ->> 'version' as version from json_each(${JSON.stringify(written)})
        ) as written
        where ${apiKeys.id} = written.id and ${apiKeys.version} = written.version`);
    },
  };
}

const isInUse = sql`${erasedKeys.hash} in (select hash from ${apiKeys} where revoked_at is null)`;

const deletedKeys: Queue<Waiting> = {
  async read({ db }, last) {
    // A database restored again may have one of them: a tombstone would end it for good.
    if (last === null) await db.delete(erasedKeys).where(isInUse);
    const after = last === null ? undefined : gt(erasedKeys.hash, last.hash);
    const rows = await db.select().from(erasedKeys).where(after).orderBy(asc(erasedKeys.hash)).limit(PAGE);
    return rows.map(({ hash, at }) => ({ hash, state: "revoked", changedAt: at }));
  },
  async remove(db, keys) {
    const hashes = JSON.stringify(keys.map(({ hash }) => hash));
    await db.delete(erasedKeys).where(sql`${erasedKeys.hash} in (select value from json_each(${hashes}))`);
  },
};

// Uses the index of suspended accounts, which are few, while waiting keys may be many.
const isSuspended = sql`${apiKeys.userId} in (select id from users where suspended_at is not null)`;

export const REVOKED = isNotNull(apiKeys.revokedAt);
export const SUSPENDED = and(isNull(apiKeys.revokedAt), isSuspended);
export const OTHERS = and(isNull(apiKeys.revokedAt), isNull(users.suspendedAt));

/**
 * Writes to KV every key that changed since a write that certainly came last, because it began a minute or more after
 * the change. Removing access comes first. A full page that KV rejects ends the run. Running twice, or skipping runs,
 * does no harm.
 * @throws whatever D1 throws
 */
export async function syncOutbox(io: Syncing): Promise<Synced> {
  const endsAt = io.now() + RUN_MS;
  let [calls, written, failed] = [0, 0, 0];

  /** Returns whether the run may continue. */
  async function drain<Key extends Waiting>({ read, remove }: Queue<Key>): Promise<boolean> {
    for (let last: Key | null = null; ;) {
      if (calls >= MAX_KV_CALLS || io.now() >= endsAt) return false;
      const page: Key[] = await read(io, last);
      const accepted: Key[] = [];
      const final: Key[] = [];
      await fiveAtATime(page, async (key) => {
        const beganAt = io.now();
        calls += key.state === "revoked" ? 2 : 1;
        if (!(await writeKey(io, key.hash, key.state))) return;
        accepted.push(key);
        if (beganAt - key.changedAt >= PENDING_MS) final.push(key);
      });
      written += accepted.length;
      failed += page.length - accepted.length;
      if (final.length > 0) await remove(io.db, final);
      if (page.length < PAGE) return true;
      if (accepted.length === 0) return false;
      last = page.at(-1)!;
    }
  }

  const finished =
    (await drain(changedKeys(REVOKED))) &&
    (await drain(deletedKeys)) &&
    (await drain(changedKeys(SUSPENDED))) &&
    (await drain(changedKeys(OTHERS)));
  return { written, failed, more: !finished };
}

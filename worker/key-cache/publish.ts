import { eq } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { apiKeys } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { failureText, logLine } from "../platform/log.ts";
import { sleep } from "../platform/time-limit.ts";
import type { Sleep } from "../platform/time-limit.ts";
import { writeEdge } from "./edge.ts";
import type { EdgeKv } from "./edge.ts";
import { currentKeysOf, selectKeys, stateOf } from "./find-keys.ts";
import type { KeyRow } from "./find-keys.ts";
import type { KeyRecord } from "./record.ts";

/** Cloudflare runs six KV calls of an invocation at the same time. */
const AT_A_TIME = 5;
/** KV accepts one write per second and name, in no particular order. In milliseconds. */
const APART_MS = 5_000;

export interface Publishing {
  readonly edge: EdgeKv;
  readonly db: Database;
  /** The current time, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** The cache in which the change must take effect immediately. */
  readonly keyCache?: { remember(hash: string, state: KeyRecord | "revoked"): void };
  readonly sleep?: Sleep;
}

/** Works on five items at a time, so that the time limit of a KV write covers only that write. */
export async function fiveAtATime<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  async function run(): Promise<void> {
    for (const item of waiting) await work(item);
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, run));
}

/** Writes a key to KV, and returns whether KV accepted it. Logs a failure. */
export async function writeKey(
  { edge, sleep: wait = sleep }: Pick<Publishing, "edge" | "sleep">,
  hash: string,
  state: KeyRecord | "revoked",
): Promise<boolean> {
  try {
    await writeEdge(edge, hash, state, wait);
    return true;
  } catch (error) {
    logLine("warn", "key_not_published", { message: failureText(error) });
    return false;
  }
}

/** Whether a row's change soon follows another, whose write may be pending. A tombstone has its own name. */
function isLeftToOutbox({ revokedAt, updatedAt, previousAt }: KeyRow): boolean {
  return revokedAt === null && previousAt !== null && updatedAt - previousAt < APART_MS;
}

/**
 * Publishes keys after a change: rereads them, remembers them in this isolate, and writes them to KV. Changes within
 * five seconds of another are left to `syncOutbox`, which writes every change again. Never rejects, since the change
 * itself has been made: failures are logged.
 * @param which a key, or all keys of an account
 */
export async function publishKeys(
  io: Publishing,
  which: { readonly userId: string } | { readonly keyId: string },
): Promise<void> {
  const chosen: SQL | undefined = "userId" in which ? currentKeysOf(which.userId) : eq(apiKeys.id, which.keyId);
  try {
    const rows = await selectKeys(io.db).where(chosen);
    for (const row of rows) io.keyCache?.remember(row.hash, stateOf(row, io.now));
    await fiveAtATime(rows, async (row) => {
      if (!isLeftToOutbox(row)) await writeKey(io, row.hash, stateOf(row, io.now));
    });
  } catch (error) {
    logLine("warn", "keys_not_published", { message: failureText(error) });
  }
}

/**
 * Publishes revoked or erased keys. This isolate rejects them before the first `await`, so the call can go to
 * `waitUntil`. Never rejects; what KV doesn't accept is left to `syncOutbox`.
 */
export async function publishTombstones(
  io: Omit<Publishing, "db" | "now">,
  keys: readonly Pick<KeyRow, "hash">[],
): Promise<void> {
  for (const { hash } of keys) io.keyCache?.remember(hash, "revoked");
  await fiveAtATime(keys, async ({ hash }) => void (await writeKey(io, hash, "revoked")));
}

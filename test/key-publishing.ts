import { and, eq } from "drizzle-orm";
import { apiKeys } from "../schema.ts";
import { recordName } from "../worker/key-cache/edge.ts";
import type { EdgeKv } from "../worker/key-cache/edge.ts";
import { isUnsynced } from "../worker/key-cache/find-keys.ts";
import { syncOutbox } from "../worker/key-cache/outbox.ts";
import type { Synced, Syncing } from "../worker/key-cache/outbox.ts";
import type { Publishing } from "../worker/key-cache/publish.ts";
import { decodeRecord } from "../worker/key-cache/record.ts";
import type { KeyRecord } from "../worker/key-cache/record.ts";
import { insertApiKey } from "../worker/keys/api-keys.ts";
import { hashKey } from "../worker/keys/key-format.ts";
import { createAccount } from "./factories.ts";
import type { AccountOptions } from "./factories.ts";
import type { RunningWorker } from "./worker.ts";

export interface MadeKey {
  readonly id: string;
  readonly hash: string;
  readonly userId: string;
}

/** Keys of separate accounts in the worker's database, their state in its KV, and ways to make KV fail. */
export function keyPublishing(worker: Pick<RunningWorker, "env" | "db">) {
  /** Time limits never end. */
  const sleep = () => new Promise<never>(() => {});

  function publishing(changes: Partial<Publishing> = {}): Publishing {
    return { edge: worker.env.EDGE, db: worker.db, now: Date.now(), sleep, ...changes };
  }

  /** A run of the scheduled job, by default a minute from now: no earlier write is pending then. */
  function runOutbox(changes: Partial<Syncing> = {}): Promise<Synced> {
    return syncOutbox({ edge: worker.env.EDGE, db: worker.db, now: () => Date.now() + 61_000, sleep, ...changes });
  }

  /** The worker's KV, whose writes fail a number of times for the given names. */
  function failingKv(times: number, names: (name: string) => boolean = () => true): EdgeKv & { failed: number } {
    const { EDGE } = worker.env;
    const kv = {
      failed: 0,
      get: (name: string, options: { cacheTtl: number }) => EDGE.get(name, options),
      delete: (name: string) => EDGE.delete(name),
      async put(name: string, value: string) {
        if (kv.failed < times && names(name)) {
          kv.failed += 1;
          throw new Error("KV PUT failed: 429 Too Many Requests");
        }
        await EDGE.put(name, value);
      },
    };
    return kv;
  }

  async function makeKey(options: AccountOptions & { userId?: string; mode?: "live" | "test" } = {}): Promise<MadeKey> {
    const userId = options.userId ?? (await createAccount(worker.db, options));
    const mode = options.mode ?? "live";
    const { apiKey, id } = await insertApiKey({ db: worker.db, now: Date.now(), userId, mode, name: "test" });
    return { id, hash: hashKey(apiKey), userId };
  }

  async function rowOf({ id }: MadeKey) {
    return (await worker.db.select().from(apiKeys).where(eq(apiKeys.id, id)).get())!;
  }

  async function isSynced(key: MadeKey): Promise<boolean> {
    const unsynced = await worker.db
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(and(eq(apiKeys.id, key.id), isUnsynced));
    return unsynced.length === 0;
  }

  async function copyOf({ hash }: MadeKey): Promise<KeyRecord | null> {
    return decodeRecord(await worker.env.EDGE.get(recordName(hash)));
  }

  /** Revokes like the product: the row first, in one statement. */
  async function revokeRow(key: MadeKey): Promise<void> {
    const { version } = await rowOf(key);
    const now = Date.now() + 1;
    const changes = { revokedAt: now, updatedAt: now, version: version + 1 };
    await worker.db.update(apiKeys).set(changes).where(eq(apiKeys.id, key.id));
  }

  return { publishing, runOutbox, failingKv, makeKey, isSynced, copyOf, revokeRow };
}

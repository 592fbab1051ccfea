/**
 * How long a key that only the database has takes, with few and with many keys in it: `npm run bench --
 * key-store`. Prints a table and writes bench/results/key-store.json. Compare the ratios: machines differ.
 */
import { sql } from "drizzle-orm";
import type { Database } from "../worker/platform/db.ts";
import { insertApiKey } from "../worker/keys/api-keys.ts";
import { createAccount } from "../test/factories.ts";
import { post } from "../test/requests.ts";
import { openWorker } from "../test/worker.ts";
import type { RunningWorker } from "../test/worker.ts";
import { median, writeResult } from "./results.ts";

const SIZES = [10, 10_000, 1_000_000];
/** Calls per size, each with a key the worker has not seen. */
const CALLS = 100;
const INSERTED_AT_ONCE = 50_000;

/** Fills the store up to a number of keys, with realistic rows. */
async function fillUp(db: Database, userId: string, size: number): Promise<void> {
  for (;;) {
    const [{ count } = { count: 0 }] = await db.all<{ count: number }>(sql`select count(*) as count from api_keys`);
    if (count >= size) return;
    const next = Math.min(INSERTED_AT_ONCE, size - count);
    await db.run(sql`
      with recursive rows(i) as (select 1 union all select i + 1 from rows where i < ${next})
      insert into api_keys (id, user_id, mode, name, hash, hint, created_at, updated_at, synced_at)
      select 'key_' || hex(randomblob(10)), ${userId}, 'live', 'filler', lower(hex(randomblob(32))), 'abcd', 1, 1, 1
      from rows`);
  }
}

/** Milliseconds of calls that each use a new key. */
async function timeColdLookUps(worker: RunningWorker): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    const userId = await createAccount(worker.db);
    const input = { db: worker.db, now: Date.now(), userId, mode: "live", name: "bench" } as const;
    const { apiKey } = await insertApiKey(input);
    const started = performance.now();
    const response = await worker.fetch("/api/v1/verify", post(apiKey, { number: "+5511987654321" }));
    await response.text();
    times.push(performance.now() - started);
    const source = response.headers.get("Server-Timing");
    if (response.status !== 200 || !source?.includes('"d1"')) throw new Error(`Not a cold lookup: ${source}`);
  }
  return times;
}

export async function bench(): Promise<void> {
  const worker = await openWorker();
  try {
    const filler = await createAccount(worker.db);
    // Another benchmark covers the cost of the very first calls.
    await timeColdLookUps(worker);
    const rows: { keys: number; median_ms: number; ratio: number }[] = [];
    for (const size of SIZES) {
      await fillUp(worker.db, filler, size);
      const time = median(await timeColdLookUps(worker));
      const base = rows[0]?.median_ms ?? time;
      rows.push({ keys: size, median_ms: Number(time.toFixed(2)), ratio: Number((time / base).toFixed(2)) });
    }
    await writeResult("key-store", rows);
  } finally {
    await worker.close();
  }
}

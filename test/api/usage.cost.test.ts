import type { D1Database, D1PreparedStatement } from "@cloudflare/workers-types";
import { expect, test } from "vitest";
import { openDatabase } from "../../worker/platform/db.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import type { UsageEvent } from "../../worker/usage/event.ts";
import { EVENT_RETENTION_DAYS, purgeUsageEvents } from "../../worker/usage/purge.ts";
import { newBatchId, storeUsage } from "../../worker/usage/store.ts";
import { createSignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";

// "What it costs" in docs/runbook.md rests on these figures, which are what D1 bills.
const ROWS_AN_EVENT = 4;

const worker = startWorker();

test("a verification writes four rows of its event, two at most for its count, and one for its key's last use", async () => {
  const { db } = worker;
  const now = Date.now();
  const { id: user_id } = await createSignedIn(db);
  const { id: key_id } = await insertApiKey({ db, now, userId: user_id, mode: "live", name: "Cost" });

  function events(count: number): UsageEvent[] {
    return Array.from({ length: count }, () => ({
      id: `evt_${crypto.randomUUID()}`,
      user_id,
      key_id,
      mode: "live",
      at: Date.now(),
      country_code: "BR",
      outcome: "success",
    }));
  }

  /** The rows that each statement of one delivery wrote. */
  async function written(count: number): Promise<number[]> {
    let rows: number[] = [];
    const d1 = worker.env.DB;
    const counting = {
      prepare: (query: string) => d1.prepare(query),
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await d1.batch(statements);
        rows = results.map(({ meta }) => meta.rows_written);
        return results;
      },
    };
    const database = openDatabase(counting as unknown as D1Database);
    await storeUsage(database, events(count), { now: Date.now(), batchId: newBatchId() });
    return rows;
  }

  expect(await written(1)).toStrictEqual([ROWS_AN_EVENT, 2, 1]);
  expect(await written(1)).toStrictEqual([ROWS_AN_EVENT, 1, 1]);
  expect(await written(100)).toStrictEqual([100 * ROWS_AN_EVENT, 1, 1]);
  expect(await purgeUsageEvents(db, now + (EVENT_RETENTION_DAYS + 1) * DAY_MS)).toBe(102);
});

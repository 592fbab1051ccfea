import type { Database } from "../platform/db.ts";
import { DAY_MS } from "../platform/time.ts";

/**
 * How many days an event's row is kept. A queue holds a message for 14 days at most; one that came again after its row was gone would
 * be counted twice.
 */
export const EVENT_RETENTION_DAYS = 15;

const CHUNK = 5_000;
/**
 * Bounds one run: D1 takes a thousand queries of an invocation. What is left waits for the next, an hour later. That makes 24 million
 * rows a day; D1 has room for 1.3 million a day.
 */
const MAX_CHUNKS = 200;
export const MOST_PURGED = CHUNK * MAX_CHUNKS;

const PURGE = `
  DELETE FROM usage_events
  WHERE id IN (SELECT id FROM usage_events WHERE received_at < ?1 ORDER BY received_at LIMIT ?2)`;

/**
 * Deletes the rows of `usage_events` that no repeated delivery can need any more, in chunks that leave other queries room. The counts
 * in `usage_daily` stay.
 * @param now milliseconds since the Unix epoch
 * @returns how many rows were deleted
 */
export async function purgeUsageEvents(db: Database, now: number, chunk = CHUNK): Promise<number> {
  const before = now - EVENT_RETENTION_DAYS * DAY_MS;
  let deleted = 0;
  for (let round = 0; round < MAX_CHUNKS; round++) {
    const { meta } = await db.$client.prepare(PURGE).bind(before, chunk).run();
    deleted += meta.changes;
    if (meta.changes < chunk) break;
  }
  return deleted;
}

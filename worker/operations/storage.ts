import type { Database } from "../platform/db.ts";
import { DAY_MS } from "../platform/time.ts";
import { EVENT_RETENTION_DAYS } from "../usage/purge.ts";

/** What D1 has room for in one database, in bytes, on Workers Paid. */
export const DATABASE_BYTES = 10e9;

/** From this share on there is time left to do something about it. */
const NEARLY_FULL = 0.8;

/** How full the database is, and whether the clean-up keeps pace. */
export interface StorageHealth {
  readonly size_bytes: number;
  readonly limit_bytes: number;
  readonly nearly_full: boolean;
  /** ISO 8601, in UTC; null where there is none. */
  readonly oldest_usage_event_at: string | null;
  /** Whether events are left a day after they should have been deleted. */
  readonly purge_behind: boolean;
}

/**
 * One row of an index; the size comes with any answer of D1.
 * @param now milliseconds since the Unix epoch
 * @throws whatever D1 throws
 */
export async function readStorage(db: Database, now: number): Promise<StorageHealth> {
  const query = db.$client.prepare("SELECT min(received_at) AS oldest FROM usage_events");
  const { results, meta } = await query.all<{ oldest: number | null }>();
  const oldest = results[0]?.oldest ?? null;
  return {
    size_bytes: meta.size_after,
    limit_bytes: DATABASE_BYTES,
    nearly_full: meta.size_after >= NEARLY_FULL * DATABASE_BYTES,
    oldest_usage_event_at: oldest === null ? null : new Date(oldest).toISOString(),
    purge_behind: oldest !== null && oldest < now - (EVENT_RETENTION_DAYS + 1) * DAY_MS,
  };
}

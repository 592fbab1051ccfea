import type { Database } from "../platform/db.ts";

/** What D1 has room for in one database, in bytes, on Workers Paid. */
const DATABASE_BYTES = 10e9;

/** From this share on there is time left to do something about it. */
const NEARLY_FULL = 0.8;

/** How full the database is. */
export interface StorageHealth {
  readonly size_bytes: number;
  readonly limit_bytes: number;
  readonly nearly_full: boolean;
}

/** The size comes with any response of D1. @throws whatever D1 throws */
export async function readStorage(db: Database): Promise<StorageHealth> {
  const { meta } = await db.$client.prepare("SELECT 1").all();
  return {
    size_bytes: meta.size_after,
    limit_bytes: DATABASE_BYTES,
    nearly_full: meta.size_after >= NEARLY_FULL * DATABASE_BYTES,
  };
}

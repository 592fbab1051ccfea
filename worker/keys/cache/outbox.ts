import { and, asc, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { apiKeys, users } from "../../../schema.ts";
import { isUnsynced, keyRow, selectKeys } from "./find-keys.ts";
import { writeAll } from "./publish.ts";
import type { Publishing } from "./publish.ts";

/** Rows that are read and written together. */
const PAGE = 50;
/** With one write each, 400 of the 1,000 KV calls an invocation may make. */
const MAX_ROWS = 400;

export interface Repairs {
  /** Keys whose outdated copy in KV was updated. */
  readonly repaired: number;
  /** Keys that KV rejected again. */
  readonly failed: number;
  /** Whether there may be more than this run looked at. */
  readonly more: boolean;
}

// Uses the index of suspended accounts, which are few, while waiting keys may be many.
const isSuspended = sql`${apiKeys.userId} in (select id from users where suspended_at is not null)`;

/** Removing access comes before granting it, however long that has waited. */
export const ORDER = [
  isNotNull(apiKeys.revokedAt),
  and(isNull(apiKeys.revokedAt), isSuspended),
  and(isNull(apiKeys.revokedAt), isNull(users.suspendedAt)),
];

/**
 * Writes keys to KV whose last change has not arrived there: revoked ones, then those of suspended accounts, then the
 * rest, longest waiting first. Meant to run every minute; running twice, or skipping runs, does no harm. A row that KV
 * rejects blocks no other, unless a whole page is rejected.
 * @param limit the most rows of this run
 * @throws whatever D1 throws
 */
export async function syncOutbox(io: Publishing, limit = MAX_ROWS): Promise<Repairs> {
  let repaired = 0;
  let failed = 0;
  for (const which of ORDER) {
    let last: Place | null = null;
    while (true) {
      const size = Math.min(PAGE, limit - repaired - failed);
      if (size === 0) return { repaired, failed, more: true };
      const selected: Awaited<ReturnType<typeof selectPage>> = await selectPage(io, which, last, size);
      const rows = selected.map((row) => keyRow(row, io.now));
      const written = await writeAll(io, rows, 1);
      repaired += written.length;
      failed += rows.length - written.length;
      if (rows.length < size) break;
      if (written.length === 0) return { repaired, failed, more: true };
      last = rows.at(-1)!;
    }
  }
  return { repaired, failed, more: false };
}

interface Place {
  readonly updatedAt: number;
  readonly id: string;
}

/** A page of waiting rows, after a position in the order. */
export function selectPage({ db }: Pick<Publishing, "db">, which: SQL | undefined, last: Place | null, size: number) {
  const after =
    last === null
      ? undefined
      : or(
          gt(apiKeys.updatedAt, last.updatedAt),
          and(sql`${apiKeys.updatedAt} = ${last.updatedAt}`, gt(apiKeys.id, last.id)),
        );
  return selectKeys(db)
    .where(and(isUnsynced, which, after))
    .orderBy(asc(apiKeys.updatedAt), asc(apiKeys.id))
    .limit(size);
}

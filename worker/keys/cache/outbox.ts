import { and, asc, gt, or, sql } from "drizzle-orm";
import { apiKeys } from "../../../schema.ts";
import { isUnsynced, keyRow, selectKeys } from "./find-keys.ts";
import { writeAll } from "./publish.ts";
import type { Publishing } from "./publish.ts";

/** Rows that are read and written together. */
const PAGE = 50;
/** With a write each, 400 of the 1,000 calls to KV that an invocation has. */
const MAX_ROWS = 400;

export interface Repairs {
  /** Keys whose copy in KV was behind and no longer is. */
  readonly repaired: number;
  /** Keys that KV refused again. */
  readonly failed: number;
  /** Whether there may be more than this run has looked at. */
  readonly more: boolean;
}

/**
 * Writes the keys to KV whose last change has not arrived there, the longest waiting first. It is meant to run every minute; running
 * twice, or not for a while, does no harm. A row that KV refuses holds up no other, unless it refuses a whole page.
 * @param limit most rows of this run
 * @throws whatever D1 throws
 */
export async function syncOutbox(io: Publishing, limit = MAX_ROWS): Promise<Repairs> {
  let repaired = 0;
  let failed = 0;
  let last: { readonly updatedAt: number; readonly id: string } | null = null;
  while (repaired + failed < limit) {
    const size = Math.min(PAGE, limit - repaired - failed);
    const selected: Awaited<ReturnType<typeof selectPage>> = await selectPage(io, last, size);
    const rows = selected.map((row) => keyRow(row, io.now));
    const written = await writeAll(io, rows, 1);
    repaired += written.length;
    failed += rows.length - written.length;
    last = rows.at(-1) ?? null;
    if (rows.length < size) return { repaired, failed, more: false };
    if (written.length === 0) break;
  }
  return { repaired, failed, more: true };
}

function selectPage(
  { db }: Publishing,
  last: { readonly updatedAt: number; readonly id: string } | null,
  size: number,
) {
  const after =
    last === null
      ? undefined
      : or(
          gt(apiKeys.updatedAt, last.updatedAt),
          and(sql`${apiKeys.updatedAt} = ${last.updatedAt}`, gt(apiKeys.id, last.id)),
        );
  return selectKeys(db).where(and(isUnsynced, after)).orderBy(asc(apiKeys.updatedAt), asc(apiKeys.id)).limit(size);
}

import type { KeyRecord, Sighting } from "./record.ts";

/** How long a record in memory is used without a check, in milliseconds. */
const FRESH_MS = 10_000;
/** Until this age it is still used, and refreshed in the background. */
const USABLE_MS = 30_000;
/** How long an unknown key is rejected without another lookup. */
export const UNKNOWN_MS = 5_000;
/** From this age, a record in KV may be compared with D1 again in the background; at twice this age it always is. */
const RECHECK_MS = 5 * 60_000;
/** No result is based on a D1 read older than this, whatever has failed. */
const BELIEVED_MS = 15 * 60_000;
/** How long to wait after a failed lookup before the next one. */
export const RETRY_MS = 5_000;
/** For this long after that, records are served from memory and refreshed in the background. */
const FAILED_LATELY_MS = 25_000;
/** Older reads are not written to KV: something may have changed since. */
export const FILL_WITHIN_MS = 2_000;
/** Reads further apart than clock skew plus query time are ordered by their times. */
const CLOCK_TOLERANCE_MS = 60_000;

/** How a request treats a record in memory. */
export type Standing = "fresh" | "ageing" | "failing" | "expired";

/**
 * @param entry.checkedAt when KV or D1 last confirmed the record
 * @param entry.retryAt when to retry a failed lookup
 */
export function standingOf(
  record: KeyRecord,
  entry: { readonly checkedAt: number; readonly retryAt: number },
  now: number,
): Standing {
  if (!isBelieved(record, now)) return "expired";
  const age = now - entry.checkedAt;
  if (age < FRESH_MS) return "fresh";
  if (age < USABLE_MS) return "ageing";
  return now < entry.retryAt + FAILED_LATELY_MS ? "failing" : "expired";
}

/** Whether a result may still be based on a record. */
export function isBelieved({ asOf }: { readonly asOf: number }, now: number): boolean {
  return now - asOf <= BELIEVED_MS;
}

/**
 * Whether to compare a record with D1 again. Randomness spreads out isolates with the same record.
 * @param chance in [0, 1)
 */
export function isRecheckDue({ asOf }: KeyRecord, now: number, chance: number): boolean {
  return now - asOf > RECHECK_MS * (1 + chance);
}

/**
 * The sighting of a key that wins. A tombstone always does. Of two records, the higher version wins, or the later read
 * of the same version, unless one read is so much later that a lower version can only mean a restored database. If a
 * record and an absence have the same time, the key is rejected. Ties return `a`.
 */
export function newest(a: Sighting, b: Sighting): Sighting {
  if (a.revoked === true) return a;
  if (b.revoked === true) return b;
  if (a.revoked === null) return b.asOf > a.asOf ? b : a;
  if (b.revoked === null) return b.asOf >= a.asOf ? b : a;
  const later = b.asOf - a.asOf;
  if (Math.abs(later) > CLOCK_TOLERANCE_MS || a.version === b.version) return later > 0 ? b : a;
  return b.version > a.version ? b : a;
}

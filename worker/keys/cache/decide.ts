import type { KeyRecord, Sighting } from "./record.ts";

/** For so long a record in memory is taken as it is, in milliseconds. */
const FRESH_MS = 10_000;
/** Until then it is still taken, and looked up again behind the result. */
const USABLE_MS = 30_000;
/** For so long a key that does not exist is refused without asking again. */
export const UNKNOWN_MS = 5_000;
/** From this age on a record in KV may be compared with D1 again, behind the result; at twice the age it is. */
export const RECHECK_MS = 5 * 60_000;
/** No result rests on a look at D1 that is older than this, whatever has failed. */
export const BELIEVED_MS = 15 * 60_000;
/** How long after a lookup that failed the next one waits. */
export const RETRY_MS = 5_000;
/** For so long after that, records are answered from memory at once, and looked up again behind the result. */
const FAILED_LATELY_MS = 25_000;
/** What was read longer ago is not written to KV any more: something may have changed since. */
export const FILL_WITHIN_MS = 2_000;
/** Looks that are further apart than the clocks of two machines and the time of a query are distinguished by their times. */
const CLOCK_TOLERANCE_MS = 60_000;

/** What a request does with a record in memory. */
export type Standing = "fresh" | "ageing" | "failing" | "expired";

/**
 * @param entry.checkedAt when KV or D1 was last asked whether the record still holds
 * @param entry.retryAt when a lookup that failed may be tried again
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

/** Whether a result may still rest on a record. */
export function isBelieved({ asOf }: { readonly asOf: number }, now: number): boolean {
  return now - asOf <= BELIEVED_MS;
}

/**
 * Whether a record is compared with D1 again. Chance spreads the isolates that have the same record.
 * @param chance from 0 up to 1
 */
export function isRecheckDue({ asOf }: KeyRecord, now: number, chance: number): boolean {
  return now - asOf > RECHECK_MS * (1 + chance);
}

/**
 * The one of two sightings of the same key that holds. A tombstone always does. Of two records it is the one of the higher version,
 * or the later look at the same version; unless one look was so much later that a lower version can only mean that the database was
 * restored. Where a record and an absence are of the same time, the
 * key is refused. Equal records leave `a`.
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

import { newest, UNKNOWN_MS } from "./decide.ts";
import { createLru } from "../../platform/lru.ts";
import type { KeyRecord, Sighting, Tombstone } from "./record.ts";

/** Keys that exist or existed: about 1 KB each, so 10 MB of an isolate's 128 MB. */
export const MAX_KNOWN = 10_000;
/** Keys that don't exist, about 0.2 KB each. Separate from known ones, so a flood of them evicts none. */
export const MAX_UNKNOWN = 10_000;

/** A record in memory. */
export interface KnownKey {
  record: KeyRecord | Tombstone;
  /** When KV or D1 last confirmed it. Milliseconds since the Unix epoch, as below. */
  checkedAt: number;
  /** When to retry a failed lookup. */
  retryAt: number;
  /** Until then a background lookup is in flight, unless its request was killed. */
  refreshingUntil: number;
}

/** An isolate's memory of keys, by SHA-256. Never replaces what it has seen with something older. */
export function createKeyMemory(limits: { readonly known?: number; readonly unknown?: number } = {}) {
  const known = createLru<KnownKey>(limits.known ?? MAX_KNOWN);
  const unknown = createLru<{ readonly revoked: null; readonly asOf: number }>(limits.unknown ?? MAX_UNKNOWN);

  return {
    known(hash: string): KnownKey | undefined {
      return known.get(hash);
    },

    /** Whether a key was recently found missing. */
    isUnknown(hash: string, now: number): boolean {
      const absence = unknown.get(hash);
      return absence !== undefined && now - absence.asOf < UNKNOWN_MS;
    },

    /**
     * Merges a sighting into the memory of a key.
     * @param checkedAt when KV or D1 was read
     * @returns what wins: the sighting, or something newer
     */
    take(hash: string, sighting: Sighting, checkedAt: number): Sighting {
      const entry = known.get(hash);
      const before = entry?.record ?? unknown.get(hash);
      const holds = before === undefined ? sighting : newest(before, sighting);
      if (holds.revoked === null) {
        known.delete(hash);
        unknown.set(hash, holds);
      } else if (entry === undefined) {
        unknown.delete(hash);
        known.set(hash, { record: holds, checkedAt, retryAt: 0, refreshingUntil: 0 });
      } else {
        entry.record = holds;
        entry.checkedAt = Math.max(entry.checkedAt, checkedAt);
        entry.retryAt = 0;
      }
      return holds;
    },

    get sizes() {
      return { known: known.size, unknown: unknown.size };
    },
  };
}

import { newest, UNKNOWN_MS } from "./decide.ts";
import { createLru } from "../../platform/lru.ts";
import type { KeyRecord, Sighting, Tombstone } from "./record.ts";

/** Keys that exist or existed: about 1 KB each, so 10 MB of the 128 MB that an isolate has. */
export const MAX_KNOWN = 10_000;
/** Keys that do not exist, about 0.2 KB each. They are apart from the known ones, so that a flood of them displaces none. */
export const MAX_UNKNOWN = 10_000;

/** A record in memory. */
export interface KnownKey {
  record: KeyRecord | Tombstone;
  /** When KV or D1 was last asked, and did answer, whether it still holds. Milliseconds since the Unix epoch, as below. */
  checkedAt: number;
  /** When a lookup that failed may be tried again. */
  retryAt: number;
  /** Until then a lookup behind a result is under way, unless its request was killed. */
  refreshingUntil: number;
}

/** What an isolate remembers of keys, by the SHA-256 of each. What it has seen once is never replaced by something older. */
export function createKeyMemory(limits: { readonly known?: number; readonly unknown?: number } = {}) {
  const known = createLru<KnownKey>(limits.known ?? MAX_KNOWN);
  const unknown = createLru<{ readonly revoked: null; readonly asOf: number }>(limits.unknown ?? MAX_UNKNOWN);

  return {
    known(hash: string): KnownKey | undefined {
      return known.get(hash);
    },

    /** Whether a key was found missing a moment ago. */
    isUnknown(hash: string, now: number): boolean {
      const absence = unknown.get(hash);
      return absence !== undefined && now - absence.asOf < UNKNOWN_MS;
    },

    /**
     * Adds a sighting to what is remembered of a key.
     * @param checkedAt when KV or D1 was asked for it
     * @returns what holds now: the sighting, or something newer
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

import { createLru } from "../../platform/lru.ts";
import type { KeyRecord } from "./record.ts";

/** Accounts whose use an isolate remembers: about 2 MB. */
const MAX_ACCOUNTS = 10_000;

/** What is left of an account's quota, as far as this isolate knows. */
export interface QuotaState {
  /** Successful live verifications; null for no limit. */
  readonly limit: number | null;
  readonly used: number;
  /** Null for no limit. */
  readonly remaining: number | null;
}

/** The use of one subscription, which its start tells from an earlier one of the account. */
interface Tally {
  readonly startedAt: number;
  used: number;
  /** When D1 was asked for the newest record that was seen, in milliseconds since the Unix epoch. */
  asOf: number;
  /** When this isolate admitted something last, in milliseconds since the Unix epoch. */
  admittedAt: number;
}

/** By then what was admitted has been counted, unless it never will be: a retry elsewhere of a call that was counted already. */
const COUNTED_AFTER_MS = 60_000;

/**
 * Counts down the quotas of accounts between two records, for all keys of an account together. Both what D1 had counted and what
 * this isolate had admitted before are lower bounds of the use, so the higher of them is one as well: an isolate never refuses before
 * a quota is used up, is exact as long as it is alone, and otherwise admits what the others have admitted and it has not heard of yet.
 * The one exception heals within minutes: a retry that another isolate had answered is admitted again here but counted once, so a newer
 * look at D1 stands by itself once everything admitted here has been counted.
 */
export function createQuotaTally(now: () => number = Date.now, limit = MAX_ACCOUNTS) {
  const tallies = createLru<Tally>(limit);

  function observe({ userId, subscription, quota, asOf }: KeyRecord): Tally | null {
    if (subscription === null || quota === null) return null;
    const tally = tallies.get(userId);
    if (tally === undefined || tally.startedAt < subscription.startedAt) {
      const begun = { startedAt: subscription.startedAt, used: quota.used, asOf, admittedAt: -Infinity };
      tallies.set(userId, begun);
      return begun;
    }
    if (tally.startedAt === subscription.startedAt) {
      const standsAlone = asOf > tally.asOf && asOf > tally.admittedAt + COUNTED_AFTER_MS;
      tally.used = standsAlone ? quota.used : Math.max(tally.used, quota.used);
      tally.asOf = Math.max(tally.asOf, asOf);
    }
    return tally;
  }

  return {
    /** Takes note of what D1 has counted. */
    observe(record: KeyRecord): void {
      observe(record);
    },

    /** Takes note of successful live verifications that this isolate has just admitted. */
    countSuccess(record: KeyRecord, count = 1): void {
      const tally = observe(record);
      if (tally === null || count === 0) return;
      tally.used += count;
      tally.admittedAt = now();
    },

    /** Without a subscription or for a test key there is no quota: null. */
    quotaState(record: KeyRecord): QuotaState | null {
      const tally = observe(record);
      if (tally === null || record.quota === null) return null;
      const most = record.quota.limit;
      return { limit: most, used: tally.used, remaining: most === null ? null : Math.max(0, most - tally.used) };
    },

    /** How many accounts it remembers. */
    get size() {
      return tallies.size;
    },
  };
}

import { createLru } from "../../lru.ts";
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
}

/**
 * Counts down the quotas of accounts between two records, for all keys of an account together. Both what D1 had counted and what
 * this isolate had admitted before are lower bounds of the use, so the higher of them is one as well: an isolate never refuses before
 * a quota is used up, is exact as long as it is alone, and otherwise admits at most what the others had under way.
 */
export function createQuotaTally(limit = MAX_ACCOUNTS) {
  const tallies = createLru<Tally>(limit);

  function observe({ userId, subscription, quota }: KeyRecord): Tally | null {
    if (subscription === null || quota === null) return null;
    const tally = tallies.get(userId);
    if (tally === undefined || tally.startedAt < subscription.startedAt) {
      const begun = { startedAt: subscription.startedAt, used: quota.used };
      tallies.set(userId, begun);
      return begun;
    }
    if (tally.startedAt === subscription.startedAt) tally.used = Math.max(tally.used, quota.used);
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
      if (tally !== null) tally.used += count;
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

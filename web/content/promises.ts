/** What the terms promise beside the limits of contract/limits.ts: the one place, for every page that repeats it. */

/** Monthly uptime that is aimed for. */
export const UPTIME_TARGET = "99.9%";

/** Time within which 95 of 100 verifications are to be answered, in milliseconds. */
export const P95_TARGET_MS = 100;

/** The most that is owed to a user of the free tier, in US dollars. */
export const FREE_TIER_LIABILITY_USD = 50;

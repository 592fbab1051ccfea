/** Verification itself, and the parts that the service depends on. All are checked on a schedule. */
export const COMPONENTS = ["verification", "database", "key_store"] as const;
export type Component = (typeof COMPONENTS)[number];

/** How often each part is checked, in seconds. Must match the cron in wrangler.toml. */
export const CHECK_INTERVAL_SECONDS = 300;

/** How long a measurement of capacity counts, in seconds: two of the hourly ones have been missed. */
export const CAPACITY_SECONDS = 3 * 3_600;

/** How long after a deployment a part that was never measured is warming up, in minutes. */
export const WARMING_UP_MINUTES = 15;

/** How many days of checks are kept and shown. */
export const STATUS_DAYS = 90;

/** Measurements older than this, in seconds, say nothing about the present: two checks have been missed. */
export const CURRENT_SECONDS = 3 * CHECK_INTERVAL_SECONDS;

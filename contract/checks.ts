/** The parts that the service rests on and checks on a schedule. */
export const COMPONENTS = ["database", "key_store", "queue"] as const;
export type Component = (typeof COMPONENTS)[number];

/** How often each part is checked, in seconds. The cron in wrangler.toml says the same. */
export const CHECK_INTERVAL_SECONDS = 300;

/** How many days of checks are kept and shown. */
export const STATUS_DAYS = 90;

/** A measurement older than this says nothing about the present, in seconds: two checks have been missed by then. */
export const CURRENT_SECONDS = 3 * CHECK_INTERVAL_SECONDS;

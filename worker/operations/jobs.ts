/** The scheduled jobs, and the time after its last start at which each is late, in milliseconds. */
export const JOB_LATE_AFTER_MS = {
  kv_sync: 5 * 60_000,
  status_checks: 15 * 60_000,
  notices: 2 * 3_600_000,
  clean_up: 2 * 3_600_000,
} as const;

/** Which job runs when, by the crons in wrangler.toml. */
export const CRONS: Readonly<Record<string, JobName>> = {
  "* * * * *": "kv_sync",
  "*/5 * * * *": "status_checks",
  "7 * * * *": "notices",
  "17 * * * *": "clean_up",
};

export type JobName = keyof typeof JOB_LATE_AFTER_MS;
export const JOB_NAMES = Object.keys(JOB_LATE_AFTER_MS) as readonly JobName[];

/** The browser database of a bulk check, so that a reload does not lose it. */
export const BULK_DATABASE = "bulk-check";
/** How long an unfinished bulk check is kept, in days. */
export const BULK_KEPT_DAYS = 7;

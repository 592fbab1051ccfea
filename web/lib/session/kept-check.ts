/** The database in which the browser keeps a bulk check, so that a reload does not lose it. */
export const BULK_DATABASE = "bulk-check";
/** How long a bulk check is kept there that nobody finishes or deletes, in days. */
export const BULK_KEPT_DAYS = 7;

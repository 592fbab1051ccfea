export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
/** A day in milliseconds: all UTC days have the same length. */
export const DAY_MS = 86_400_000;

/** The UTC day of a time in milliseconds since the Unix epoch, as "YYYY-MM-DD", which sorts as text. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The last `count` UTC days, ascending, ending with the day of `now`. */
export function lastDays(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => utcDay(now - (count - 1 - index) * DAY_MS));
}

/** A time for responses: ISO 8601, UTC, from milliseconds since the Unix epoch. Null stays null. */
export function isoOrNull(time: number | null | undefined): string | null {
  return time == null ? null : new Date(time).toISOString();
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
/** A day in milliseconds: UTC has no shorter and no longer ones. */
export const DAY_MS = 86_400_000;

/** The UTC day of a time in milliseconds since the Unix epoch, as "YYYY-MM-DD", which sorts as text. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** So many UTC days, ascending, the last of them the day of `now`. */
export function lastDays(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => utcDay(now - (count - 1 - index) * DAY_MS));
}

/** A time as responses have it: ISO 8601, UTC, from milliseconds since the Unix epoch. Null for none. */
export function isoOrNull(time: number | null | undefined): string | null {
  return time == null ? null : new Date(time).toISOString();
}

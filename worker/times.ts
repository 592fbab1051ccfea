/** A time as answers have it: ISO 8601, UTC, from milliseconds since the Unix epoch. Null stays null. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

import moment from "moment-timezone";

/** Winter and summer; which is which depends on the hemisphere. */
const DATES = ["2027-01-15T12:00:00Z", "2027-07-15T12:00:00Z"];

/** The distinct offsets of these zones on January 15 and July 15, sorted: "-3:30/-2:30". By tzdb in moment-timezone, never the system's. */
export function offsetsOf(zones: readonly string[]): string[] {
  return [
    ...new Set(zones.map((zone) => DATES.map((date) => offset(moment.tz(date, zone).utcOffset())).join("/"))),
  ].toSorted();
}

function offset(minutes: number): string {
  const rest = Math.abs(minutes) % 60;
  return `${minutes < 0 ? "-" : "+"}${Math.trunc(Math.abs(minutes) / 60)}${rest === 0 ? "" : `:${rest}`}`;
}

import { countryName as nameOf } from "../../contract/country-names.ts";
import { formatCount } from "../../contract/format.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

const MOMENT = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** Together they take a phone 100 ms to make, and most pages need none. */
function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const dates = onFirstUse(() => new Intl.DateTimeFormat("en-US", { year: "numeric", month: "short", day: "numeric" }));
const times = onFirstUse(() => new Intl.DateTimeFormat("en-US", { year: "numeric", ...MOMENT }));
const moments = onFirstUse(() => new Intl.DateTimeFormat("en-US", MOMENT));
const ages = onFirstUse(() => new Intl.RelativeTimeFormat("en-US"));

/** A day in the reader's time zone: "Jan 5, 2026". */
export function formatDate(at: string | number): string {
  return dates().format(new Date(at));
}

/** A time in the reader's time zone: "Nov 21, 2026, 14:50". */
export function formatTime(at: number): string {
  return times().format(at);
}

/** The reader's time zone: "America/New York". */
export function timeZoneName(): string {
  return times().resolvedOptions().timeZone.replaceAll("_", " ");
}

/** A recent time in the reader's time zone: "Nov 21, 14:50". */
export function formatMoment(at: number): string {
  return moments().format(at);
}

const UNITS = [
  ["year", 365 * DAY_MS],
  ["month", 30 * DAY_MS],
  ["week", 7 * DAY_MS],
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const;

/** How long ago something was: "3 hours ago". Under a minute, and ahead of this machine's clock, is "just now". */
export function relativeTime(at: number, now: number): string {
  const past = now - at;
  for (const [unit, length] of UNITS) {
    if (past >= length) return ages().format(-Math.floor(past / length), unit);
  }
  return "just now";
}

/** The English name of a country by its ISO code; "Unknown" for `ZZ`, the code for no known country. Others stay codes. */
export function countryName(code: string): string {
  return code === "ZZ" ? "Unknown" : (nameOf(code) ?? code);
}

/** A latency in whole milliseconds: "12 ms", "under 1 ms". */
export function formatLatency(ms: number): string {
  return ms === 0 ? "under 1 ms" : `${formatCount(ms)} ms`;
}

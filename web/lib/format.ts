import { formatCount } from "./format-count.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A formatter made at its first use: a page's first takes some 10 ms, which few pages need while they load. */
function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** A day in the reader's time zone: "Jan 5, 2026". */
export function formatDate(iso: string): string {
  const [, month, day, year] = new Date(iso).toDateString().split(" ");
  return `${month} ${Number(day)}, ${year}`;
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
    if (past >= length) return `${formatCount(Math.floor(past / length), unit)} ago`;
  }
  return "just now";
}

const TIME = lazy(
  () => new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }),
);

/** A time in the reader's time zone: "Nov 21, 2026, 14:50". */
export function formatTime(at: number): string {
  return TIME().format(at);
}

const MOMENT = lazy(
  () =>
    new Intl.DateTimeFormat("en-US", {
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
      hourCycle: "h23",
    }),
);

/** A recent time in the reader's time zone: "Nov 21, 14:50". */
export function formatMoment(at: number): string {
  return MOMENT().format(at);
}

const NAMES = lazy(() => new Intl.DisplayNames("en", { type: "region", fallback: "code" }));

/** The English name of a country by its ISO code; "Unknown" for `ZZ`, the code for no known country. */
export function countryName(code: string): string {
  if (code === "ZZ") return "Unknown";
  try {
    return NAMES().of(code) ?? code;
  } catch {
    // Anything that is not a region is shown unchanged.
    return code;
  }
}

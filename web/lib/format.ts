export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** "1,234,567"; with a noun "1 number", "1,240 numbers". */
export function formatCount(count: number, noun?: string): string {
  const text = count.toLocaleString("en-US");
  return noun === undefined ? text : `${text} ${noun}${count === 1 ? "" : "s"}`;
}

const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" });

/** A day in the reader's time zone: "Jan 5, 2026". */
export function formatDate(iso: string): string {
  return DATE.format(Date.parse(iso));
}

const UNITS = [
  ["year", 365 * DAY_MS],
  ["month", 30 * DAY_MS],
  ["week", 7 * DAY_MS],
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const;

const WORDS = new Intl.RelativeTimeFormat("en");

/** How long ago something was: "3 hours ago". Under a minute, and ahead of this machine's clock, is "just now". */
export function relativeTime(at: number, now: number): string {
  const past = now - at;
  for (const [unit, length] of UNITS) {
    if (past >= length) return WORDS.format(-Math.floor(past / length), unit);
  }
  return "just now";
}

const TIME = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

/** A time in the reader's time zone: "Nov 21, 2026, 2:50 AM". */
export function formatTime(at: number): string {
  return TIME.format(at);
}

const MOMENT = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });

/** A time that is near, in the reader's time zone: "Nov 21, 2:50 AM". */
export function formatMoment(at: number): string {
  return MOMENT.format(at);
}

const NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** The English name of a country by its ISO code; "Unknown" for `ZZ`, the code for no known country. */
export function countryName(code: string): string {
  if (code === "ZZ") return "Unknown";
  try {
    return NAMES.of(code) ?? code;
  } catch {
    // Anything that is not a region is shown as it is.
    return code;
  }
}

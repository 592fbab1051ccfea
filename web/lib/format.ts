import { formatCount } from "../../contract/format.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A day in the reader's time zone: "Jan 5, 2026". */
export function formatDate(at: string | number): string {
  const [, month, day, year] = new Date(at).toDateString().split(" ");
  return `${month} ${Number(day)}, ${year}`;
}

/** A time in the reader's time zone: "Nov 21, 2026, 14:50". */
export function formatTime(at: number): string {
  return `${formatDate(at)}, ${new Date(at).toTimeString().slice(0, "14:50".length)}`;
}

/** A recent time in the reader's time zone: "Nov 21, 14:50". */
export function formatMoment(at: number): string {
  return formatTime(at).replace(/, \d{4}/, "");
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

/** Made at its first use: it takes milliseconds, which few pages need while they load. */
let names: Intl.DisplayNames | undefined;

/** The English name of a country by its ISO code; "Unknown" for `ZZ`, the code for no known country. */
export function countryName(code: string): string {
  if (code === "ZZ") return "Unknown";
  try {
    names ??= new Intl.DisplayNames("en", { type: "region", fallback: "code" });
    return names.of(code) ?? code;
  } catch {
    // Anything that is not a region is shown unchanged.
    return code;
  }
}

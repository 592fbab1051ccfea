/** "1,234,567"; with a noun "1 number", "1,240 numbers". */
export function formatCount(count: number, noun?: string): string {
  const text = count.toLocaleString("en-US");
  return noun === undefined ? text : `${text} ${noun}${count === 1 ? "" : "s"}`;
}

/** A day as it is written in the United States: 1/5/2026. */
export function usDate(iso: string): string {
  return new Date(iso).toLocaleDateString("en-US");
}

/** A day in words: January 5, 2026. */
export function longDate(iso: string): string {
  return new Date(iso).toLocaleDateString("en-US", { dateStyle: "long" });
}

const UNITS = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["week", 7 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
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

/** The same in full, in the reader's time zone: "November 21, 2026 at 2:50 AM". */
export function absoluteTime(at: number): string {
  return new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" }).format(at);
}

const NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** The English name of a country by its ISO code; "Unknown" for `ZZ`, the code for no known country. */
export function countryName(code: string): string {
  if (code === "ZZ") return "Unknown";
  try {
    return NAMES.of(code) ?? code;
  } catch {
    // Calling codes of no country, such as "001", are names of their own; anything else is shown as it is.
    return code;
  }
}

const REGIONAL_INDICATOR_A = 0x1f1e6;

/** The flag of an ISO 3166-1 alpha-2 code as emoji: the regional indicators of its two letters. */
export function flagOf(code: string): string {
  const letters = [...code].map((letter) => REGIONAL_INDICATOR_A + letter.charCodeAt(0) - "A".charCodeAt(0));
  return String.fromCodePoint(...letters);
}

const SHORT_DAY = { month: "short", day: "numeric", timeZone: "UTC" } as const;
const DAY = { ...SHORT_DAY, year: "numeric" } as const;
const TIME = { ...DAY, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** The day in UTC of a time in ISO 8601 or Unix milliseconds: "Nov 2, 2026". */
export function formatUtcDay(at: string | number): string {
  return new Date(at).toLocaleDateString("en-US", DAY);
}

/** A time in UTC, in ISO 8601 or Unix milliseconds: "Nov 2, 2026, 14:05 UTC". */
export function formatUtcTime(at: string | number): string {
  return `${new Date(at).toLocaleString("en-US", TIME)} UTC`;
}

/** The day in UTC without the year: "Nov 2". */
export function shortDay(iso: string): string {
  return new Date(iso).toLocaleDateString("en-US", SHORT_DAY);
}

/** A whole number: "1,234,567"; with a noun "1 number", "1,240 numbers". */
export function formatCount(count: number, noun?: string): string {
  // Not toLocaleString: loading Intl would take a third of the worker's start.
  const text = String(count).replace(/\B(?=(\d{3})+$)/g, ",");
  return noun === undefined ? text : `${text} ${noun}${count === 1 ? "" : "s"}`;
}

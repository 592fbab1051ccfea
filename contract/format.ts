// Without Intl: its first use adds about 10 ms to a page or an isolate, and each toLocaleString makes a 429 noticeably
// slower.

/** The day in UTC of a time in ISO 8601 or Unix milliseconds: "Nov 2, 2026". */
export function formatUtcDay(at: string | number): string {
  const [, day, month, year] = new Date(at).toUTCString().split(" ");
  return `${month} ${Number(day)}, ${year}`;
}

/** A time in UTC, in ISO 8601 or Unix milliseconds: "Nov 2, 2026, 14:05 UTC". */
export function formatUtcTime(at: string | number): string {
  return `${formatUtcDay(at)}, ${new Date(at).toISOString().slice(11, 16)} UTC`;
}

/** The day in UTC without the year: "Nov 2". */
export function shortDay(iso: string): string {
  return formatUtcDay(iso).replace(/,.*/, "");
}

/** A whole number: "1,234,567"; with a noun "1 number", "1,240 numbers". */
export function formatCount(count: number, noun?: string): string {
  const text = String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return noun === undefined ? text : `${text} ${noun}${count === 1 ? "" : "s"}`;
}

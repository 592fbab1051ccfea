/** The day in UTC of a date or time in ISO 8601: "Nov 2, 2026". Without `Intl`, whose first use takes a page some 10 ms. */
export function formatUtcDay(iso: string): string {
  const [, day, month, year] = new Date(iso).toUTCString().split(" ");
  return `${month} ${Number(day)}, ${year}`;
}

/** The same without the year: "Nov 2". */
export function shortDay(iso: string): string {
  return formatUtcDay(iso).replace(/,.*/, "");
}

/** A day as it is written in the United States: 1/5/2026. */
export function usDate(iso: string): string {
  return new Date(iso).toLocaleDateString("en-US");
}

/** A day in words: January 5, 2026. */
export function longDate(iso: string): string {
  return new Date(iso).toLocaleDateString("en-US", { dateStyle: "long" });
}

/** A whole number: "1,234,567"; with a noun "1 number", "1,240 numbers". */
export function formatCount(count: number, noun?: string): string {
  const text = String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return noun === undefined ? text : `${text} ${noun}${count === 1 ? "" : "s"}`;
}

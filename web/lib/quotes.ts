/** Straight quotes and apostrophes as they are set in print: “so”, it’s. */
export function curly(text: string): string {
  return text
    .replaceAll(/(^|[\s([])"/g, "$1“")
    .replaceAll('"', "”")
    .replaceAll(/([\s([])'/g, "$1‘")
    .replaceAll("'", "’");
}

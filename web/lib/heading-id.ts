/** A heading as part of an address: "What your browser keeps" is `what-your-browser-keeps`. */
export function headingId(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[’'"“”?.,:!]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

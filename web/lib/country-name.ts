const NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** The English name of a country by its ISO code; "Unknown" for `ZZ`, where none could be told. */
export function countryName(code: string): string {
  if (code === "ZZ") return "Unknown";
  try {
    return NAMES.of(code) ?? code;
  } catch {
    // Calling codes of no country, such as "001", are names of their own; anything else is shown as it is.
    return code;
  }
}

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

const REGIONAL_INDICATOR_A = 0x1f1e6;

/** The flag of an ISO 3166-1 alpha-2 code as emoji: the regional indicators of its two letters. */
export function flagOf(code: string): string {
  const letters = [...code].map((letter) => REGIONAL_INDICATOR_A + letter.charCodeAt(0) - "A".charCodeAt(0));
  return String.fromCodePoint(...letters);
}

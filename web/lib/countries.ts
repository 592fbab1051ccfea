import { COUNTRY_NAMES } from "../../contract/country-names.ts";

/** The countries to pick from, sorted by name. */
export const COUNTRIES: readonly { readonly code: string; readonly name: string }[] = Object.entries(COUNTRY_NAMES)
  .map(([code, name]) => ({ code, name }))
  .toSorted((a, b) => a.name.localeCompare(b.name, "en"));

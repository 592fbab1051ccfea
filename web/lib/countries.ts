import { COUNTRY_CODES } from "../../contract/columns/country-codes.ts";
import { countryName } from "./format.ts";

/** The countries of numbers, sorted by English name. */
export function countriesByName(): { readonly code: string; readonly name: string }[] {
  return COUNTRY_CODES.map((code) => ({ code, name: countryName(code) })).toSorted((a, b) =>
    a.name.localeCompare(b.name, "en"),
  );
}

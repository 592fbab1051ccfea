import type { Country } from "../../contract/countries.ts";
import lines from "../phone/data/countries.jsonl";

/** Every country with a numbering plan, by country code: a line of JSON each, written by `npm run data`. */
export function allCountries(): Country[] {
  return JSON.parse(`[${lines.trimEnd().replaceAll("\n", ",")}]`) as Country[];
}

import * as v from "valibot";
import { described, Integer } from "./body.ts";
import { NUMBER_TYPES } from "./result-values.ts";

const CountryNumbers = v.object({
  number_type: described(v.picklist(NUMBER_TYPES), "The type, as in a result."),
  lengths: described(v.array(Integer), "How many digits `national_number` can have, in ascending order."),
  example: described(
    v.object({
      number: described(v.string(), "In E.164 format."),
      local_format: described(v.string(), "As written within the country."),
    }),
    "A number of this type. It may be someone's, so don't call it.",
  ),
});

/** A country with a numbering plan. */
export const Country = v.object({
  country_code: described(v.string(), "ISO 3166-1 alpha-2, or libphonenumber's AC, TA, or XK."),
  country_name: described(v.string(), "The English name."),
  country_prefix: described(v.string(), "The calling code with its plus sign. Several countries can share one."),
  national_prefix: described(
    v.nullable(v.string()),
    "What is dialed before a national number, such as 0; null if nothing is.",
  ),
  international_prefix: described(
    v.nullable(v.string()),
    "What is dialed before a calling code, such as 00; null if it depends on the carrier.",
  ),
  numbers: described(
    v.array(CountryNumbers),
    "The types of numbers that the plan assigns; empty if another country's plan covers them.",
  ),
  known: described(
    v.object({
      carrier: described(v.boolean(), "`carrier`, for some numbers at least."),
      line_type: described(v.boolean(), "`line_type`: the plan tells mobile numbers from landlines."),
      location: described(v.boolean(), "`location`, more precisely than the country."),
      number_portability: described(v.boolean(), "`number_portability`: the country is listed as having it."),
    }),
    "Which fields of a result the data can fill.",
  ),
});
export type Country = v.InferOutput<typeof Country>;

export const CountriesResponse = v.object({
  countries: described(v.array(Country), "Every country with a numbering plan, by `country_code`."),
});
export type CountriesResponse = v.InferOutput<typeof CountriesResponse>;

import { parsePhoneNumber } from "libphonenumber-js/max";
import type { CountryCode } from "libphonenumber-js/max";

/** Every field of a result that this library knows. */
export function resultOf(text: string, country?: string): object {
  const number = parsePhoneNumber(text, country as CountryCode | undefined);
  return {
    valid: number.isValid(),
    number: number.number,
    national_number: number.nationalNumber,
    local_format: number.formatNational(),
    international_format: number.formatInternational(),
    rfc3966: number.getURI(),
    country_prefix: number.countryCallingCode,
    country_code: number.country,
    number_type: number.getType(),
    possible: number.isPossible(),
  };
}

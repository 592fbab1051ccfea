import { COUNTRY_CODES } from "../../contract/country-names.ts";

export interface CoveredCountry {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly name: string;
  /** With its plus sign. */
  readonly callingCode: string;
  /** How many digits an ordinary mobile number has after the calling code. Numbers of machines may have fewer. */
  readonly mobileDigits: number;
  /** Whether the plan keeps ranges for mobile numbers only. Where it does not, only a register may tell a number's line type. */
  readonly mobileRanges: boolean;
  /** Whether mobile numbers are known to move between carriers. */
  readonly portability: boolean;
}

function country(
  code: string,
  name: string,
  callingCode: string,
  mobileDigits: number,
  mobiles: Pick<CoveredCountry, "mobileRanges" | "portability">,
): CoveredCountry {
  return { code, name, callingCode, mobileDigits, ...mobiles };
}

/** The countries that the landing page names. The test beside this file derives every field from the engine. */
export const COVERED_COUNTRIES: readonly CoveredCountry[] = [
  country("AO", "Angola", "+244", 9, { mobileRanges: true, portability: false }),
  country("BR", "Brazil", "+55", 11, { mobileRanges: true, portability: true }),
  country("US", "United States", "+1", 10, { mobileRanges: false, portability: true }),
  country("GB", "United Kingdom", "+44", 10, { mobileRanges: true, portability: true }),
  country("ZA", "South Africa", "+27", 9, { mobileRanges: true, portability: true }),
  country("NG", "Nigeria", "+234", 10, { mobileRanges: true, portability: true }),
  country("CN", "China", "+86", 11, { mobileRanges: true, portability: false }),
  country("IL", "Israel", "+972", 9, { mobileRanges: true, portability: true }),
  country("FR", "France", "+33", 9, { mobileRanges: true, portability: true }),
  country("PT", "Portugal", "+351", 9, { mobileRanges: true, portability: true }),
  country("KE", "Kenya", "+254", 9, { mobileRanges: true, portability: true }),
];

/** Countries and territories whose numbering plans the engine has. */
export const REGION_COUNT = COUNTRY_CODES.length;

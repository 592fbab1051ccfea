export interface CoveredCountry {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly name: string;
  /** With its plus sign. */
  readonly callingCode: string;
  /** How many digits a mobile number has after the calling code. */
  readonly nationalLengths: string;
  /** Whether the plan keeps ranges for mobile numbers only. Where it does not, nobody can tell a number's line type. */
  readonly mobileRanges: boolean;
  /** Whether mobile numbers are known to move between carriers. */
  readonly portability: boolean;
}

/** The countries that the landing page names. The test beside this file derives every field from the engine. */
export const COVERED_COUNTRIES: readonly CoveredCountry[] = [
  {
    code: "AO",
    name: "Angola",
    callingCode: "+244",
    nationalLengths: "9 digits",
    mobileRanges: true,
    portability: false,
  },
  {
    code: "BR",
    name: "Brazil",
    callingCode: "+55",
    nationalLengths: "10–11 digits",
    mobileRanges: true,
    portability: true,
  },
  {
    code: "US",
    name: "United States",
    callingCode: "+1",
    nationalLengths: "10 digits",
    mobileRanges: false,
    portability: true,
  },
  {
    code: "GB",
    name: "United Kingdom",
    callingCode: "+44",
    nationalLengths: "10 digits",
    mobileRanges: true,
    portability: true,
  },
  {
    code: "ZA",
    name: "South Africa",
    callingCode: "+27",
    nationalLengths: "5–9 digits",
    mobileRanges: true,
    portability: true,
  },
  {
    code: "NG",
    name: "Nigeria",
    callingCode: "+234",
    nationalLengths: "10 digits",
    mobileRanges: true,
    portability: true,
  },
  {
    code: "CN",
    name: "China",
    callingCode: "+86",
    nationalLengths: "11 digits",
    mobileRanges: true,
    portability: false,
  },
  {
    code: "IL",
    name: "Israel",
    callingCode: "+972",
    nationalLengths: "9 digits",
    mobileRanges: true,
    portability: true,
  },
  {
    code: "FR",
    name: "France",
    callingCode: "+33",
    nationalLengths: "9 digits",
    mobileRanges: true,
    portability: true,
  },
  {
    code: "PT",
    name: "Portugal",
    callingCode: "+351",
    nationalLengths: "9 digits",
    mobileRanges: true,
    portability: true,
  },
  {
    code: "KE",
    name: "Kenya",
    callingCode: "+254",
    nationalLengths: "9 digits",
    mobileRanges: true,
    portability: true,
  },
];

/** Countries and territories whose numbering plans the engine has. */
export const REGION_COUNT = 245;

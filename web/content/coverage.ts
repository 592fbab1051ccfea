import { COUNTRY_CODES } from "../../contract/country-names.ts";

/** The countries that the landing page names, with their calling codes. */
export const COVERED_COUNTRIES = [
  { code: "AO", callingCode: "+244" },
  { code: "BR", callingCode: "+55" },
  { code: "US", callingCode: "+1" },
  { code: "GB", callingCode: "+44" },
  { code: "ZA", callingCode: "+27" },
  { code: "NG", callingCode: "+234" },
  { code: "CN", callingCode: "+86" },
  { code: "IL", callingCode: "+972" },
  { code: "FR", callingCode: "+33" },
  { code: "PT", callingCode: "+351" },
  { code: "KE", callingCode: "+254" },
] as const;

/** Countries and territories whose numbering plans the engine has. */
export const REGION_COUNT = COUNTRY_CODES.length;

import { NO_COUNTRY_REGION } from "./number.ts";

/** Regions that libphonenumber 9.0.35 marks `mobileNumberPortableRegion` in PhoneNumberMetadata.xml. */
const MOBILE_NUMBER_PORTABLE_REGIONS: ReadonlySet<string> = new Set(
  [
    "AG AI AL AM AR AT AU AZ BA BB BE BG BH BJ BL BM BR BS BY CA CH CL CM CO CY CZ DE DK DM DO EC EE",
    "EG ES FI FR GB GD GE GF GH GI GP GR HK HR HU IE IL IN IR IS IT JM JO JP KE KN KR KW KY KZ LC LT",
    "LU LV MA MD MF MK MQ MS MT MX MY NG NL NO NZ OM PA PE PK PL PR PT PY QA RO RS RU SA SE SG SI SK",
    "SX TC TH TR TT TW US VA VC VG ZA",
  ]
    .join(" ")
    .split(" "),
);

/**
 * Whether mobile numbers can move between carriers in a region, so that the carrier of a number's range may no longer be its carrier.
 * A region that libphonenumber does not list is false: it either has no portability or none that is known.
 *
 * @param region ISO 3166-1 alpha-2; "001" (calling codes of no country) and null give null.
 */
export function numberPortability(region: string | null): boolean | null {
  if (region === null || region === NO_COUNTRY_REGION) return null;
  return MOBILE_NUMBER_PORTABLE_REGIONS.has(region);
}

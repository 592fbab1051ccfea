import portableRegions from "./data/portability.json" with { type: "json" };
import { NO_COUNTRY_REGION } from "./number.ts";

/** Regions that libphonenumber marks `mobileNumberPortableRegion` in PhoneNumberMetadata.xml. */
const MOBILE_NUMBER_PORTABLE_REGIONS: ReadonlySet<string> = new Set(portableRegions);

/**
 * Whether mobile numbers can move between carriers in a region, so that the carrier of a number's range may no longer
 * be its carrier. False for regions that libphonenumber doesn't list: portability doesn't exist or isn't known.
 *
 * @param region ISO 3166-1 alpha-2; "001" (calling codes without a country) and null return null.
 */
export function numberPortability(region: string | null): boolean | null {
  if (region === null || region === NO_COUNTRY_REGION) return null;
  return MOBILE_NUMBER_PORTABLE_REGIONS.has(region);
}

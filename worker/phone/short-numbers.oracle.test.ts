import libphonenumber from "google-libphonenumber";
import { expect, test } from "vitest";
import { DATA_RELEASES } from "../../contract/data.ts";
import { releasesBetween } from "../../scripts/data/packages.ts";
import { googleRelease } from "../../test/google-release.ts";
import { SHORT_CODE_COSTS } from "../../contract/result-values.ts";
import { longOrShort } from "../../test/long.ts";
import { seededRandom } from "../../test/seeded.ts";
import { shortNumber } from "./short-numbers.ts";

/** The typings omit this. */
interface ShortNumberApi {
  getSupportedRegions(): string[];
  isValidShortNumberForRegion(number: libphonenumber.PhoneNumber, region: string): boolean;
  getExpectedCostForRegion(number: libphonenumber.PhoneNumber, region: string): number;
  isEmergencyNumber(digits: string, region: string): boolean;
}

const util = libphonenumber.PhoneNumberUtil.getInstance();
const google = (
  libphonenumber as unknown as { ShortNumberInfo: { getInstance(): ShortNumberApi } }
).ShortNumberInfo.getInstance();

/**
 * Countries with changed short numbers between our release and Google's library's, according to libphonenumber-js's
 * changelog.
 */
function changedCountries(): string[] {
  return releasesBetween(DATA_RELEASES.short_numbers.release, googleRelease.release).flatMap(
    ({ shortNumbers }) => shortNumbers,
  );
}

function toGoogle(digits: string, region: string): libphonenumber.PhoneNumber {
  const number = new libphonenumber.PhoneNumber();
  number.setCountryCode(util.getCountryCodeForRegion(region));
  number.setNationalNumber(Number(digits));
  const leadingZeros = /^0*(?=\d)/.exec(digits)![0].length;
  if (leadingZeros > 0) {
    number.setItalianLeadingZero(true);
    number.setNumberOfLeadingZeros(leadingZeros);
  }
  return number;
}

function googleShortNumber(digits: string, region: string): ReturnType<typeof shortNumber> {
  const number = toGoogle(digits, region);
  const emergency = google.isEmergencyNumber(digits, region);
  if (!emergency && !google.isValidShortNumberForRegion(number, region)) return null;
  // The same names in the same order as ShortNumberInfo.ShortNumberCost.
  const cost = SHORT_CODE_COSTS[google.getExpectedCostForRegion(number, region)]!;
  return { cost, emergency };
}

const ofLength = (length: number) =>
  Array.from({ length: 10 ** length }, (_, number) => String(number).padStart(length, "0"));

test("short numbers, their cost, and emergency status match Google, except for changes between the releases", () => {
  const random = seededRandom(17);
  const changed = new Map<string, string>();
  let asked = 0;
  let found = 0;
  for (const region of google.getSupportedRegions()) {
    const some = Array.from({ length: 200 }, () => String(Math.floor(random() * 10 ** (4 + (asked % 5)))));
    for (const digits of [...ofLength(2), ...ofLength(3), ...longOrShort(ofLength(4), []), ...some]) {
      const [ours, theirs] = [shortNumber(digits, region), googleShortNumber(digits, region)];
      asked++;
      if (ours !== null) found++;
      if (ours?.cost !== theirs?.cost || ours?.emergency !== theirs?.emergency) changed.set(region, digits);
    }
  }
  console.log(`${asked} short numbers asked, ${found} exist; countries that differ:`, Object.fromEntries(changed));
  expect(found).toBeGreaterThan(5_000);
  expect(changedCountries()).toEqual(expect.arrayContaining([...changed.keys()]));
});

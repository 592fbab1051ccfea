import examples from "libphonenumber-js/mobile/examples";
import { expect, test } from "vitest";
import { packagePlans } from "../../scripts/data/packages.ts";
import { countryName } from "../../contract/country-names.ts";
import { numberPortability } from "../../worker/phone/portability.ts";
import { COVERED_COUNTRIES } from "./coverage.ts";

const { plansOfCallingCode } = packagePlans();

test.each(COVERED_COUNTRIES)("$name is as the engine has it", (country) => {
  const plan = plansOfCallingCode(country.callingCode.slice(1)).find(({ region }) => region === country.code)!;
  expect(country).toStrictEqual({
    code: plan.region,
    name: countryName(country.code),
    callingCode: `+${plan.callingCode}`,
    mobileDigits: examples[country.code as keyof typeof examples].length,
    mobileRanges: !plan.mobileIsFixedLine,
    portability: numberPortability(country.code),
  });
});

import { expect, test } from "vitest";
import { packagePlans } from "../../scripts/data/packages.ts";
import { COVERED_COUNTRIES } from "./coverage.ts";

const { plansOfCallingCode } = packagePlans();

test.each(COVERED_COUNTRIES)("$callingCode is $code's calling code", ({ code, callingCode }) => {
  expect(plansOfCallingCode(callingCode.slice(1)).map(({ region }) => region)).toContain(code);
});

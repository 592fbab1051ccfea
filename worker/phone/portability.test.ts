import { describe, expect, test } from "vitest";
import { COUNTRY_NAMES } from "../../contract/country-names.ts";
import { numberPortability } from "./portability.ts";

describe("numberPortability", () => {
  test.each([
    ["AG", true],
    ["BR", true],
    ["GB", true],
    ["TW", true],
    ["US", true],
    ["ZA", true],
    // Regions that share a calling code with portable ones.
    ["GG", false],
    ["AX", false],
    ["PM", false],
    ["CN", false],
    ["AD", false],
    ["ZW", false],
    ["001", null],
    [null, null],
  ])("%s is %s", (region, portable) => {
    expect(numberPortability(region)).toBe(portable);
  });

  test("exists in nearly half of the regions", () => {
    const portable = Object.keys(COUNTRY_NAMES).filter((region) => numberPortability(region) === true);
    expect(portable.length).toBeGreaterThan(100);
    expect(portable.length).toBeLessThan(150);
  });
});

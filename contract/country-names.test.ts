import libphonenumber from "google-libphonenumber";
import { describe, expect, test } from "vitest";
import { plans } from "../test/engine.ts";
import { COUNTRIES, COUNTRY_CODES, COUNTRY_NAMES, countryName } from "./country-names.ts";

describe("countryName", () => {
  test("covers exactly the regions of libphonenumber", () => {
    const supported = libphonenumber.PhoneNumberUtil.getInstance().getSupportedRegions();
    expect(supported.length).toBeGreaterThan(240);
    expect(Object.keys(COUNTRY_NAMES).toSorted()).toEqual(supported.toSorted());
  });

  test("covers exactly the numbering plans of the engine", () => {
    expect(COUNTRY_CODES.filter((code) => !plans.hasCountry(code))).toStrictEqual([]);
  });

  test("has a different name for every region", () => {
    const names = Object.values(COUNTRY_NAMES);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^\p{Lu}.{2,}$/u);
  });

  test("has a different alpha-3 code for every region", () => {
    const codes = Object.values(COUNTRIES).map(([alpha3]) => alpha3);
    expect(new Set(codes).size).toBe(COUNTRY_CODES.length);
    for (const code of codes) expect(code).toMatch(/^[A-Z]{3}$/);
  });

  test.each([
    ["BR", "Brazil"],
    ["US", "United States"],
    ["GB", "United Kingdom"],
    ["CI", "Côte d’Ivoire"],
    ["TR", "Türkiye"],
    ["AC", "Ascension Island"],
    ["TA", "Tristan da Cunha"],
    ["XK", "Kosovo"],
    ["GG", "Guernsey"],
    ["JE", "Jersey"],
    ["IM", "Isle of Man"],
    ["001", null],
    [null, null],
    ["ZZ", null],
    ["constructor", null],
  ])("%s is %s", (region, name) => {
    expect(countryName(region)).toBe(name);
  });
});

import { expect, test } from "vitest";
import { COUNTRY_NAMES } from "../../../../worker/phone/countries.ts";
import { plans } from "../../../../test/engine.ts";
import { COUNTRY_CODES, countriesByName } from "./country-codes.ts";

test("are those with numbering plans in the engine", () => {
  expect(COUNTRY_CODES).toStrictEqual(Object.keys(COUNTRY_NAMES).filter((code) => plans.hasCountry(code)));
});

test("have names, and are in their order", () => {
  const countries = countriesByName();
  expect(countries[0]).toStrictEqual({ code: "AF", name: "Afghanistan" });
  expect(countries.filter(({ code, name }) => code === name)).toStrictEqual([]);
});

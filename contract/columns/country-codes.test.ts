import { expect, test } from "vitest";
import { COUNTRY_NAMES } from "../../worker/phone/countries.ts";
import { plans } from "../../test/engine.ts";
import { COUNTRY_CODES } from "./country-codes.ts";

test("are those with numbering plans in the engine", () => {
  expect(COUNTRY_CODES).toStrictEqual(Object.keys(COUNTRY_NAMES).filter((code) => plans.hasCountry(code)));
});

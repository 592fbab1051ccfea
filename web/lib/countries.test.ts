import { expect, test } from "vitest";
import { countriesByName } from "./countries.ts";

test("have names, and are in their order", () => {
  const countries = countriesByName();
  expect(countries[0]).toStrictEqual({ code: "AF", name: "Afghanistan" });
  expect(countries.filter(({ code, name }) => code === name)).toStrictEqual([]);
});

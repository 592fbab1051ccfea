import { expect, test } from "vitest";
import { countryName } from "./country-name.ts";

test.each([
  ["BR", "Brazil"],
  ["ZZ", "Unknown"],
  ["QX", "QX"],
  ["001", "world"],
  ["?", "?"],
])("%s is %s", (code, name) => {
  expect(countryName(code)).toBe(name);
});

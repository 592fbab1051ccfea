import { describe, expect, test } from "vitest";
import { shortNumber } from "./short-numbers.ts";

describe("a short number", () => {
  test.each([
    ["911", "US", { cost: "toll_free", emergency: true }],
    ["112", "DE", { cost: "toll_free", emergency: true }],
    ["116117", "DE", { cost: "toll_free", emergency: false }],
    ["11833", "DE", { cost: "unknown", emergency: false }],
    ["116123", "GB", { cost: "toll_free", emergency: false }],
    ["24280", "US", { cost: "premium_rate", emergency: false }],
    ["611", "US", { cost: "toll_free", emergency: false }],
  ])("%s in %s", (digits, country, expected) => {
    expect(shortNumber(digits, country)).toEqual(expected);
  });

  test.each([
    ["what another country dials", "911", "DE"],
    ["more digits than it has", "1121", "DE"],
    ["none", "", "DE"],
    ["a whole number", "4930901820", "DE"],
    ["something else than digits", "11a", "DE"],
    ["digits on two lines", "112\n", "DE"],
    ["a country that is none", "112", "ZZ"],
    ["a country of no own numbers", "112", "001"],
    ["a name that objects have", "112", "constructor"],
  ])("is not %s", (_, digits, country) => {
    expect(shortNumber(digits, country)).toBeNull();
  });

  test("with millions of digits is parsed immediately", () => {
    expect(shortNumber("1".repeat(5_000_000), "US")).toBeNull();
  });
});

import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { VerificationResult } from "../../contract/verification.ts";
import { formatE164 } from "./format.ts";
import { examples } from "../../test/google-oracle.ts";
import { verify } from "../../test/engine.ts";

/** libphonenumber's example of every region and number type and of every calling code of no country, as E.164. */
const EXAMPLES = examples().map(formatE164);

describe("the result", () => {
  test("has every field in the form of the contract, for an example of each region and type", () => {
    expect(EXAMPLES.length).toBeGreaterThan(900);
    const schema = v.strictObject(VerificationResult.entries);
    const wrong = EXAMPLES.filter((number) => !v.is(schema, verify(number)));
    expect(wrong).toEqual([]);
    expect(EXAMPLES.filter((number) => !verify(number).valid)).toEqual([]);
  });

  test("is the same for a number however it is written", () => {
    const different = EXAMPLES.filter((number) => {
      const result = verify(number);
      const again = [
        verify(result.international_format!),
        verify(` tel:${number} `),
        verify(number.replace("+", "＋")),
      ];
      return again.some((other) => JSON.stringify(other) !== JSON.stringify(result));
    });
    expect(different).toEqual([]);
  });

  test("keeps an extension apart", () => {
    const result = verify("+44 20 7946 0018 ext. 42");
    expect(result).toMatchObject({ number: "+442079460018", extension: "42", local_format: "020 7946 0018 x42" });
  });
});

describe("a number that is not valid", () => {
  test("has no formats, carrier, location or time zones, and says why", () => {
    expect(verify("+1 200 456 1414")).toStrictEqual({
      valid: false,
      number: "+12004561414",
      local_format: null,
      international_format: null,
      country_prefix: "+1",
      country_code: null,
      country_name: null,
      location: null,
      carrier: null,
      line_type: null,
      number_type: "unknown",
      extension: null,
      possible: true,
      reason: "UNASSIGNED_RANGE",
      time_zones: [],
      carrier_source: "original_allocation",
      number_portability: null,
      deliverability: { sms: "unlikely", voice: "unlikely", flags: [] },
      reachability: "not_checked",
    });
  });

  test.each([
    ["", undefined, "NOT_A_NUMBER"],
    ["hello", "US", "NOT_A_NUMBER"],
    ["2024561414", undefined, "MISSING_COUNTRY_CODE"],
    ["+999 123 4567", undefined, "INVALID_COUNTRY_CODE"],
    ["+1202", undefined, "TOO_SHORT"],
    ["4561414", "US", "LOCAL_ONLY"],
    ["+49 30 123456789012345", undefined, "TOO_LONG"],
    ["+47 2 12 34 56", undefined, "INVALID_LENGTH"],
  ])("%j with %s: %s", (number, country, reason) => {
    expect(verify(number, country)).toMatchObject({ valid: false, reason });
  });
});

test("a number of more than 15 digits has no E.164 form", () => {
  expect(verify("+1 202 456 1414 1414 141")).toMatchObject({ reason: "TOO_LONG", number: null, country_prefix: "+1" });
  expect(verify("+1 202 456 1414 1414")).toMatchObject({ reason: "TOO_LONG", number: "+120245614141414" });
});

describe("the line type", () => {
  test.each([
    ["+447400123456", "mobile", "mobile"],
    ["+442083661177", "fixed_line", "fixed"],
    ["+445612345678", "voip", "voip"],
    ["+12024561414", "fixed_line_or_mobile", null],
    ["+448001234567", "toll_free", null],
    ["+447640123456", "pager", null],
  ])("of %s, %s, is %s", (number, numberType, lineType) => {
    expect(verify(number)).toMatchObject({ valid: true, number_type: numberType, line_type: lineType });
  });
});

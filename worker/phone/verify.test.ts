import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { VerificationResult } from "../../contract/verification.ts";
import { formatE164 } from "./format.ts";
import { examples } from "../../test/google-oracle.ts";
import { verify } from "../../test/engine.ts";

/** libphonenumber's examples for every region and type, and every calling code without a country, in E.164. */
const GOOGLE_EXAMPLES = examples().map(formatE164);
/** Excludes a few that were withdrawn since the release of Google's library. */
const EXAMPLES = GOOGLE_EXAMPLES.filter((number) => verify(number).valid);

describe("the result", () => {
  test("matches the contract for an example of each region and type", () => {
    expect(EXAMPLES.length).toBeGreaterThan(900);
    const schema = v.strictObject(VerificationResult.entries);
    const wrong = EXAMPLES.filter((number) => !v.is(schema, verify(number)));
    expect(wrong).toEqual([]);
    expect(GOOGLE_EXAMPLES.length - EXAMPLES.length).toBeLessThan(10);
  });

  test("is the same for every way to write a number", () => {
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

  // The API reference describes these.
  test.each([
    ["☎ +1 202 555 0123", "+12025550123"],
    ["call +1 202 555 0123", "+12025550123"],
    ["+1 800 FLOWERS", "+18003569377"],
    ["+1 202 555 0123!", "+12025550123"],
    ["No. 5: +1 202 555 0123", "+12025550123"],
    ["+1 202é555 0123", null],
    ["+1 202☎555 0123", null],
    ["+1 202\t555 0123", "+12025550123"],
    ["+1 202_555 0123", null],
  ])("reads %j as %s", (input, number) => {
    const reason = number === null ? "NOT_A_NUMBER" : null;
    expect(verify(input)).toMatchObject({ valid: number !== null, number, reason });
  });

  test("separates an extension", () => {
    const result = verify("+44 20 7946 0018 ext. 42");
    expect(result).toMatchObject({ number: "+442079460018", extension: "42", local_format: "020 7946 0018 x42" });
    expect(result).toMatchObject({ national_number: "2079460018", rfc3966: "tel:+44-20-7946-0018;ext=42" });
  });

  test("keeps a national number's leading zero", () => {
    const result = verify("02 3661 8300", "IT");
    expect(result).toMatchObject({ national_number: "0236618300", rfc3966: "tel:+39-02-3661-8300" });
  });
});

describe("an invalid number", () => {
  test("has no formats, carrier, location, or time zones, and a reason", () => {
    expect(verify("+1 200 456 1414")).toStrictEqual({
      valid: false,
      number: "+12004561414",
      local_format: null,
      international_format: null,
      rfc3966: null,
      country_prefix: "+1",
      national_number: "2004561414",
      country_code: null,
      country_name: null,
      location: null,
      carrier: null,
      line_type: null,
      line_type_source: null,
      number_type: "unknown",
      extension: null,
      possible: true,
      reason: "UNASSIGNED_RANGE",
      suggestion: null,
      candidates: [],
      short_code: null,
      time_zones: [],
      carrier_source: "original_allocation",
      allocation: null,
      number_portability: null,
      deliverability: { sms: "unlikely", voice: "unlikely", flags: [] },
      reachability: "not_checked",
      accepted: null,
      rejected_because: null,
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
    [`+12025550123${" ".repeat(239)}`, undefined, "TOO_LONG"],
    ["+47 2 12 34 56", undefined, "INVALID_LENGTH"],
  ])("%j with %s: %s", (number, country, reason) => {
    expect(verify(number, country)).toMatchObject({ valid: false, reason });
  });
});

describe("a number of more than 15 digits, including the calling code, is too long in any plan", () => {
  test.each(["+49 358112345678987", "+234 7001234567890", "+1 202 456 1414 1414 141", "+49 30 12345678901234"])(
    "%s",
    (number) => {
      expect(verify(number)).toMatchObject({
        valid: false,
        possible: false,
        reason: "TOO_LONG",
        number: null,
        number_type: "unknown",
        local_format: null,
        carrier: null,
        time_zones: [],
      });
    },
  );

  test("15 digits aren't too long", () => {
    expect(verify("+49 3581123456789")).toMatchObject({ valid: true, number: "+493581123456789" });
    expect(verify("+1 202 456 1414 1414")).toMatchObject({ reason: "TOO_LONG", number: "+120245614141414" });
  });
});

test("a Canadian 310 number is valid, and so possible, although it's dialed without an area code", () => {
  expect(verify("+1 310 1234")).toMatchObject({ valid: true, possible: true, country_code: "CA" });
});

describe("words after a number", () => {
  test.each([
    ["+49 30 901820 Fax", undefined, "+4930901820"],
    ["+352 247 82 fax", undefined, "+35224782"],
    ["+43 664 123456 home", undefined, "+43664123456"],
    ["+49 30 901820 (Büro, Fax)", undefined, "+4930901820"],
    ["030 901820 Faxnummer.", "DE", "+4930901820"],
    ["+49 30 901820 – Fax", undefined, "+4930901820"],
    ["+49 30 901820 / Fax", undefined, "+4930901820"],
    ["+49 30 901820, Fax/Tel", undefined, "+4930901820"],
    ["+49 30 901820-Fax", undefined, "+4930901820"],
    ["+49 30 901820Fax", undefined, "+4930901820"],
    ["+49 30 901820\u2013Telefax.", undefined, "+4930901820"],
    ["+49 30 901820fax (Büro)", undefined, "+4930901820"],
    ["030/901820-büro", "DE", "+4930901820"],
    ["+44 20 7946 0018Home", undefined, "+442079460018"],
    ["+1 202 555 0123 call me", undefined, "+12025550123"],
    ["+49 30 901820 ext. 5 home", undefined, "+4930901820"],
  ])("are dropped from %s with %s (%s), with a flag", (input, country, number) => {
    const result = verify(input, country);
    expect(result).toMatchObject({ valid: true, number });
    expect(result.deliverability.flags.at(-1)).toBe("trailing_words");
  });

  test.each([
    ["1-800-FLOWERS", "US", "+18003569377"],
    ["1 800 FLOWERS", "US", "+18003569377"],
    ["0800 REPAIR", "GB", "+44800737247"],
    ["1-800-555-TEL4", "US", "+18005558354"],
    ["1-888-46-PHONE", "US", "+18884674663"],
    ["+49 30 901820-Faxe", undefined, "+49309018203293"],
    ["+44 20 7946 0018 ab", undefined, "+442079460018"],
    ["+44 20 7946 0018.", undefined, "+442079460018"],
    ["+49 30 901820", undefined, "+4930901820"],
  ])("are kept in %s with %s (%s)", (input, country, number) => {
    const result = verify(input, country);
    expect(result).toMatchObject({ valid: true, number });
    expect(result.deliverability.flags).not.toContain("trailing_words");
  });

  test("are kept if the digits alone aren't a number, or if they may be attached vanity letters", () => {
    expect(verify("+1 202 555 call me")).toMatchObject({ number: "+1202555225563" });
    expect(verify("+1 202 555-fax")).toMatchObject({ valid: false, number: "+1202555329" });
    expect(verify("+49 30 901820CALL")).toMatchObject({ number: "+49309018202255" });
  });
});

describe("a short code", () => {
  test.each([
    ["911", "US", "toll_free", true],
    ["112", "DE", "toll_free", true],
    ["9-1-1", "US", "toll_free", true],
    ["tel:112", "FR", "toll_free", true],
    ["116117", "DE", "toll_free", false],
    ["116 117", "DE", "toll_free", false],
    ["*6050", "IL", "unknown", false],
  ])("%s in %s", (input, country, cost, emergency) => {
    expect(verify(input, country)).toMatchObject({
      valid: false,
      possible: false,
      number: null,
      country_prefix: null,
      country_code: country,
      reason: "SHORT_CODE",
      short_code: { cost, emergency },
      suggestion: null,
      deliverability: {
        sms: "unlikely",
        voice: "unlikely",
        flags: emergency ? ["short_code", "emergency"] : ["short_code"],
      },
    });
  });

  test.each([
    // The country is unknown, or it is not written as a short code.
    ["911", undefined, "MISSING_COUNTRY_CODE"],
    ["+1 911", undefined, "TOO_SHORT"],
    ["+1 911", "US", "TOO_SHORT"],
    ["911 ext. 5", "US", "TOO_SHORT"],
    ["*123#", "US", "NOT_A_NUMBER"],
    ["*", "US", "NOT_A_NUMBER"],
    ["", "US", "NOT_A_NUMBER"],
    ["4561414", "US", "LOCAL_ONLY"],
  ])("%j with %s is not one: %s", (input, country, reason) => {
    expect(verify(input, country)).toMatchObject({ reason, short_code: null });
  });
});

describe("the line type", () => {
  test.each([
    ["+447400123456", "mobile", "mobile"],
    ["+442083661177", "fixed_line", "fixed"],
    ["+445612345678", "voip", "voip"],
    // By the kind of its holder.
    ["+12024561414", "fixed_line_or_mobile", "fixed"],
    ["+12025551212", "fixed_line_or_mobile", null],
    ["+448001234567", "toll_free", null],
    ["+447640123456", "pager", null],
  ])("of %s, %s, is %s", (number, numberType, lineType) => {
    expect(verify(number)).toMatchObject({ valid: true, number_type: numberType, line_type: lineType });
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { verify } from "../../test/engine.ts";
import { emptyReport, reportOf } from "./wrong-result.ts";

/** The text of an email that a mailto link opens. */
function bodyOf(link: string): string {
  return new URL(link).searchParams.get("body")!.replaceAll("\r\n", "\n");
}

test("a report names the country, the first digits, and the field", () => {
  expect(bodyOf(reportOf(verify("+5511987654321")))).toBe(
    "Country: BR\nFirst digits: +55 119876\nField: location, carrier, or line_type (keep the wrong one)\n\nIt should be:\n\nPlease leave out the whole number.",
  );
  expect(new URL(reportOf(verify("+5511987654321"))).pathname).toMatch(/^support@/);
});

test.each([
  ["+12025550123", "+1 202555"],
  ["+351912345678", "+351 91234"],
  ["+12025550123;ext=4567", "+1 202555"],
  ["+1 202 055 0123", "+1 202055"],
  ["+5511", "+55"],
  ["+29", ""],
  ["911", ""],
  ["nothing", ""],
])("of %s, it has %j", (number, digits) => {
  expect(bodyOf(reportOf(verify(number)))).toContain(`\nFirst digits: ${digits}\n`);
});

test("never has the last four digits of a number, whatever was sent", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+[1-9]\d{3,14}$/), (number) => {
      const { country_prefix: prefix, national_number: national, ...result } = verify(number);
      const body = bodyOf(reportOf({ ...result, country_prefix: prefix, national_number: national }));
      const shown = body.replaceAll(/\D/g, "");
      const digits = (prefix ?? "").slice(1) + (national ?? "");
      expect(shown.length).toBeLessThanOrEqual(Math.max((prefix ?? "+").length - 1, digits.length - 4));
    }),
  );
});

test("an empty report has the field only", () => {
  expect(bodyOf(emptyReport("carrier"))).toMatch(/^Country: \nFirst digits: \nField: carrier\n/);
});

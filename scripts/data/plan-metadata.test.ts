import { expect, test } from "vitest";
import { formatRules, type FormatRules } from "./layouts.ts";
import { readPlans } from "./plan-metadata.ts";

test("a length that is local-only in another release but complete in this one is complete", () => {
  const metadata = {
    country_calling_codes: { "592": ["GY"] },
    countries: { GY: ["592", "001", "\\d{7}", [7]] as const },
    nonGeographic: { "800": ["800", 0, "\\d{8}", [8]] as const },
  };
  const { plansOfCallingCode } = readPlans(metadata, (callingCode, region) =>
    callingCode === "592" && region === "GY" ? [5, 7] : [],
  );
  expect(plansOfCallingCode("592")).toMatchObject([{ lengths: [7], localOnlyLengths: [5] }]);
  expect(plansOfCallingCode("800")).toMatchObject([{ region: "001", localOnlyLengths: [] }]);
  expect(plansOfCallingCode("999")).toEqual([]);
});

test("national-only formats from Google's library are inserted at their positions", () => {
  const rule = (leadingDigits: string) => ({
    pattern: "(\\d{7})",
    template: "$1",
    leadingDigits,
    nationalPrefixRule: "",
  });
  const library: FormatRules = {
    national: ["1", "2", "3", "4", "5"].map(rule),
    international: ["2", "4"].map(rule),
    extensionPrefix: " ext. ",
  };
  const raw = ["2", "4"].map((digits) => ["(\\d{7})", "$1", [digits]] as const);
  const leading = (of: FormatRules | undefined) => {
    const rules = formatRules({ formats: raw, extensionPrefix: " ext. " }, of);
    return [rules.national, rules.international].map((list) => list.map(({ leadingDigits }) => leadingDigits).join(""));
  };
  expect(leading(library)).toEqual(["12345", "24"]);
  // Without separate international rules, all apply to both; and the library may lack a calling code.
  expect(leading({ ...library, international: library.national })).toEqual(["24", "24"]);
  expect(leading(undefined)).toEqual(["24", "24"]);
});

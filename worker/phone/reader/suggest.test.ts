import { describe, expect, test } from "vitest";
import { examples } from "../../../test/google-oracle.ts";
import { verify } from "../../../test/engine.ts";
import { formatE164 } from "../format.ts";
import { PLAN_CHANGES } from "./plan-changes.ts";

function suggestion(input: string, country?: string) {
  return verify(input, country).suggestion;
}

describe("a number sent without its plus sign", () => {
  test.each([
    ["5511987654321", undefined, "+5511987654321"],
    ["5511987654321", "US", "+5511987654321"],
    ["447911123456", undefined, "+447911123456"],
    ["1 (202) 555-0123", undefined, "+12025550123"],
    ["0044 20 7946 0018", undefined, "+442079460018"],
    ["011 44 20 7946 0018", undefined, "+442079460018"],
    ["+0044 20 7946 0018", undefined, "+442079460018"],
    ["00447911123456", "BR", "+447911123456"],
    // In Argentina, the digits may be a mobile's, but from abroad that is dialed with a 9.
    ["2302633582", undefined, "+2302633582"],
  ])("%s with %s: %s", (input, country, number) => {
    expect(verify(input, country).valid).toBe(false);
    expect(suggestion(input, country)).toEqual({ number, reason: "MISSING_PLUS" });
  });

  test("of which both readings are valid landlines is what the plan reads", () => {
    expect(verify("27 831 1330", "ZA")).toMatchObject({
      valid: true,
      number: "+27278311330",
      suggestion: { number: "+278311330", reason: "MISSING_PLUS" },
    });
  });

  test.each([
    // May also be a mobile of the United States, China, or Brazil.
    ["2025550123", undefined],
    ["15012345678", undefined],
    ["51987654321", undefined],
    ["2025550123", "DE"],
  ])("%s with %s may be many numbers, so none is suggested", (input, country) => {
    expect(suggestion(input, country)).toBeNull();
  });
});

describe("a number with an extra prefix", () => {
  test.each([
    ["+39 0347 1234567", "+393471234567", "TRUNK_PREFIX_KEPT"],
    ["+34 0612 345 678", "+34612345678", "TRUNK_PREFIX_KEPT"],
    ["+351 (0) 912 345 678", "+351912345678", "TRUNK_PREFIX_KEPT"],
    ["+55 55 11 98765 4321", "+5511987654321", "CALLING_CODE_TWICE"],
    ["+91 091 98765 43210", "+919876543210", "CALLING_CODE_TWICE"],
    ["+44 0044 20 7946 0958", "+442079460958", "CALLING_CODE_TWICE"],
    ["+44 (0)0044 (0)20 7946 0958", "+442079460958", "CALLING_CODE_TWICE"],
    ["0044 0044 20 7946 0958", "+442079460958", "CALLING_CODE_TWICE"],
    ["+1 011 1 202 555 0123", "+12025550123", "CALLING_CODE_TWICE"],
    ["+39 0039 06 69812345", "+390669812345", "CALLING_CODE_TWICE"],
    ["+34 0034 612 345 678", "+34612345678", "CALLING_CODE_TWICE"],
    ["+549 11 15 2345 6789", "+5491123456789", "MOBILE_PREFIX"],
  ])("%s: %s, %s", (input, number, reason) => {
    expect(verify(input).valid).toBe(false);
    expect(suggestion(input)).toEqual({ number, reason });
  });
});

test("a calling code after another country's is not a duplicate", () => {
  expect(suggestion("+44 0033 1 42 68 53 00")).toBeNull();
  expect(suggestion("+44 0044 0044")).toBeNull();
});

/** An old number of each country with a changed plan, and its replacement. */
const OLD_NUMBERS: Readonly<Record<string, readonly (readonly [old: string, now: string])[]>> = {
  BJ: [["+229 97 12 34 56", "+2290197123456"]],
  BR: [["+55 11 8765-4321", "+5511987654321"]],
  CI: [
    ["+225 07 12 34 56", "+2250707123456"],
    ["+225 45 12 34 56", "+2250545123456"],
    ["+225 02 12 34 56", "+2250102123456"],
  ],
  CL: [
    ["+56 2 596 5611", "+56225965611"],
    ["+56 41 234 567", "+56412234567"],
  ],
  CM: [["+237 77 12 34 56", "+237677123456"]],
  CO: [["+57 1 770 1048", "+576017701048"]],
  EC: [["+593 9 912 3456", "+593999123456"]],
  EG: [
    ["+20 10 123 4567", "+201001234567"],
    ["+20 12 345 6789", "+201223456789"],
    ["+20 14 123 4567", "+201141234567"],
  ],
  GE: [
    ["+995 77 12 34 56", "+995577123456"],
    ["+995 32 76 12 34", "+995322761234"],
  ],
  GH: [
    ["+233 21 123456", "+233302123456"],
    ["+233 51 12345", "+233322012345"],
  ],
  GN: [["+224 60 12 34 56", "+224660123456"]],
  MU: [["+230 712 3456", "+23057123456"]],
  MX: [
    ["+52 1 55 4525 8448", "+525545258448"],
    ["+52 044 55 4525 8448", "+525545258448"],
  ],
  NG: [["+234 1 227 0000", "+2342012270000"]],
  QA: [["+974 412 3456", "+97444123456"]],
  SA: [["+966 1 412 3456", "+966114123456"]],
  TG: [
    ["+228 221 23 45", "+22822212345"],
    ["+228 512 34 56", "+22899123456"],
  ],
  UY: [["+598 312 4329", "+59843124329"]],
  VN: [
    ["+84 162 123 4567", "+84321234567"],
    ["+84 123 123 4567", "+84831234567"],
    ["+84 4 3825 1234", "+842438251234"],
  ],
  XK: [
    ["+381 38 123 456", "+38338123456"],
    ["+386 49 123 456", "+38349123456"],
  ],
};

describe("numbers from before a numbering plan change", () => {
  test("every change in the table is tested", () => {
    expect(Object.keys(OLD_NUMBERS)).toEqual([...new Set(PLAN_CHANGES.map(({ country }) => country))].toSorted());
  });

  test.each(Object.values(OLD_NUMBERS).flat())("%s is now %s", (old, now) => {
    expect(verify(old).valid).toBe(false);
    expect(verify(now).valid).toBe(true);
    expect(suggestion(old)).toEqual({ number: now, reason: "NUMBERING_PLAN_CHANGED" });
  });

  test("are recognized with a national prefix, but not with a second mistake", () => {
    expect(suggestion("551187654321")).toBeNull();
    expect(suggestion("010 123 4567", "EG")).toEqual({ number: "+201001234567", reason: "NUMBERING_PLAN_CHANGED" });
  });

  test("are not converted when two numbers are possible", () => {
    // Togo Cellulaire's 90 or Moov's 99.
    expect(verify("+228 901 23 45")).toMatchObject({ valid: false, suggestion: null });
  });
});

test("a suggestion is valid and has no suggestion", () => {
  const numbers = examples().map(formatE164);
  const mangled = numbers.flatMap((number) => [
    number.slice(1),
    `00${number.slice(1)}`,
    number.replace(/^(\+\d\d)/, "$10"),
  ]);
  const suggested = mangled.flatMap((input) => suggestion(input) ?? []);
  expect(suggested.length).toBeGreaterThan(1_000);
  for (const { number } of suggested) expect(verify(number)).toMatchObject({ valid: true, number, suggestion: null });
  expect(numbers.filter((number) => suggestion(number) !== null)).toEqual([]);
});

test.each(["", "hello", "+", "0", "00", "+0", "1".repeat(250), "0".repeat(250), "+999 123 4567", "12"])(
  "nothing is suggested for %j",
  (input) => expect(suggestion(input)).toBeNull(),
);

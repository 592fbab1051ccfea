import { describe, expect, test } from "vitest";
import { formatE164 } from "./format.ts";
import { classify, formatInternational, formatNational } from "../../test/google-release.ts";
import {
  type Description,
  examples,
  google,
  googleDescribe,
  googleInternational,
  written,
} from "../../test/google-oracle.ts";
import { MAX_NATIONAL_LENGTH, type PhoneNumber } from "./number.ts";

function describeNumber(number: PhoneNumber): Description {
  return {
    ...classify(number),
    e164: formatE164(number),
    internationalDigits: formatInternational(number).replace(/\D/g, ""),
    national: formatNational(number),
  };
}

/** Every field that differs from Google's: "+1 2025550123: type mobile, Google fixed_line". */
function differences(numbers: readonly PhoneNumber[]): string[] {
  return numbers.flatMap((number) => {
    const ours = describeNumber(number);
    const theirs = googleDescribe(number);
    return (Object.keys(theirs) as (keyof Description)[])
      .filter((field) => ours[field] !== theirs[field])
      .map((field) => `${written(number)}: ${field} ${ours[field]}, Google ${theirs[field]}`);
  });
}

function withNationalNumbers(number: PhoneNumber, nationalNumbers: readonly string[]): PhoneNumber[] {
  return nationalNumbers.map((nationalNumber) => ({ ...number, nationalNumber }));
}

/** Near misses: every other last digit, a different first and second digit, and an extra digit. */
function variations(number: PhoneNumber): PhoneNumber[] {
  const digits = number.nationalNumber;
  const others = Array.from({ length: 9 }, (_, index) => String((Number(digits.at(-1)) + index + 1) % 10));
  return withNationalNumbers(number, [
    ...others.map((digit) => digits.slice(0, -1) + digit),
    ...others.map((digit) => digit + digits.slice(1)),
    ...others.map((digit) => digits[0] + digit + digits.slice(2)),
    `${digits}0`,
    `0${digits}`,
  ]);
}

/** The number truncated or extended to every length, which is how Google makes its invalid examples. */
function lengths(number: PhoneNumber): PhoneNumber[] {
  const stretched = number.nationalNumber.padEnd(MAX_NATIONAL_LENGTH, "7");
  return withNationalNumbers(
    number,
    Array.from({ length: MAX_NATIONAL_LENGTH - 1 }, (_, index) => stretched.slice(0, index + 2)),
  );
}

/** Nine digits at a time, the same pseudo-random digits in every run (the MINSTD generator). */
function* randomDigits(): Generator<string, never> {
  let state = 20_250_101;
  for (;;) {
    state = (state * 48_271) % 2_147_483_647;
    // The last nine: the first of ten digits would never exceed 2.
    yield String(state).padStart(10, "0").slice(-9);
  }
}

describe("agreement with google-libphonenumber", () => {
  const all = examples();
  const callingCodes = [...new Set(google.getSupportedCallingCodes())];

  test("on the example of every region, type, and non-geographic calling code", () => {
    expect(all.length).toBeGreaterThan(1_200);
    expect(new Set(all.map((number) => number.callingCode)).size).toBe(callingCodes.length);
    expect(all.filter((number) => classify(number).valid).length).toBe(all.length);
    expect(differences(all)).toEqual([]);
  });

  test("on the examples with an extension", () => {
    expect(differences(all.map((number) => ({ ...number, extension: "0123" })))).toEqual([]);
  });

  test("on near misses of every example", () => {
    const numbers = all.flatMap(variations);
    expect(numbers.length).toBeGreaterThan(30_000);
    expect(differences(numbers)).toEqual([]);
  });

  test("on every length of an example of every calling code, including local numbers and impossible lengths", () => {
    const numbers = all.flatMap(lengths);
    expect(numbers.length).toBeGreaterThan(15_000);
    const reasons = new Set(numbers.map((number) => classify(number).reason));
    expect([...reasons].toSorted()).toEqual(
      [null, "INVALID_LENGTH", "LOCAL_ONLY", "TOO_LONG", "TOO_SHORT", "UNASSIGNED_RANGE"].toSorted(),
    );
    expect(differences(numbers)).toEqual([]);
  });

  test("on random digits under every calling code", () => {
    const source = randomDigits();
    const numbers = callingCodes.flatMap((callingCode) =>
      Array.from({ length: 300 }, (_, index) => ({
        callingCode: String(callingCode),
        nationalNumber: (source.next().value + source.next().value).slice(0, 4 + (index % 9)),
        extension: null,
      })),
    );
    expect(numbers.length).toBeGreaterThan(60_000);
    expect(differences(numbers)).toEqual([]);
  });
});

describe("classify", () => {
  test.each([
    // libphonenumber-js assigns these to Saint Helena and rejects them.
    ["290", "8999", { valid: true, possible: true, reason: null, region: "TA", type: "fixed_line" }],
    ["290", "22158", { valid: true, possible: true, reason: null, region: "SH", type: "fixed_line" }],
    ["1", "2025550123", { valid: true, possible: true, reason: null, region: "US", type: "fixed_line_or_mobile" }],
    ["44", "2079460018", { valid: true, possible: true, reason: null, region: "GB", type: "fixed_line" }],
    ["55", "11987654321", { valid: true, possible: true, reason: null, region: "BR", type: "mobile" }],
    ["800", "12345678", { valid: true, possible: true, reason: null, region: "001", type: "toll_free" }],
    ["44", "7911123456", { valid: true, possible: true, reason: null, region: "GG", type: "mobile" }],
  ] as const)("+%s %s is valid", (callingCode, nationalNumber, expected) => {
    expect(classify({ callingCode, nationalNumber, extension: null })).toEqual(expected);
  });

  test.each([
    ["1", "0000000000", { possible: true, reason: "UNASSIGNED_RANGE", region: null }],
    ["1", "2", { possible: false, reason: "TOO_SHORT", region: null }],
    ["1", "5550123", { possible: false, reason: "LOCAL_ONLY", region: null }],
    ["1", "20255501234", { possible: false, reason: "TOO_LONG", region: null }],
    ["376", "1234567", { possible: false, reason: "INVALID_LENGTH", region: "AD" }],
    // Its leading digits identify the Isle of Man, however short the number.
    ["44", "7624", { possible: false, reason: "LOCAL_ONLY", region: "IM" }],
    ["999", "12345678", { possible: false, reason: "INVALID_COUNTRY_CODE", region: null }],
    ["", "12345678", { possible: false, reason: "INVALID_COUNTRY_CODE", region: null }],
  ] as const)("+%s %s is not", (callingCode, nationalNumber, expected) => {
    const classification = classify({ callingCode, nationalNumber, extension: null });
    expect(classification).toEqual({ valid: false, type: "unknown", ...expected });
  });
});

describe("the international format", () => {
  test("has Google's groups, separated by single spaces", () => {
    const numbers = examples();
    expect(numbers.length).toBeGreaterThan(1_300);
    const formatted = numbers.map(formatInternational);
    expect(formatted).toEqual(numbers.map((each) => googleInternational(each).replace(/\D+/g, " ").replace(" ", "+")));
    expect(formatted.filter((each) => !/^\+\d+( \d+)+$/.test(each))).toEqual([]);
  });
});

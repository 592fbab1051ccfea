import { expect, test } from "vitest";
import { examples, google } from "../../test/google-oracle.ts";
import { longOrShort } from "../../test/long.ts";
import { randomIntegers } from "../../test/messy-input.ts";
import { verify } from "../../test/engine.ts";
import { formatE164 } from "./format.ts";

/** Google's examples, and near misses of each that are valid too. */
function validNumbers(): string[] {
  const random = randomIntegers(20_260_101);
  const numbers = examples().flatMap((number) => {
    const { nationalNumber } = number;
    const others = Array.from({ length: 400 }, () => {
      const at = random(nationalNumber.length);
      return nationalNumber.slice(0, at) + String(random(10)) + nationalNumber.slice(at + 1);
    });
    return [nationalNumber, ...others].map((digits) => formatE164({ ...number, nationalNumber: digits }));
  });
  return [...new Set(numbers.flatMap((number) => (verify(number).valid ? verify(number).number! : [])))];
}

const NUMBERS = validNumbers();

/** Why a number's own forms may be read as another: by calling code, from the start of the national number. */
const EXCEPTIONS: readonly { readonly numbers: RegExp; readonly reason: string }[] = [];

function isException(number: string): boolean {
  return EXCEPTIONS.some(({ numbers }) => numbers.test(number));
}

test("a valid number is possible, has an E.164 form of at most 15 digits, and no reason", () => {
  expect(NUMBERS.length).toBeGreaterThan(10_000);
  const wrong = NUMBERS.filter((number) => {
    const result = verify(number);
    return !result.possible || !/^\+\d{4,15}$/.test(result.number ?? "") || result.reason !== null;
  });
  expect(wrong).toEqual([]);
});

test("a number verified again by number, international_format or local_format with its country is the same number", () => {
  expect(google.getSupportedRegions().length).toBeGreaterThan(240);
  const different = NUMBERS.flatMap((number) => {
    const { country_code, international_format, local_format } = verify(number);
    const forms = [number, international_format!, ...(country_code === null ? [] : [local_format!])];
    return forms
      .filter((form) => verify(form, country_code ?? undefined).number !== number)
      .map((form) => `${number} (${country_code}): ${form} is ${verify(form, country_code ?? undefined).number}`);
  });
  const unexpected = different.filter((line) => !isException(line));
  expect(unexpected).toEqual([]);
});

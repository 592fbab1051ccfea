import { expect, test } from "vitest";
import { parseNumber } from "../../test/engine.ts";
import { plans, verify } from "../../test/google-release.ts";
import { examples, google, googleDescribe, googleFormats, googleParse, written } from "../../test/google-oracle.ts";
import { longOrShort } from "../../test/long.ts";
import { type MessyInput, messyInput, randomIntegers } from "../../test/messy-input.ts";
import type { PhoneNumber } from "./number.ts";
import { readText } from "./reader/read-text.ts";

const INPUTS = longOrShort(60_000, 15_000);

function generate(): MessyInput[] {
  const random = randomIntegers(20_250_101);
  const numbers = examples();
  const countries = [...google.getSupportedRegions(), "ZZ"];
  return Array.from({ length: INPUTS }, () => messyInput(numbers[random(numbers.length)]!, countries, random));
}

/** The intended parsing differences, and how each shows in Google's result. */
const MEANT = {
  "a missing calling code has a separate reason": (ours: string, theirs: string) =>
    ours === "MISSING_COUNTRY_CODE" && theirs === "INVALID_COUNTRY_CODE",
  "digits of an extension are ASCII": (ours: string, theirs: string) =>
    theirs !== inAscii(theirs) && ours === inAscii(theirs),
  "national numbers above 15 digits are exact": (ours: string, theirs: string) =>
    /^\+\d+ \d{16,17}(?: |$)/.test(ours) && rounded(ours) === inAscii(theirs),
} as const;

const SPACES = "spaces that Google does not know are spaces";

/** Which of the differences listed in worker/phone/README.md explains a discrepancy with Google; undefined for any other. */
function meantDifference({ input, country }: MessyInput, ours: string, theirs: string): string | undefined {
  const kind = Object.entries(MEANT).find(([, isMeant]) => isMeant(ours, theirs))?.[0];
  if (kind !== undefined) return kind;
  const spaced = input.replaceAll(/\p{Zs}/gu, (space) => (/[\u00A0\u3000]/.test(space) ? space : " "));
  if (spaced === input) return undefined;
  const known = googleParse(spaced, country);
  return ours === known || meantDifference({ input: spaced, country }, ours, known) !== undefined ? SPACES : undefined;
}

function inAscii(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.codePointAt(0)! % 16));
}

/** Through floating point, like national numbers in Google's JavaScript. */
function rounded(number: string): string {
  return number.replace(/(?<= )(0*)(\d+)/, (_, zeros: string, digits: string) => zeros + String(Number(digits)));
}

function read(number: ReturnType<typeof parseNumber>): string {
  return number.ok ? written(number.number) : number.reason;
}

/** A result's fields that Google has too, in Google's form. */
function googleResult(number: PhoneNumber) {
  const { valid, possible, reason, region, type, e164 } = googleDescribe(number);
  const { national, rfc3966 } = googleFormats(number);
  return {
    valid,
    possible,
    reason,
    country_code: region === "001" ? null : region,
    number_type: type,
    number: e164.length <= 16 ? e164 : null,
    national_number: e164.length <= 16 ? e164.slice(1 + number.callingCode.length) : null,
    extension: number.extension,
    local_format: valid ? national : null,
    international_format: valid ? googleSpaced(number) : null,
    rfc3966: valid ? rfc3966 : null,
  };
}

/** E.123 separates groups by spaces, where Google has hyphens or dots for some countries. Extension prefixes stay. */
function googleSpaced(number: PhoneNumber): string {
  const plain = googleFormats({ ...number, extension: null }).international;
  const extension = googleFormats(number).international.slice(plain.length);
  return `+${plain.replaceAll(/\D+/g, " ").trim()}${extension}`;
}

test("generated messy input is parsed like Google does, except for intended differences", () => {
  const kinds = new Map<string, number>();
  const differences = generate().flatMap(({ input, country }) => {
    const ours = read(parseNumber(input, country, plans));
    const theirs = googleParse(input, country);
    if (ours === theirs) return [];
    const kind = meantDifference({ input, country }, ours, theirs);
    if (kind === undefined) return [`${JSON.stringify(input)} (${country}): ${ours}, Google ${theirs}`];
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    return [];
  });
  console.log(`${INPUTS} messy inputs; meant differences: ${JSON.stringify(Object.fromEntries(kinds))}`);
  expect(differences).toEqual([]);
  expect([...kinds.keys()].toSorted()).toEqual([...Object.keys(MEANT), SPACES].toSorted());
});

test("what the reading rules leave has Google's validity, region, type, and formats", () => {
  const answers = new Map<string, number>();
  const fired = new Map<string, number>();
  const differences = generate().flatMap(({ input, country }) => {
    const result = verify(input, country);
    const { rules, text, found } = readText(input, country, plans);
    for (const rule of rules) fired.set(rule, (fired.get(rule) ?? 0) + 1);
    const isOne = rules.at(-1) === "plain" || rules.at(-1) === "joined";
    if (!isOne || rules.includes("own calling code") || rules.includes("word's x")) {
      const { reason } = found.classification;
      return result.reason === reason ? [] : [`${JSON.stringify(input)}: ${result.reason}, not ${reason}`];
    }
    // Google's parser does not cover words after a number, or short codes.
    const isOurs = result.reason === "SHORT_CODE" || result.deliverability.flags.includes("trailing_words");
    answers.set("ours", (answers.get("ours") ?? 0) + Number(isOurs));
    if (isOurs) return [];
    const parsed = parseNumber(text, country, plans);
    const answer = `${result.reason ?? "valid"}${result.extension === null ? "" : " with extension"}`;
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
    if (!parsed.ok)
      return result.reason === parsed.reason && result.number === null ? [] : [`${input}: ${result.reason}`];
    const theirs = googleResult(parsed.number);
    return (Object.keys(theirs) as (keyof typeof theirs)[])
      .filter((field) => result[field] !== theirs[field])
      .map((field) => `${JSON.stringify(input)} (${country}): ${field} ${result[field]}, Google ${theirs[field]}`);
  });
  console.log(`${INPUTS} messy inputs; rules: ${JSON.stringify(Object.fromEntries(fired))}`);
  expect(differences).toEqual([]);
  expect(answers.get("valid")).toBeGreaterThan(INPUTS / 60);
  expect(answers.get("valid with extension")).toBeGreaterThan(INPUTS / 60);
  expect(answers.get("ours")).toBeLessThan(INPUTS / 30);
  expect(answers.size).toBeGreaterThan(10);
});

import { expect, test } from "vitest";
import { parseNumber } from "../../test/engine.ts";
import { examples, googleAssignment, googleParse, written } from "../../test/google-oracle.ts";
import { plans, verify } from "../../test/google-release.ts";
import { longOrShort } from "../../test/long.ts";
import { type Random, randomIntegers } from "../../test/messy-input.ts";
import type { PhoneNumber } from "./number.ts";
import { readText } from "./reader/read-text.ts";
import type { RuleName } from "./reader/reading.ts";

const INPUTS = longOrShort(2_000_000, 50_000);

/** The same number with its last digits, up to six, at random. */
function varied({ callingCode, nationalNumber }: PhoneNumber, random: Random): string {
  const kept = nationalNumber.slice(0, -random(7) || undefined);
  const rest = Array.from({ length: nationalNumber.length - kept.length }, () => random(10)).join("");
  return `+${callingCode}${kept}${rest}`;
}

/** A format's digits with other separators: spaces, hyphens, and parentheses. */
function regrouped(format: string, random: Random): string {
  const separator = ["", " ", "-", " - "][random(4)]!;
  const digits = format.replaceAll(/[^\d+]+/g, separator);
  return random(3) === 0 ? digits.replace(/^(\d{2,5})(?=\D|\d{4})/, "($1)") : digits;
}

/** The rules that hold for digits, spaces, hyphens, and parentheses alone, where Google reads one number. */
const NAMED: ReadonlySet<RuleName> = new Set([
  "not a phone number",
  "extension",
  "counter",
  "note",
  "several",
  "own calling code",
]);

// The long form takes minutes.
test(
  "E.164 and grouped national notation are read as Google reads them, except by named rules",
  { timeout: 900_000 },
  () => {
    const random = randomIntegers(20_261_126);
    const numbers = examples();
    let valid = 0;
    const different: string[] = [];
    const exceptions = new Map<RuleName, string[]>();
    for (let index = 0; index < INPUTS; index++) {
      const e164 = varied(numbers[random(numbers.length)]!, random);
      const { local_format: national, international_format: international, country_code: code } = verify(e164);
      const country = code ?? undefined;
      const forms = [e164, international ?? e164, code === null ? e164 : (national ?? e164)];
      const input = regrouped(forms[random(3)]!, random);
      const exception = readText(input, country, plans).rules.find((rule) => NAMED.has(rule));
      if (exception !== undefined)
        exceptions.set(exception, [...(exceptions.get(exception) ?? []), `${input} (${code})`]);
      const parsed = parseNumber(input, country, plans);
      const ours = parsed.ok ? written(parsed.number) : parsed.reason;
      const theirs = googleParse(input, country);
      const isMissing = ours === "MISSING_COUNTRY_CODE" && theirs === "INVALID_COUNTRY_CODE";
      if (ours !== theirs && !isMissing) different.push(`${input} (${code}): ${ours}, Google ${theirs}`);
      const result = verify(input, country);
      const isGoogles =
        !parsed.ok || result.reason === "SHORT_CODE" || googleAssignment(parsed.number).valid === result.valid;
      if (!isGoogles && exception === undefined && result.reason !== "TOO_LONG")
        different.push(`${input} (${code}): valid is ${result.valid}`);
      valid += Number(result.valid);
    }
    console.log([...exceptions].map(([rule, inputs]) => `${rule}: ${inputs.length}, ${inputs.slice(0, 4).join("; ")}`));
    expect(different.slice(0, 20)).toEqual([]);
    expect(valid).toBeGreaterThan(INPUTS / 3);
  },
);

import { expect, test } from "vitest";
import { examples, googleAssignment, googleParse, written } from "../../test/google-oracle.ts";
import { plans, verify } from "../../test/google-release.ts";
import { longOrShort } from "../../test/long.ts";
import { type Random, randomIntegers } from "../../test/messy-input.ts";
import type { PhoneNumber } from "./number.ts";
import { parseNumber } from "./parse.ts";
import { interpret } from "./reading.ts";

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

// The long form takes minutes.
test(
  "no rule applies to E.164 and to grouped national notation, which Google reads the same",
  { timeout: 900_000 },
  () => {
    const random = randomIntegers(20_261_126);
    const numbers = examples();
    let valid = 0;
    const different: string[] = [];
    for (let index = 0; index < INPUTS; index++) {
      const e164 = varied(numbers[random(numbers.length)]!, random);
      const { local_format: national, international_format: international, country_code: code } = verify(e164);
      const country = code ?? undefined;
      const forms = [e164, international ?? e164, code === null ? e164 : (national ?? e164)];
      const input = regrouped(forms[random(3)]!, random);
      if (interpret(input, country, plans).rules.length > 0) different.push(`${input} (${code}): a rule applies`);
      const parsed = parseNumber(input, country, plans);
      const ours = parsed.ok ? written(parsed.number) : parsed.reason;
      const theirs = googleParse(input, country);
      const isMissing = ours === "MISSING_COUNTRY_CODE" && theirs === "INVALID_COUNTRY_CODE";
      if (ours !== theirs && !isMissing) different.push(`${input} (${code}): ${ours}, Google ${theirs}`);
      const result = verify(input, country);
      const isGoogles =
        !parsed.ok || result.reason === "SHORT_CODE" || googleAssignment(parsed.number).valid === result.valid;
      if (!isGoogles && result.reason !== "TOO_LONG") different.push(`${input} (${code}): valid is ${result.valid}`);
      valid += Number(result.valid);
    }
    expect(different.slice(0, 20)).toEqual([]);
    expect(valid).toBeGreaterThan(INPUTS / 3);
  },
);

import { MAX_NUMBER_LENGTH } from "../../contract/limits.ts";
import type { InvalidReason } from "../../contract/result-values.ts";
import { extractNumber, hasLeadingPlus, isViable, splitExtension, stripLeadingPlus, toDigits } from "./normalize.ts";
import { MAX_CALLING_CODE_LENGTH, MAX_NATIONAL_LENGTH, MIN_NATIONAL_LENGTH, type PhoneNumber } from "./number.ts";
import type { DialingPlan, PlanTable } from "./plan-table.ts";

export type ParseResult =
  | { readonly ok: true; readonly number: PhoneNumber }
  | { readonly ok: false; readonly reason: InvalidReason };

/** The digits after a calling code in the input. */
interface International {
  /** The plan of the calling code's main region. */
  readonly plan: DialingPlan;
  readonly rest: string;
}

/**
 * Parses a phone number like libphonenumber's `parse(input, country)` (parseHelper_ in phonenumberutil.js of 9.0.40,
 * Apache-2.0), without checking that it exists. Never throws.
 * @param country the country of numbers without a calling code, as uppercase ISO 3166-1 alpha-2; an unknown one is ignored
 * @returns `reason` is NOT_A_NUMBER, TOO_LONG (over 250 UTF-16 units, or over 17 national digits), TOO_SHORT,
 * INVALID_COUNTRY_CODE, or MISSING_COUNTRY_CODE without a plus sign or a country
 */
export function parseNumber(input: string, country: string | undefined, plans: PlanTable): ParseResult {
  if (input.length > MAX_NUMBER_LENGTH) return rejected("TOO_LONG");
  const read = readDialed(input);
  if (read === null) return rejected("NOT_A_NUMBER");
  const { rest: dialed, extension } = read;

  const home = country === undefined ? undefined : plans.dialingIn(country);
  let international = findCallingCode(dialed, home, plans);
  if (international === "INVALID_COUNTRY_CODE" && hasLeadingPlus(dialed)) {
    // "+011 44 …": a plus sign before a number as dialed at home.
    international = findCallingCode(stripLeadingPlus(dialed), home, plans) ?? international;
  }
  if (typeof international === "string") return rejected(international);

  const plan = international === null ? home : international.plan;
  if (plan === undefined) return rejected("MISSING_COUNTRY_CODE");
  const nationalNumber = toNationalNumber(international === null ? toDigits(dialed) : international.rest, plan);
  if (nationalNumber.length < MIN_NATIONAL_LENGTH) return rejected("TOO_SHORT");
  if (nationalNumber.length > MAX_NATIONAL_LENGTH) return rejected("TOO_LONG");
  return { ok: true, number: { callingCode: plan.callingCode, nationalNumber, extension } };
}

/** At least three digits, and only these separators: there is no extension, second number, or text to look for. */
const PLAIN = /^\(?\d(?:[ ().-]*\d){2,}$/;
const SEPARATORS = /[ ().-]+/g;

/** Splits the input into the number as dialed and its extension; null if it contains no number. */
function readDialed(input: string): ReturnType<typeof splitExtension> | null {
  if (PLAIN.test(input)) return { rest: input.replace(SEPARATORS, ""), extension: null };
  const candidate = extractNumber(input);
  return isViable(candidate) ? splitExtension(candidate) : null;
}

function rejected(reason: InvalidReason): ParseResult {
  return { ok: false, reason };
}

/** Null if the number has no calling code, as dialed within its country. */
function findCallingCode(
  dialed: string,
  home: DialingPlan | undefined,
  plans: PlanTable,
): International | InvalidReason | null {
  const digits = toDigitsAfterInternationalPrefix(dialed, home);
  if (digits === null) return home === undefined ? null : findOwnCallingCode(toDigits(dialed), home, plans);
  if (digits.length <= MIN_NATIONAL_LENGTH) return "TOO_SHORT";
  for (let length = 1; length <= MAX_CALLING_CODE_LENGTH; length++) {
    // No calling code starts with 0.
    const plan = digits.startsWith("0") ? undefined : plans.plan(Number(digits.slice(0, length)));
    if (plan !== undefined) return { plan: plan.dialing(), rest: digits.slice(length) };
  }
  return "INVALID_COUNTRY_CODE";
}

/** Null without a plus sign or the home country's international prefix. */
function toDigitsAfterInternationalPrefix(dialed: string, home: DialingPlan | undefined): string | null {
  if (hasLeadingPlus(dialed)) return toDigits(stripLeadingPlus(dialed));
  const digits = toDigits(dialed);
  const prefix = home?.internationalPrefix?.exec(digits)?.[0];
  // No calling code starts with 0, so a 0 after it means it isn't the prefix.
  return prefix === undefined || digits[prefix.length] === "0" ? null : digits.slice(prefix.length);
}

/** Detects the home country's calling code without a plus sign ("49 30 123456" with DE), if the plan fits better then. */
function findOwnCallingCode(digits: string, home: DialingPlan, plans: PlanTable): International | null {
  const { callingCode, nationalNumber } = home;
  if (!digits.startsWith(callingCode)) return null;
  const rest = stripNationalPrefix(digits.slice(callingCode.length), home);
  const fitsBetter = !nationalNumber.test(digits) && nationalNumber.test(rest);
  return fitsBetter || home.lengthProblem(digits.length) === "TOO_LONG"
    ? { plan: plans.plan(Number(callingCode))!.dialing(), rest }
    : null;
}

/** Drops a national prefix unless too few digits would remain. */
function toNationalNumber(digits: string, plan: DialingPlan): string {
  const stripped = stripNationalPrefix(digits, plan);
  const problem = plan.lengthProblem(stripped.length);
  return problem === null || problem === "TOO_LONG" ? stripped : digits;
}

/**
 * Drops the national prefix and carrier code, or rewrites them ("0 11 15 …" to "9 11 …" in Argentina), unless that would
 * break a number that fits the plan.
 */
function stripNationalPrefix(digits: string, plan: DialingPlan): string {
  const { nationalNumber, nationalPrefix, nationalPrefixTransform } = plan;
  const match = nationalPrefix?.exec(digits);
  if (!match) return digits;
  const stripped =
    nationalPrefixTransform !== null && match.at(-1)
      ? digits.replace(nationalPrefix!, nationalPrefixTransform)
      : digits.slice(match[0].length);
  return nationalNumber.test(digits) && !nationalNumber.test(stripped) ? digits : stripped;
}

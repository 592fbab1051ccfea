import type { InvalidReason } from "../../contract/result-values.ts";
import { MAX_NATIONAL_LENGTH, MIN_NATIONAL_LENGTH, type PhoneNumber } from "./number.ts";
import type { DialingPlan, PlanTable } from "./plan-table.ts";
import type { Dialed } from "./reader/grammar.ts";

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
 * Finds calling code and national number like libphonenumber's `parse(input, country)` (parseHelper_ in
 * phonenumberutil.js of 9.0.40, Apache-2.0), without checking that the number exists. Never throws.
 * @param country the country of numbers without a calling code, as uppercase ISO 3166-1 alpha-2; an unknown one is ignored
 * @returns `reason` is TOO_LONG (over 17 national digits), TOO_SHORT, INVALID_COUNTRY_CODE, or MISSING_COUNTRY_CODE
 * without a plus sign or a country
 */
export function parseDialed(
  { digits, hasPlus, extension }: Dialed,
  country: string | undefined,
  plans: PlanTable,
): ParseResult {
  const home = country === undefined ? undefined : plans.dialingIn(country);
  let international = findCallingCode(digits, hasPlus, home, plans);
  if (international === "INVALID_COUNTRY_CODE" && hasPlus) {
    // "+011 44 …": a plus sign before a number as dialed at home.
    international = findCallingCode(digits, false, home, plans) ?? international;
  }
  if (typeof international === "string") return rejected(international);

  const plan = international === null ? home : international.plan;
  if (plan === undefined) return rejected("MISSING_COUNTRY_CODE");
  const nationalNumber = toNationalNumber(international === null ? digits : international.rest, plan);
  if (nationalNumber.length < MIN_NATIONAL_LENGTH) return rejected("TOO_SHORT");
  if (nationalNumber.length > MAX_NATIONAL_LENGTH) return rejected("TOO_LONG");
  return { ok: true, number: { callingCode: plan.callingCode, nationalNumber, extension } };
}

function rejected(reason: InvalidReason): ParseResult {
  return { ok: false, reason };
}

/** Null if the number has no calling code, as dialed within its country. */
function findCallingCode(
  dialed: string,
  hasPlus: boolean,
  home: DialingPlan | undefined,
  plans: PlanTable,
): International | InvalidReason | null {
  const digits = hasPlus ? dialed : withoutInternationalPrefix(dialed, home);
  if (digits === null) return home === undefined ? null : findOwnCallingCode(dialed, home, plans);
  if (digits.length <= MIN_NATIONAL_LENGTH) return "TOO_SHORT";
  const plan = plans.planOf(digits);
  return plan === undefined
    ? "INVALID_COUNTRY_CODE"
    : { plan: plan.dialing(), rest: digits.slice(plan.callingCode.length) };
}

/** Null without the home country's international prefix. */
function withoutInternationalPrefix(digits: string, home: DialingPlan | undefined): string | null {
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

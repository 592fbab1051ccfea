import { ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import type { InvalidReason, RejectionReason, SuggestionReason } from "../../contract/result-values.ts";

/** Errors of test keys for real lookups too, not just for sandbox numbers. */
type LookupFailure = "REJECTED_FORMAT" | "REJECTED_PREFIX_MISSING";

const REASONS: Readonly<Record<InvalidReason | RejectionReason | SuggestionReason | LookupFailure, string>> = {
  NOT_A_NUMBER: "The input doesn't look like a phone number. Ask for a phone number.",
  MULTIPLE_NUMBERS:
    "The input has more than one number. `candidates` lists the valid ones. Ask which one to use, or send each on its own.",
  MASKED: "Some digits are hidden behind X, *, or dots. Ask for the whole number.",
  LETTERS: "There are letters among the digits, such as an O in place of a zero. Ask the user to check the digits.",
  DIGITS_LOST:
    "A spreadsheet stored the number in scientific notation and dropped digits. Get it from the source again, in a column formatted as text.",
  MISSING_COUNTRY_CODE:
    "The number has no plus sign and the request has no country. Send the country, or the number with + and calling code.",
  INVALID_COUNTRY_CODE: "The digits after the plus sign don't start with a calling code. Check what follows the +.",
  TOO_SHORT: "The number is too short for its country. Ask for the missing digits.",
  TOO_LONG: "The number is too long for its country. Ask for one number, with nothing around it.",
  INVALID_LENGTH: "No number in its country has this length. Ask the user to check the digits.",
  LOCAL_ONLY: "The number can only be dialed within its area. Ask for the area code.",
  UNASSIGNED_RANGE:
    "The length is right, but the country's numbering plan hasn't assigned the range. Ask the user to check the digits.",
  SHORT_CODE: "A short code, such as 112, that only works within its country. Ask for a phone number.",
  INVALID_NUMBER: "The number isn't accepted because it's invalid. See its reason.",
  OTHER_COUNTRY: "The number is valid, but doesn't belong to expect_country.",
  OTHER_TYPE: "The number is valid, but isn't one of accept_types.",
  NOT_ALLOCATED:
    "The number is valid, but the regulator lists its range as unassigned, so nobody can have it. Ask the user to check the digits.",
  MISSING_PLUS:
    "The suggestion reads the digits as an international number without its plus sign. Ask before you use it.",
  CALLING_CODE_TWICE: "The suggestion removes a repeated calling code. Ask before you use it.",
  TRUNK_PREFIX_KEPT: "The suggestion removes a zero that's only dialed within the country. Ask before you use it.",
  NUMBERING_PLAN_CHANGED:
    "The number predates a change to its country's numbering plan. The suggestion uses the current format. Ask before you use it.",
  MOBILE_PREFIX: "The suggestion uses the mobile format for callers from abroad. Ask before you use it.",
  OVERSEAS_CODE:
    "The number is dialed like a national one, but has another calling code abroad, as in the French overseas departments. The suggestion has that code. Ask before you use it.",
  LEADING_ZERO_LOST:
    "Numbers in this country start with a zero, which is missing. Spreadsheets drop it. The suggestion has it. Ask before you use it.",
  AREA_CODE_MISSING: "The suggestion adds Curaçao's area code, 9. Ask before you use it.",
  PLUS_BEFORE_NATIONAL:
    "There's a plus sign before a number in national format. The suggestion reads it in the request's country. Ask before you use it.",
  LETTER_FOR_DIGIT: "The suggestion reads O as 0, and l and I as 1. Ask before you use it.",
  SERVICE_CODE_KEPT: "The suggestion removes a code dialed before the number, such as *31#. Ask before you use it.",
  REJECTED_FORMAT: "A test key's error for an invalid number. A live key returns a result with the reason.",
  REJECTED_PREFIX_MISSING:
    "A test key's error: the number has no plus sign and the request has no country. Send the country, or the number with + and calling code.",
};

/** What a reason or an error code means and what to do about it; null for an unknown code. */
export function explainCode(code: string): string | null {
  if (Object.hasOwn(REASONS, code)) return REASONS[code as keyof typeof REASONS];
  if (Object.hasOwn(SANDBOX_ERRORS, code)) {
    const { message } = SANDBOX_ERRORS[code as keyof typeof SANDBOX_ERRORS];
    return `A sandbox scenario, for test keys only: "${message}". It tells you nothing about a real number.`;
  }
  if (!Object.hasOwn(ERRORS, code)) return null;
  const { message, fix } = ERRORS[code as keyof typeof ERRORS];
  return `${message} ${fix}`;
}

import { ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import type { InvalidReason, RejectionReason, SuggestionReason } from "../../contract/verification.ts";

const REASONS: Readonly<Record<InvalidReason | RejectionReason | SuggestionReason, string>> = {
  NOT_A_NUMBER: "The input doesn't look like a phone number. Ask for a phone number.",
  MISSING_COUNTRY_CODE:
    "The number has no plus sign, and the request no country. Send the country with it, or the number with + and calling code.",
  INVALID_COUNTRY_CODE:
    "The digits after the plus sign begin with no country's calling code. Check what follows the +.",
  TOO_SHORT: "The number has fewer digits than any number of its country. Ask for the missing digits.",
  TOO_LONG:
    "The number has more digits than any number of its country. Ask for one number, without anything around it.",
  INVALID_LENGTH: "No number of its country has this length. Ask to check the digits.",
  LOCAL_ONLY: "The number can be dialed within its area only. Ask for the area code.",
  UNASSIGNED_RANGE:
    "The length is right, but the country's numbering plan has not assigned the range. Ask to check the digits.",
  SHORT_CODE: "A short code, such as 112, that works in its country only. Ask for a phone number.",
  INVALID_NUMBER: "The number is not accepted because it is not valid. Its reason says why.",
  OTHER_COUNTRY: "The number is valid, but does not belong to expect_country.",
  OTHER_TYPE: "The number is valid, but has none of accept_types.",
  MISSING_PLUS:
    "The suggestion reads the digits as an international number whose plus sign is missing. Ask before you use it.",
  CALLING_CODE_TWICE: "The suggestion leaves out a calling code that was written twice. Ask before you use it.",
  TRUNK_PREFIX_KEPT: "The suggestion leaves out a zero that is dialed only inside the country. Ask before you use it.",
  NUMBERING_PLAN_CHANGED:
    "The number has the form from before its country changed its numbering plan. The suggestion has today's. Ask before you use it.",
  MOBILE_PREFIX:
    "The suggestion has the digits of a mobile number that callers from abroad dial. Ask before you use it.",
};

/** What a reason or an error code means and what to do about it; null for one that is none of ours. */
export function explainCode(code: string): string | null {
  if (Object.hasOwn(REASONS, code)) return REASONS[code as keyof typeof REASONS];
  if (Object.hasOwn(SANDBOX_ERRORS, code)) {
    const { message } = SANDBOX_ERRORS[code as keyof typeof SANDBOX_ERRORS];
    return `A scenario of the sandbox, for test keys only: "${message}". It says nothing about a real number.`;
  }
  if (!Object.hasOwn(ERRORS, code)) return null;
  const { message, fix } = ERRORS[code as keyof typeof ERRORS];
  return `${message} ${fix}`;
}

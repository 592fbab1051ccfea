import type { InvalidReason } from "./result-values.ts";

/** Why a number is invalid and what to do about it, for the person who entered it: a sentence or two for each reason. */
export const REASON_HINTS: Readonly<Record<InvalidReason, string>> = {
  NOT_A_NUMBER: "This isn’t a phone number.",
  MULTIPLE_NUMBERS: "There’s more than one number. Use one of them.",
  MASKED: "Some digits are hidden. Enter the whole number.",
  LETTERS: "There are letters among the digits. Replace them with digits.",
  DIGITS_LOST: "A spreadsheet dropped some digits. Enter the number again.",
  MISSING_COUNTRY_CODE: "Add + and the calling code.",
  INVALID_COUNTRY_CODE: "No country has this calling code. Check what follows the +.",
  TOO_SHORT: "Too short for this country. Add the missing digits.",
  TOO_LONG: "Too long for this country. Remove what isn’t part of the number.",
  INVALID_LENGTH: "No number in this country has this length. Check the digits.",
  LOCAL_ONLY: "This only works within its area. Add the area code.",
  UNASSIGNED_RANGE: "This range isn’t assigned. Check for a wrong or missing digit.",
  SHORT_CODE: "This is a short code, which only works within its country. Enter a full number.",
};

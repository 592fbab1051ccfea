import type { InvalidReason } from "../../../../contract/verification.ts";

/** Why a number is not valid, as one would say it. */
export const REASONS: Record<InvalidReason, string> = {
  NOT_A_NUMBER: "There is no phone number in this.",
  MISSING_COUNTRY_CODE: "Without + and a calling code it could be anywhere.",
  INVALID_COUNTRY_CODE: "No country has this calling code.",
  TOO_SHORT: "Too short for its country.",
  TOO_LONG: "Too long for its country.",
  INVALID_LENGTH: "No number of its country has this length.",
  LOCAL_ONLY: "It can be called from inside its area only.",
  UNASSIGNED_RANGE: "The length is right, but this range is not assigned.",
};

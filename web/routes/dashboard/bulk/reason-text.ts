import type { InvalidReason } from "../../../../contract/verification.ts";

/** Why a number is not valid, in a few words. */
export const REASON_TEXT: Record<InvalidReason, string> = {
  NOT_A_NUMBER: "No phone number in it",
  MISSING_COUNTRY_CODE: "No calling code and no country",
  INVALID_COUNTRY_CODE: "No such calling code",
  TOO_SHORT: "Too short",
  TOO_LONG: "Too long",
  INVALID_LENGTH: "No number there has this length",
  LOCAL_ONLY: "Works inside its area only",
  UNASSIGNED_RANGE: "No such range is in use",
};

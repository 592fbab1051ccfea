import { hintOf, REJECTIONS } from "../../contract/reasons.ts";
import type { Acceptance, VerificationResult } from "../../contract/verification.ts";
import { lineTypeName } from "./line-types.ts";

/** The types that pages offer; the API accepts any set of them. */
export const ACCEPTED_TYPES = {
  any: { title: "Any number", types: undefined },
  mobile: { title: "Mobile numbers", types: ["mobile"] },
  fixed: { title: "Landlines", types: ["fixed_line"] },
  either: { title: "Mobile numbers and landlines", types: ["mobile", "fixed_line"] },
  voip: { title: "VoIP numbers", types: ["voip"] },
  tollFree: { title: "Toll-free numbers", types: ["toll_free"] },
} satisfies Record<string, { readonly title: string; readonly types: Acceptance["accept_types"] }>;

/** The line types that pages offer. */
export const ACCEPTED_LINES = {
  any: { title: "Any line", types: undefined },
  mobile: { title: "Mobile", types: ["mobile"] },
  maybeMobile: { title: "Maybe mobile", types: ["mobile", "unknown"] },
  fixed: { title: "Landline", types: ["fixed"] },
  voip: { title: "Voice over IP", types: ["voip"] },
} satisfies Record<string, { readonly title: string; readonly types: Acceptance["accept_line_types"] }>;

/** In place of a code: the country that a list has for each number. */
export const ROW_COUNTRY = "row";

/** Which numbers are accepted. */
export interface Condition {
  readonly type: keyof typeof ACCEPTED_TYPES;
  readonly line: keyof typeof ACCEPTED_LINES;
  /** ISO 3166-1 alpha-2, `ROW_COUNTRY`, or "" for any. */
  readonly country: string;
  readonly rejectsUnassigned: boolean;
}

export const ANY_NUMBER: Condition = { type: "any", line: "any", country: "", rejectsUnassigned: false };

/** A condition as the API has it for all numbers: the country of a list's row is an option of its number. */
export function conditionsOf({ type, line, country, rejectsUnassigned }: Condition): Acceptance {
  const expect_country = country === ROW_COUNTRY ? undefined : country;
  const accept_types = ACCEPTED_TYPES[type].types;
  const accept_line_types = ACCEPTED_LINES[line].types;
  return {
    ...(expect_country && { expect_country }),
    ...(accept_types && { accept_types }),
    ...(accept_line_types && { accept_line_types }),
    ...(rejectsUnassigned && { reject_unallocated: true }),
  };
}

/**
 * Whether the number was accepted, in a sentence that names the number's type if the result has it; null if the
 * request had no conditions.
 */
export function acceptanceText({
  accepted,
  rejected_because,
  line_type = null,
  number_type = "unknown",
}: Pick<VerificationResult, "accepted" | "rejected_because"> &
  Partial<Pick<VerificationResult, "line_type" | "number_type">>): string | null {
  const type = lineTypeName({ line_type, number_type });
  if ((rejected_because === "OTHER_TYPE" || rejected_because === "LINE_TYPE_NOT_ACCEPTED") && type !== undefined) {
    return `Not accepted: the line type is ${type.charAt(0).toLowerCase()}${type.slice(1)}.`;
  }
  if (rejected_because !== null) return hintOf(REJECTIONS, rejected_because);
  return accepted ? "Accepted." : null;
}

import type { VerificationResult } from "../../contract/verification.ts";

/** The display names of line types. */
export const LINE_TYPE_NAMES = { mobile: "Mobile", fixed: "Landline", voip: "Voice over IP" } as const;

/** Display names of numbers without a coarse line type, by specific type. */
const OTHER_TYPE_NAMES: Partial<Record<VerificationResult["number_type"], string>> = {
  toll_free: "Toll-free",
  premium_rate: "Premium rate",
  shared_cost: "Shared cost",
  personal_number: "Personal number",
  pager: "Pager",
  uan: "Company number",
  voicemail: "Voicemail",
};

/** A number's line type in words; undefined if it is unknown. */
export function lineTypeName({
  line_type,
  number_type,
}: Pick<VerificationResult, "line_type" | "number_type">): string | undefined {
  return line_type === null ? OTHER_TYPE_NAMES[number_type] : LINE_TYPE_NAMES[line_type];
}

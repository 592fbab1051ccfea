import type { VerificationResult } from "../../../../contract/verification.ts";
import { LINE_TYPE_NAMES } from "../../../components/anatomy/anatomy-of.ts";
import { REASONS } from "./reasons.ts";

/** The answer in one line, for who hears the page. */
export function spokenAnswer(result: VerificationResult): string {
  if (!result.valid) return `Not valid. ${REASONS[result.reason ?? "NOT_A_NUMBER"]}`;
  const type = result.line_type === null ? null : LINE_TYPE_NAMES[result.line_type];
  return `Valid: ${[result.country_name, result.location, result.carrier, type].filter((part) => part !== null).join(", ")}.`;
}

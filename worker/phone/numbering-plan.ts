import { type Classification, MAX_E164_DIGITS, type PhoneNumber } from "./number.ts";
import type { Assignment, CallingCodePlan, PlanTable } from "./plan-table.ts";

/**
 * Classifies a number by its numbering plan: libphonenumber's isValidNumber, isPossibleNumberWithReason,
 * getRegionCodeForNumber, and getNumberType.
 *
 * An invalid number's `reason` is UNASSIGNED_RANGE if its length is possible; otherwise LOCAL_ONLY, TOO_SHORT, TOO_LONG,
 * or INVALID_LENGTH by the plan of the calling code's main region; or INVALID_COUNTRY_CODE. Unlike in libphonenumber, a
 * number that can only be dialed locally isn't possible, a valid number always is, and a number of more than 15 digits,
 * including its calling code, is TOO_LONG in every country, as in E.164. Never throws.
 */
export function classify({ callingCode, nationalNumber }: PhoneNumber, plans: PlanTable): Classification {
  const plan = plans.plan(Number(callingCode));
  if (plan === undefined) {
    return { valid: false, possible: false, reason: "INVALID_COUNTRY_CODE", region: null, type: "unknown" };
  }
  return classifyAssigned(plan, plan.assignment(nationalNumber)!, nationalNumber.length);
}

/** Like `classify`, for a national number of this length whose assignment is already known. */
export function classifyAssigned(plan: CallingCodePlan, { region, type }: Assignment, length: number): Classification {
  if (plan.callingCode.length + length > MAX_E164_DIGITS) {
    return { valid: false, possible: false, reason: "TOO_LONG", region, type: "unknown" };
  }
  if (type !== "unknown") return { valid: true, possible: true, reason: null, region, type };
  const problem = plan.lengthProblem(length);
  return { valid: false, possible: problem === null, reason: problem ?? "UNASSIGNED_RANGE", region, type };
}

import { type Classification, MAX_E164_DIGITS, type PhoneNumber } from "./number.ts";
import type { Assignment, CallingCodePlan, PlanTable } from "./plan-table.ts";

/**
 * Classifies a number like libphonenumber's isValidNumber, isPossibleNumberWithReason, getRegionCodeForNumber, and
 * getNumberType. Unlike there, a number that can only be dialed locally isn't possible, a valid number always is, and
 * more than 15 digits, including the calling code, are too long in every country, as in E.164. Never throws.
 * @returns `reason` is INVALID_COUNTRY_CODE, UNASSIGNED_RANGE for a possible length, or what the plan of the calling
 * code's main region says about the length: LOCAL_ONLY, TOO_SHORT, TOO_LONG, or INVALID_LENGTH
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

import type { Classification, PhoneNumber } from "./number.ts";
import type { Assignment, CallingCodePlan, PlanTable } from "./plan-table.ts";

/**
 * What the numbering plan says about a number: libphonenumber's isValidNumber, isPossibleNumberWithReason,
 * getRegionCodeForNumber and getNumberType.
 *
 * `reason` for a number that is not valid: UNASSIGNED_RANGE when its length is possible, LOCAL_ONLY, TOO_SHORT, TOO_LONG,
 * INVALID_LENGTH after the plan of the calling code's main region, or INVALID_COUNTRY_CODE. Unlike libphonenumber, a number that
 * can only be dialled locally does not count as possible: it reaches nobody from outside. Never throws.
 */
export function classify({ callingCode, nationalNumber }: PhoneNumber, plans: PlanTable): Classification {
  const plan = plans.plan(Number(callingCode));
  if (plan === undefined) {
    return { valid: false, possible: false, reason: "INVALID_COUNTRY_CODE", region: null, type: "unknown" };
  }
  return classifyAssigned(plan, plan.assignment(nationalNumber)!, nationalNumber.length);
}

/** As `classify`, for a national number of this many digits whose assignment has been looked up already. */
export function classifyAssigned(plan: CallingCodePlan, { region, type }: Assignment, length: number): Classification {
  const valid = type !== "unknown";
  const problem = plan.lengthProblem(length);
  return { valid, possible: problem === null, reason: valid ? null : (problem ?? "UNASSIGNED_RANGE"), region, type };
}

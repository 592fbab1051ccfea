import { type Classification, MAX_E164_DIGITS, type PhoneNumber } from "./number.ts";
import type { Assignment, CallingCodePlan, PlanTable } from "./plan-table.ts";

/**
 * What the numbering plan says about a number: libphonenumber's isValidNumber, isPossibleNumberWithReason,
 * getRegionCodeForNumber and getNumberType.
 *
 * `reason` for an invalid number: UNASSIGNED_RANGE when its length is possible, LOCAL_ONLY, TOO_SHORT, TOO_LONG,
 * INVALID_LENGTH after the plan of the calling code's main region, or INVALID_COUNTRY_CODE. Unlike libphonenumber, a number that
 * can only be dialed locally does not count as possible: it reaches nobody from outside; a valid one always does; and a number of
 * more than 15 digits, calling code included, is TOO_LONG wherever it is, because E.164 has none. Never throws.
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
  if (plan.callingCode.length + length > MAX_E164_DIGITS) {
    return { valid: false, possible: false, reason: "TOO_LONG", region, type: "unknown" };
  }
  if (type !== "unknown") return { valid: true, possible: true, reason: null, region, type };
  const problem = plan.lengthProblem(length);
  return { valid: false, possible: problem === null, reason: problem ?? "UNASSIGNED_RANGE", region, type };
}

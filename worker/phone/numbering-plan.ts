import type { NumberType } from "../../contract/verification.ts";
import type { Classification, PhoneNumber } from "./number.ts";
import { lengthProblem, plansOfCallingCode, type Plan, type TypeRule } from "./plan-metadata.ts";

interface Match {
  readonly region: string;
  readonly type: NumberType;
}

/**
 * What the numbering plan says about a number: libphonenumber's isValidNumber, isPossibleNumberWithReason,
 * getRegionCodeForNumber and getNumberType in one pass over the metadata.
 *
 * `reason` for a number that is not valid: UNASSIGNED_RANGE when its length is possible, LOCAL_ONLY, TOO_SHORT, TOO_LONG,
 * INVALID_LENGTH after the plan of the calling code's main region, or INVALID_COUNTRY_CODE. Unlike libphonenumber, a number that
 * can only be dialled locally does not count as possible: it reaches nobody from outside. Never throws.
 */
export function classify(number: PhoneNumber): Classification {
  const plans = plansOfCallingCode(number.callingCode);
  const main = plans[0];
  if (main === undefined) {
    return { valid: false, possible: false, reason: "INVALID_COUNTRY_CODE", region: null, type: "unknown" };
  }
  const match = findRegion(plans, number.nationalNumber);
  const type = match?.type ?? "unknown";
  const valid = type !== "unknown";
  const problem = lengthProblem(main, number.nationalNumber.length);
  return {
    valid,
    possible: problem === null,
    reason: valid ? null : (problem ?? "UNASSIGNED_RANGE"),
    region: match?.region ?? null,
    type,
  };
}

/** The region that the number belongs to among those sharing its calling code, and its type there. */
function findRegion(plans: readonly Plan[], nationalNumber: string): Match | null {
  const only = plans.length === 1 ? plans[0] : undefined;
  if (only !== undefined) return { region: only.region, type: typeIn(only, nationalNumber) };
  for (const plan of plans) {
    if (plan.leadingDigits !== null) {
      // Leading digits name the region even when no range of it fits.
      if (plan.leadingDigits.test(nationalNumber)) {
        return { region: plan.region, type: typeIn(plan, nationalNumber) };
      }
      continue;
    }
    const type = typeIn(plan, nationalNumber);
    if (type !== "unknown") return { region: plan.region, type };
  }
  return null;
}

function typeIn(plan: Plan, nationalNumber: string): NumberType {
  if (!plan.lengths.includes(nationalNumber.length) || !plan.nationalNumber.test(nationalNumber)) return "unknown";
  for (const rule of plan.specialTypes) {
    if (fits(rule, nationalNumber)) return rule.type;
  }
  const isMobile = !plan.mobileIsFixedLine && fits(plan.mobile, nationalNumber);
  if (fits(plan.fixedLine, nationalNumber)) {
    return plan.mobileIsFixedLine || isMobile ? "fixed_line_or_mobile" : "fixed_line";
  }
  return isMobile ? "mobile" : "unknown";
}

function fits(rule: TypeRule | null, nationalNumber: string): boolean {
  return rule !== null && rule.lengths.includes(nationalNumber.length) && rule.pattern.test(nationalNumber);
}

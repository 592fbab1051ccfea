import { MAX_NUMBER_LENGTH } from "../../contract/limits.ts";
import {
  type Classification,
  MAX_CALLING_CODE_LENGTH,
  MAX_NATIONAL_LENGTH,
  MIN_NATIONAL_LENGTH,
  type PhoneNumber,
} from "./number.ts";
import { classifyAssigned } from "./numbering-plan.ts";
import type { CallingCodePlan, PlanTable } from "./plan-table.ts";

/** A number that was classified while it was read. */
export interface CleanNumber {
  readonly number: PhoneNumber;
  readonly classification: Classification;
}

const PLUS_SIGN = 0x2b;

/** A plus sign, then digits that may have separators between them. */
const WITH_SEPARATORS = /^\+[1-9][\d ().-]*\d$/;
const SEPARATORS = /[ ().-]+/g;

/**
 * Reads input in international form without the parser; null for any other. This is the one place that decides which input the
 * parser need not see, and the reasons for which it would read the same:
 * - plus sign and digits leave it nothing to interpret: no country, no international prefix, no extension, no letters, no text
 *   around the number, and it drops these separators too;
 * - calling codes are prefix-free, so the first that fits is the one;
 * - it takes a national prefix or a carrier code off only where the plan has one, and the automaton marks the numbers for which
 *   that could change a digit (`readAsIs`); they are left to it, as are lengths that it rejects.
 *
 * `read-clean.test.ts` holds both against each other.
 */
export function readClean(input: string, plans: PlanTable): CleanNumber | null {
  if (input.charCodeAt(0) !== PLUS_SIGN || input.length > MAX_NUMBER_LENGTH) return null;
  const number = readDigits(input, plans);
  if (number !== null || !WITH_SEPARATORS.test(input)) return number;
  return readDigits(input.replace(SEPARATORS, ""), plans);
}

/** Null when there is anything but digits after the first character, which is the plus sign. */
function readDigits(text: string, plans: PlanTable): CleanNumber | null {
  let callingCode = 0;
  for (let at = 1; at <= MAX_CALLING_CODE_LENGTH; at++) {
    const digit = text.charCodeAt(at) - 48;
    // No calling code starts with 0.
    if (!(digit >= 0 && digit <= 9) || (callingCode = callingCode * 10 + digit) === 0) return null;
    const plan = plans.plan(callingCode);
    if (plan !== undefined) return readNational(text, at + 1, plan);
  }
  return null;
}

function readNational(text: string, start: number, plan: CallingCodePlan): CleanNumber | null {
  const length = text.length - start;
  if (length < MIN_NATIONAL_LENGTH || length > MAX_NATIONAL_LENGTH) return null;
  const assignment = plan.assignment(text, start);
  if (assignment === null || !assignment.readAsIs) return null;
  return {
    number: { callingCode: plan.callingCode, nationalNumber: text.slice(start), extension: null },
    classification: classifyAssigned(plan, assignment, length),
  };
}

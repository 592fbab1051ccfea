import { MAX_NUMBER_LENGTH } from "../../contract/limits.ts";
import { readSpreadsheetDamage } from "../../contract/spreadsheet-damage.ts";
import { type Classification, type E164Number, MAX_NATIONAL_LENGTH, MIN_NATIONAL_LENGTH } from "./number.ts";
import { classifyAssigned } from "./numbering-plan.ts";
import type { PlanTable } from "./plan-table.ts";

/** A parsed number and its classification. */
export interface CleanNumber {
  readonly number: E164Number;
  readonly classification: Classification;
}

const PLUS_SIGN = 0x2b;

/** A plus sign, then digits, possibly with separators. */
const WITH_SEPARATORS = /^\+[1-9][\d ().-]*\d$/;
const SEPARATORS = /[ ().-]+/g;

/**
 * Reads clean international input without the parser; null for all other input. README.md says why the parser's result
 * is the same, and `read-clean.test.ts` compares the two.
 */
export function readClean(input: string, plans: PlanTable): CleanNumber | null {
  if (input.charCodeAt(0) !== PLUS_SIGN || input.length > MAX_NUMBER_LENGTH) return null;
  const number = readDigits(input, plans);
  if (number !== null || !WITH_SEPARATORS.test(input) || readSpreadsheetDamage(input) !== null) return number;
  return readDigits(input.replace(SEPARATORS, ""), plans);
}

/** Null if anything but digits follows the plus sign. */
function readDigits(text: string, plans: PlanTable): CleanNumber | null {
  const plan = plans.planOf(text, 1);
  if (plan === undefined) return null;
  const start = 1 + plan.callingCode.length;
  const length = text.length - start;
  if (length < MIN_NATIONAL_LENGTH || length > MAX_NATIONAL_LENGTH) return null;
  const assignment = plan.assignment(text, start);
  if (assignment === null || !assignment.readAsIs) return null;
  return {
    number: { callingCode: plan.callingCode, nationalNumber: text.slice(start), extension: null, e164: text },
    classification: classifyAssigned(plan, assignment, length),
  };
}

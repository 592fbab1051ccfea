import { formats } from "../format.ts";
import type { DialingPlan, PlanTable } from "../plan-table.ts";
import { readDialed } from "./grammar.ts";
import { type NumberRead, readDigits } from "./read-number.ts";

/** A number that begins with its country's calling code. */
interface OwnNumber extends NumberRead {
  /** Whether it has neither a plus sign nor 00. */
  readonly lacksPlus: boolean;
}

const AFTER_PREFIX = /^[ (]*00/;

/** The fewest digits of a mobile number with its calling code for which its plus sign counts as lost. */
const MIN_DIGITS = 11;

/**
 * A number after 00 or nothing and its country's calling code, if that is what the writer meant: after 00; if the plan
 * reads a landline that hardly anyone means in place of a mobile number (Germany, Indonesia, Kosovo); or if the code is
 * apart from what follows. Null for others.
 * @param found what the grammar reads, which prefers a national number
 */
export function withOwnCallingCode(
  text: string,
  found: NumberRead,
  home: DialingPlan,
  plans: PlanTable,
): OwnNumber | null {
  const isAfterPrefix = AFTER_PREFIX.test(text);
  if (!isAfterPrefix && found.number?.nationalNumber.startsWith(home.callingCode) !== true) return null;
  if (text.includes("+")) return null;
  const dialed = readDialed(text);
  if (dialed === null) return null;
  const { callingCode } = home;
  const international = (digits: string) => readDigits({ ...dialed, digits, hasPlus: true }, undefined, plans);
  if (isAfterPrefix) {
    const afterPrefix = dialed.digits.slice(2);
    if (callingCode === "1" || !afterPrefix.startsWith(callingCode)) return null;
    const own = international(afterPrefix);
    if (!own.classification.valid || found.number?.e164 === own.number?.e164) return null;
    return { ...own, lacksPlus: false };
  }
  if (found.number?.nationalNumber !== dialed.digits) return null;
  const own = international(dialed.digits);
  if (!own.classification.valid) return null;
  const isMobile = own.classification.type === "mobile" && dialed.digits.length >= MIN_DIGITS;
  const national = found.classification.valid ? formats(found.number, plans).national : "";
  const isApart =
    new RegExp(`^\\D*${callingCode}\\D`).test(text) && !new RegExp(`^\\D*0?\\D*${callingCode}\\D`).test(national);
  const isOwn = (isMobile && found.classification.type === "fixed_line") || (found.classification.valid && isApart);
  return isOwn ? { ...own, lacksPlus: true } : null;
}

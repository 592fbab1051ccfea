import { formats } from "../format.ts";
import { extractNumber, splitExtension, toDigits } from "../normalize.ts";
import type { DialingPlan, PlanTable } from "../plan-table.ts";
import { type NumberRead, readNumber } from "../read-number.ts";

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
  const { rest, extension } = splitExtension(extractNumber(text));
  const digits = toDigits(rest);
  const { callingCode } = home;
  if (isAfterPrefix) {
    const afterPrefix = digits.slice(2);
    if (callingCode === "1" || !afterPrefix.startsWith(callingCode)) return null;
    const international = readNumber(`+${afterPrefix}`, undefined, plans);
    if (!international.classification.valid || found.number?.e164 === international.number?.e164) return null;
    return { ...withExtension(international, extension), lacksPlus: false };
  }
  if (found.number?.nationalNumber !== digits) return null;
  const international = readNumber(`+${digits}`, undefined, plans);
  if (!international.classification.valid) return null;
  const isMobile = international.classification.type === "mobile" && digits.length >= MIN_DIGITS;
  const national = found.classification.valid ? formats(found.number, plans).national : "";
  const isApart =
    new RegExp(`^\\(?${callingCode}\\D`).test(rest) && !new RegExp(`^\\D*0?\\D*${callingCode}\\D`).test(national);
  const isOwn = (isMobile && found.classification.type === "fixed_line") || (found.classification.valid && isApart);
  return isOwn ? { ...withExtension(international, extension), lacksPlus: true } : null;
}

function withExtension({ number, classification }: NumberRead, extension: string | null): NumberRead {
  return { number: number && { ...number, extension }, classification };
}

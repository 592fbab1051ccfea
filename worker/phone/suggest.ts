import type { NumberType, SuggestionReason } from "../../contract/result-values.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import { formatE164 } from "./format.ts";
import { extractNumber, hasLeadingPlus, splitExtension, toDigits } from "./normalize.ts";
import { MAX_CALLING_CODE_LENGTH, NO_COUNTRY_REGION, type PhoneNumber } from "./number.ts";
import { classify } from "./numbering-plan.ts";
import { planChanges } from "./plan-changes.ts";
import type { PlanTable } from "./plan-table.ts";

type Suggestion = NonNullable<VerificationResult["suggestion"]>;

/** What was verified. */
export interface Asked {
  readonly input: string;
  /** Upper-case ISO 3166-1 alpha-2. */
  readonly country: string | undefined;
  /** What the input was read as; null when it was rejected. */
  readonly number: PhoneNumber | null;
}

/** What callers abroad dial before a calling code, in most countries and in North America. */
const INTERNATIONAL_PREFIX = /^(?:00|011)(?=[1-9])/;

/** Argentine mobiles have a 9 before the area code for callers abroad, and a 15 after it at home; one of the two gets lost or kept. */
const ARGENTINE_MOBILES: readonly (readonly [RegExp, string])[] = [
  [/^([1-3]\d{9})$/, "9$1"],
  [/^9?(11)15(\d{8})$/, "9$1$2"],
  [/^9?([23]\d\d)15(\d{7})$/, "9$1$2"],
  [/^9?([23]\d{3})15(\d{6})$/, "9$1$2"],
];

const MOBILE_TYPES: ReadonlySet<NumberType> = new Set(["mobile", "fixed_line_or_mobile"]);

/** Greatest calling code, as a number. */
const MAX_CALLING_CODE = 999;

/**
 * The valid number that was probably meant, where exactly one is close to what was sent; null otherwise. It says nothing about the
 * validity of what was sent. Slower than a verification: ask about invalid input, and where `mayLackPlus`.
 */
export function suggest(asked: Asked, plans: PlanTable): Suggestion | null {
  const { number } = asked;
  const isValid = number !== null && classify(number, plans).valid;
  const itself = number === null ? null : formatE164(number);
  const found = new Map<string, SuggestionReason>();

  function offer(candidate: PhoneNumber | null, reason: SuggestionReason): void {
    if (candidate === null || !classify(candidate, plans).valid) return;
    const e164 = formatE164(candidate);
    if (e164 !== itself && !found.has(e164)) found.set(e164, reason);
  }

  function offerCorrections({ callingCode, nationalNumber }: PhoneNumber): void {
    const offerNational = (national: string, reason: SuggestionReason) =>
      offer({ callingCode, nationalNumber: national, extension: null }, reason);
    offerNational(withoutZeros(nationalNumber), "TRUNK_PREFIX_KEPT");
    // The second calling code may have its own prefix: "+44 0044 20 …".
    for (const digits of [withoutZeros(nationalNumber), nationalNumber.replace(INTERNATIONAL_PREFIX, "")]) {
      if (!digits.startsWith(callingCode)) continue;
      const rest = digits.slice(callingCode.length);
      for (const national of [rest, withoutZeros(rest)]) offerNational(national, "CALLING_CODE_TWICE");
    }
    if (callingCode === "54") {
      for (const [pattern, replacement] of ARGENTINE_MOBILES) {
        if (pattern.test(nationalNumber)) offerNational(nationalNumber.replace(pattern, replacement), "MOBILE_PREFIX");
      }
    }
    for (const changed of planChanges(callingCode, nationalNumber)) {
      offer(split(changed, plans), "NUMBERING_PLAN_CHANGED");
    }
  }

  if (number !== null && !isValid) offerCorrections(number);
  const international = withMissingPlus(asked, plans);
  if (international !== null) {
    offer(international, "MISSING_PLUS");
    if (!isValid && !classify(international, plans).valid) offerCorrections(international);
  }
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : { number: only[0], reason: only[1] };
}

/** Whether a valid number that was sent without a plus sign may have been meant with one: its digits start with its calling code. */
export function mayLackPlus(input: string, { callingCode, nationalNumber }: PhoneNumber): boolean {
  if (!nationalNumber.startsWith(callingCode)) return false;
  const dialled = splitExtension(extractNumber(input)).rest;
  return !hasLeadingPlus(dialled) && toDigits(dialled) === nationalNumber;
}

/** Digits of the longest number in E.164 form, and of the prefix 011. */
const MAX_DIALLED_DIGITS = 18;

/** What was sent, read as an international number; null where it was, or where it may as well be a mobile number of some country. */
function withMissingPlus({ input, country }: Asked, plans: PlanTable): PhoneNumber | null {
  const dialled = splitExtension(extractNumber(input)).rest;
  const digits = toDigits(dialled);
  if (digits.length > MAX_DIALLED_DIGITS) return null;
  const afterPrefix = digits.replace(INTERNATIONAL_PREFIX, "");
  if (afterPrefix !== digits) return split(afterPrefix, plans);
  const number = hasLeadingPlus(dialled) ? null : split(digits, plans);
  if (number === null || number.callingCode === plans.diallingIn(country ?? "")?.callingCode) return number;
  return isMobileSomewhere(digits, plans) ? null : number;
}

/** Whether some country has mobile numbers that are written with these digits. */
function isMobileSomewhere(digits: string, plans: PlanTable): boolean {
  for (let callingCode = 1; callingCode <= MAX_CALLING_CODE; callingCode++) {
    const assignment = plans.plan(callingCode)?.assignment(digits);
    if (assignment && assignment.region !== NO_COUNTRY_REGION && MOBILE_TYPES.has(assignment.type)) return true;
  }
  return false;
}

/** Calling code and national number of the digits of an international number; null where no calling code fits. */
function split(digits: string, plans: PlanTable): PhoneNumber | null {
  for (let length = 1; length <= MAX_CALLING_CODE_LENGTH; length++) {
    const callingCode = digits.slice(0, length);
    if (!callingCode.startsWith("0") && plans.plan(Number(callingCode)) !== undefined) {
      return { callingCode, nationalNumber: digits.slice(length), extension: null };
    }
  }
  return null;
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+/, "");
}

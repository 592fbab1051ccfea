import type { NumberType, SuggestionReason } from "../../contract/result-values.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import { formatE164 } from "./format.ts";
import { extractNumber, hasLeadingPlus, splitExtension, toDigits } from "./normalize.ts";
import { MAX_CALLING_CODE_LENGTH, NO_COUNTRY_REGION, type PhoneNumber } from "./number.ts";
import { classify } from "./numbering-plan.ts";
import { planChanges } from "./plan-changes.ts";
import type { PlanTable } from "./plan-table.ts";

type Suggestion = NonNullable<VerificationResult["suggestion"]>;

/** An input, and what the parser made of it. */
interface ParsedInput {
  readonly input: string;
  /** Uppercase ISO 3166-1 alpha-2. */
  readonly country: string | undefined;
  /** The parsed number; null if parsing failed. */
  readonly number: PhoneNumber | null;
}

/** The international prefixes of most countries and of North America. */
const INTERNATIONAL_PREFIX = /^(?:00|011)(?=[1-9])/;

/**
 * Argentine mobile numbers have a 9 before the area code when dialed from abroad, and a 15 after it at home. People drop
 * the 9 or keep the 15.
 */
const ARGENTINE_MOBILES: readonly (readonly [RegExp, string])[] = [
  [/^([1-3]\d{9})$/, "9$1"],
  [/^9?(11)15(\d{8})$/, "9$1$2"],
  [/^9?([23]\d\d)15(\d{7})$/, "9$1$2"],
  [/^9?([23]\d{3})15(\d{6})$/, "9$1$2"],
];

const MOBILE_TYPES: ReadonlySet<NumberType> = new Set(["mobile", "fixed_line_or_mobile"]);

/** The highest calling code. */
const MAX_CALLING_CODE = 999;

/**
 * Returns the valid number that was probably meant, if exactly one is close to the input; null otherwise. Doesn't check
 * the input's validity. Slower than a verification, so call it only for invalid input or if `mayLackPlus`.
 */
export function suggest({ input, country, number }: ParsedInput, plans: PlanTable): Suggestion | null {
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
  const international = withMissingPlus(input, country, plans);
  if (international !== null) {
    offer(international, "MISSING_PLUS");
    if (!isValid && !classify(international, plans).valid) offerCorrections(international);
  }
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : { number: only[0], reason: only[1] };
}

/** Whether a valid number sent without a plus sign may lack one: its digits start with its calling code. */
export function mayLackPlus(input: string, { callingCode, nationalNumber }: PhoneNumber): boolean {
  if (!nationalNumber.startsWith(callingCode)) return false;
  const dialled = splitExtension(extractNumber(input)).rest;
  return !hasLeadingPlus(dialled) && toDigits(dialled) === nationalNumber;
}

/** The most digits in E.164, plus those of the prefix 011. */
const MAX_DIALLED_DIGITS = 18;

/**
 * Parses the input as an international number without its plus sign. Null if it has one, or if it could also be a mobile
 * number of some country.
 */
function withMissingPlus(input: string, country: string | undefined, plans: PlanTable): PhoneNumber | null {
  const dialled = splitExtension(extractNumber(input)).rest;
  const digits = toDigits(dialled);
  if (digits.length > MAX_DIALLED_DIGITS) return null;
  const afterPrefix = digits.replace(INTERNATIONAL_PREFIX, "");
  if (afterPrefix !== digits) return split(afterPrefix, plans);
  const number = hasLeadingPlus(dialled) ? null : split(digits, plans);
  if (number === null || number.callingCode === plans.diallingIn(country ?? "")?.callingCode) return number;
  return isMobileSomewhere(digits, plans) ? null : number;
}

/** Whether these digits are a mobile number in any country. */
function isMobileSomewhere(digits: string, plans: PlanTable): boolean {
  for (let callingCode = 1; callingCode <= MAX_CALLING_CODE; callingCode++) {
    const assignment = plans.plan(callingCode)?.assignment(digits);
    if (assignment && assignment.region !== NO_COUNTRY_REGION && MOBILE_TYPES.has(assignment.type)) return true;
  }
  return false;
}

/** Splits international digits into calling code and national number; null if no calling code fits. */
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

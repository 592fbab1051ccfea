import type { NumberType, SuggestionReason } from "../../../contract/result-values.ts";
import type { VerificationResult } from "../../../contract/verification.ts";
import { formatE164 } from "../format.ts";
import { NO_COUNTRY_REGION, type PhoneNumber } from "../number.ts";
import { classify } from "../numbering-plan.ts";
import type { PlanTable } from "../plan-table.ts";
import { type Dialed, hasLeadingPlus, readDialed, stripLeadingPlus, toDigits } from "./grammar.ts";
import { planChanges } from "./plan-changes.ts";
import { readNumber } from "./read-number.ts";

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

/** Numbers dialed like national ones that have another calling code abroad. */
const OVERSEAS: Readonly<Record<string, { numbers: RegExp; abroad: (national: string) => readonly string[] }>> = {
  // French overseas departments (ARCEP decision 05-1085): 0262, 0590, 0692, and the like are national in all of France.
  "33": {
    numbers: /^(?:26[239]|59[046]|639|69\d)\d{6}$/,
    abroad: (national) => ["262", "590", "594", "596"].map((callingCode) => callingCode + national),
  },
  // Northern Ireland from Ireland (ComReg, numbering conditions): 048 in place of +44 28.
  "353": { numbers: /^48\d{8}$/, abroad: (national) => [`4428${national.slice(2)}`] },
};

/** Calling codes whose numbers start with a zero that spreadsheets drop: Italy, San Marino, Ivory Coast, Benin, Congo. */
const KEEP_ZERO: ReadonlySet<string> = new Set(["39", "378", "225", "229", "242"]);

/** A code for the phone's own network before a number, such as *31# or *82, which hide or show the caller's. */
const SERVICE_CODE = /^[*#]{1,2}\d{2,3}[#* .-]+(?=.*\d)/;
/** A plus sign before a number as dialed at home. */
const PLUS_BEFORE_GROUP = /^\+ *\(/;

const MOBILE_TYPES: ReadonlySet<NumberType> = new Set(["mobile", "fixed_line_or_mobile"]);

/** The fewest digits of an input for which there is a suggestion. */
const MIN_DIGITS = 5;

/** The highest calling code. */
const MAX_CALLING_CODE = 999;

/**
 * Returns the valid number that was probably meant, if exactly one is close to the input; null otherwise. Doesn't check
 * the input's validity. Slower than a verification, so call it only for invalid input or if `mayBeAnother`.
 */
export function suggest(parsed: ParsedInput, plans: PlanTable): Suggestion | null {
  // Too few for any number.
  if (toDigits(parsed.input).length < MIN_DIGITS) return null;
  const itself = parsed.number && formatE164(parsed.number);
  const found = new Map<string, SuggestionReason>();
  for (const [number, reason] of offers(parsed, plans)) {
    if (number === null || !classify(number, plans).valid) continue;
    const e164 = formatE164(number);
    if (e164 !== itself && !found.has(e164)) found.set(e164, reason);
  }
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : { number: only[0], reason: only[1] };
}

/** A number that may have been meant, valid or not, and what is wrong with the input then. */
type Offer = readonly [number: PhoneNumber | null, reason: SuggestionReason];

/** The first of equal ones has the reason. */
function* offers({ input, country, number }: ParsedInput, plans: PlanTable): Generator<Offer> {
  const withoutCode = input.replace(SERVICE_CODE, "");
  if (withoutCode !== input) {
    yield [readNumber(withoutCode, country, plans).number, "SERVICE_CODE_KEPT"];
    return;
  }
  for (const abroad of overseas(number)) yield [split(abroad, plans), "OVERSEAS_CODE"];
  const dialed = readDialed(input);
  if (hasPlusBeforeNational(input, number) && !(dialed !== null && hasZeroBeforeCode(dialed, country, plans))) {
    yield [readNumber(stripLeadingPlus(input), country, plans).number, "PLUS_BEFORE_NATIONAL"];
  }
  const international = dialed && withMissingPlus(dialed, country, plans);
  if (international !== null) yield [international.number, "MISSING_PLUS"];
  const isValid = number !== null && classify(number, plans).valid;
  if (number !== null && (!isValid || keepsZero(input, number))) yield* corrections(number, country, plans);
  // A dialed prefix is no mistake, so there may still be one after it.
  if (international?.wasDialed && !isValid && !classify(international.number, plans).valid) {
    yield* corrections(international.number, country, plans);
  }
}

/** Other national numbers of the same calling code, and what the number became when its plan changed. */
function* corrections(number: PhoneNumber, country: string | undefined, plans: PlanTable): Generator<Offer> {
  const { callingCode, nationalNumber } = number;
  const national = (digits: string): PhoneNumber => ({ callingCode, nationalNumber: digits, extension: null });
  if (KEEP_ZERO.has(callingCode)) yield [national(`0${nationalNumber}`), "LEADING_ZERO_LOST"];
  // Curaçao's area code, which only callers from elsewhere dial.
  if (callingCode === "599" && country === "CW") yield [national(`9${nationalNumber}`), "AREA_CODE_MISSING"];
  yield [national(withoutZeros(nationalNumber)), "TRUNK_PREFIX_KEPT"];
  // The second calling code may have its own prefix: "+44 0044 20 …".
  for (const digits of [withoutZeros(nationalNumber), nationalNumber.replace(INTERNATIONAL_PREFIX, "")]) {
    if (!digits.startsWith(callingCode)) continue;
    const rest = digits.slice(callingCode.length);
    yield [national(rest), "CALLING_CODE_TWICE"];
    yield [national(withoutZeros(rest)), "CALLING_CODE_TWICE"];
  }
  if (callingCode === "54") {
    for (const [pattern, replacement] of ARGENTINE_MOBILES) {
      if (pattern.test(nationalNumber)) yield [national(nationalNumber.replace(pattern, replacement)), "MOBILE_PREFIX"];
    }
  }
  for (const changed of planChanges(callingCode, nationalNumber))
    yield [split(changed, plans), "NUMBERING_PLAN_CHANGED"];
}

/** Whether a valid number may not be the one that was meant. */
export function mayBeAnother(input: string, number: PhoneNumber): boolean {
  return (
    mayLackPlus(input, number) || hasOverseasCode(number) || PLUS_BEFORE_GROUP.test(input) || keepsZero(input, number)
  );
}

/** Whether it is an Italian mobile number after a bracketed zero, which belongs to no mobile number. */
export function keepsZero(input: string, { callingCode, nationalNumber }: PhoneNumber): boolean {
  return callingCode === "39" && /\(0\)/.test(input) && /^03\d{9}$/.test(nationalNumber);
}

/** Whether callers from abroad dial another calling code, with which it may be valid. */
export function hasOverseasCode({ callingCode, nationalNumber }: PhoneNumber): boolean {
  return OVERSEAS[callingCode]?.numbers.test(nationalNumber) ?? false;
}

/** A number with the calling codes it may have abroad, in digits. */
function overseas(number: PhoneNumber | null): readonly string[] {
  if (number === null || !hasOverseasCode(number)) return [];
  return OVERSEAS[number.callingCode]!.abroad(number.nationalNumber);
}

/** A plus sign, a zero, and the country's own calling code: +049 151 23456789. */
function hasZeroBeforeCode({ digits, hasPlus }: Dialed, country: string | undefined, plans: PlanTable): boolean {
  const own = plans.dialingIn(country ?? "")?.callingCode;
  return hasPlus && own !== undefined && digits.startsWith(`0${own}`);
}

function hasPlusBeforeNational(input: string, number: PhoneNumber | null): boolean {
  return hasLeadingPlus(input) && (number === null || PLUS_BEFORE_GROUP.test(input));
}

/** Whether a valid number sent without a plus sign may lack one: its digits start with its calling code. */
function mayLackPlus(input: string, { callingCode, nationalNumber }: PhoneNumber): boolean {
  if (!nationalNumber.startsWith(callingCode)) return false;
  const dialed = readDialed(input);
  return dialed !== null && !dialed.hasPlus && dialed.digits === nationalNumber;
}

/** The most digits in E.164, plus those of the prefix 011. */
const MAX_DIALED_DIGITS = 18;

/**
 * Parses the input as an international number without its plus sign, or with 00 or 011 in its place (`wasDialed`). Null
 * if it has a plus sign, or if it could also be a mobile number of some country.
 */
function withMissingPlus(
  dialed: Dialed,
  country: string | undefined,
  plans: PlanTable,
): { readonly number: PhoneNumber; readonly wasDialed: boolean } | null {
  const { digits, hasPlus } = dialed;
  if (digits.length > MAX_DIALED_DIGITS) return null;
  const afterPrefix = digits.replace(hasZeroBeforeCode(dialed, country, plans) ? /^0/ : INTERNATIONAL_PREFIX, "");
  const wasDialed = afterPrefix !== digits;
  const number = !wasDialed && hasPlus ? null : split(afterPrefix, plans);
  if (number === null) return null;
  if (wasDialed || number.callingCode === plans.dialingIn(country ?? "")?.callingCode) return { number, wasDialed };
  const isMeant = classify(number, plans).valid && !isMobileSomewhere(digits, plans);
  return isMeant ? { number, wasDialed } : null;
}

/** Whether these digits are a mobile number in any country, as they're dialed from abroad: in Argentina, with a 9. */
function isMobileSomewhere(digits: string, plans: PlanTable): boolean {
  for (let callingCode = 1; callingCode <= MAX_CALLING_CODE; callingCode++) {
    const assignment = plans.plan(callingCode)?.assignment(digits);
    if (!assignment || assignment.region === NO_COUNTRY_REGION || !MOBILE_TYPES.has(assignment.type)) continue;
    if (assignment.region !== "AR" || assignment.type === "mobile") return true;
  }
  return false;
}

/** Splits international digits into calling code and national number; null if no calling code fits. */
function split(digits: string, plans: PlanTable): PhoneNumber | null {
  const callingCode = plans.planOf(digits)?.callingCode;
  return callingCode === undefined
    ? null
    : { callingCode, nationalNumber: digits.slice(callingCode.length), extension: null };
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+/, "");
}

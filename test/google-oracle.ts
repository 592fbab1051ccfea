import libphonenumber from "google-libphonenumber";
import { COUNTRY_CORRECTIONS, typeCorrections } from "../scripts/data/corrections.ts";
import type { InvalidReason, NumberType } from "../contract/result-values.ts";
import { type Classification, MAX_E164_DIGITS, type PhoneNumber } from "../worker/phone/number.ts";
import { atStart } from "../worker/phone/plan-table.ts";

/** The results of Google's own library, in this project's terms. For tests only: no deployed code may import it. */

const { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } = libphonenumber;
type GoogleNumber = libphonenumber.PhoneNumber;

/** What the typings omit. */
interface NonGeographicApi {
  getExampleNumberForNonGeoEntity(callingCode: number): GoogleNumber | null;
  getSupportedCallingCodes(): number[];
  getSupportedGlobalNetworkCallingCodes(): number[];
}

export const google = PhoneNumberUtil.getInstance() as libphonenumber.PhoneNumberUtil & NonGeographicApi;
// Typed as an enum, but actually an object that maps names to numbers.
const TYPE_NAMES = new Map(
  Object.entries(PhoneNumberType).map(([name, id]) => [
    id as libphonenumber.PhoneNumberType,
    name.toLowerCase() as NumberType,
  ]),
);
const NUMBER_TYPE_IDS = [...TYPE_NAMES.keys()];

const { IS_POSSIBLE, IS_POSSIBLE_LOCAL_ONLY, TOO_SHORT, TOO_LONG, INVALID_LENGTH, INVALID_COUNTRY_CODE } =
  PhoneNumberUtil.ValidationResult;
const REASONS = new Map<libphonenumber.PhoneNumberUtil.ValidationResult, InvalidReason>([
  [IS_POSSIBLE, "UNASSIGNED_RANGE"],
  [IS_POSSIBLE_LOCAL_ONLY, "LOCAL_ONLY"],
  [TOO_SHORT, "TOO_SHORT"],
  [TOO_LONG, "TOO_LONG"],
  [INVALID_LENGTH, "INVALID_LENGTH"],
  [INVALID_COUNTRY_CODE, "INVALID_COUNTRY_CODE"],
]);

/**
 * Messages of errors that Google's parse throws. Google has one error for both an invalid and a missing calling code.
 */
const PARSE_ERRORS: Readonly<Record<string, InvalidReason>> = {
  "Invalid country calling code": "INVALID_COUNTRY_CODE",
  "The string supplied did not seem to be a phone number": "NOT_A_NUMBER",
  "Phone number too short after IDD": "TOO_SHORT",
  "The string supplied is too short to be a phone number": "TOO_SHORT",
  "The string supplied is too long to be a phone number": "TOO_LONG",
};

export interface Description extends Classification {
  readonly e164: string;
  readonly internationalDigits: string;
  readonly national: string;
}

/** Google's example of every type in every region, and of every calling code without a country. */
export function examples(): PhoneNumber[] {
  return [...google.getSupportedRegions().flatMap(examplesOfRegion), ...nonGeographicExamples()];
}

export function examplesOfRegion(region: string): PhoneNumber[] {
  return NUMBER_TYPE_IDS.flatMap((type) => google.getExampleNumberForType(region, type) ?? []).map(fromGoogle);
}

export function nonGeographicExamples(): PhoneNumber[] {
  return google
    .getSupportedGlobalNetworkCallingCodes()
    .flatMap((callingCode) => google.getExampleNumberForNonGeoEntity(callingCode) ?? [])
    .map(fromGoogle);
}

/** Google's parse result: "+CC NATIONAL ext. EXTENSION", or its error as our reason. */
export function googleParse(input: string, country?: string): string {
  try {
    const number = google.parse(input, country);
    return written(fromGoogle(number));
  } catch (error) {
    const reason = error instanceof Error ? PARSE_ERRORS[error.message] : undefined;
    if (reason === undefined) throw error;
    return reason;
  }
}

/** A parsed number as one line, for comparison and diffs. */
export function written({ callingCode, nationalNumber, extension }: PhoneNumber): string {
  return `+${callingCode} ${nationalNumber}${extension === null ? "" : ` ext. ${extension}`}`;
}

/** Google's full result for a number, except for two of our own rules: see `asWeJudge`. */
export function googleDescribe(number: PhoneNumber): Description {
  const their = toGoogle(number);
  const valid = google.isValidNumber(their);
  const possibility = google.isPossibleNumberWithReason(their);
  const classification: Classification = {
    valid,
    possible: possibility === IS_POSSIBLE,
    reason: valid ? null : REASONS.get(possibility)!,
    region: regionOf(number, their),
    type: typeOf(number, their),
  };
  return {
    ...asWeJudge(classification, number),
    e164: google.format(their, PhoneNumberFormat.E164),
    internationalDigits: google.format(their, PhoneNumberFormat.INTERNATIONAL).replace(/\D/g, ""),
    national: google.format(their, PhoneNumberFormat.NATIONAL),
  };
}

/** A valid number is possible, and none has more than 15 digits (worker/phone/README.md). */
function asWeJudge(theirs: Classification, { callingCode, nationalNumber }: PhoneNumber): Classification {
  const isKnown = theirs.reason !== "INVALID_COUNTRY_CODE";
  if (isKnown && callingCode.length + nationalNumber.length > MAX_E164_DIGITS) {
    return { ...theirs, valid: false, possible: false, reason: "TOO_LONG", type: "unknown" };
  }
  return { ...theirs, possible: theirs.possible || theirs.valid };
}

/** Only validity, type, and region. */
export function googleAssignment(number: PhoneNumber): Pick<Classification, "valid" | "region" | "type"> {
  const their = toGoogle(number);
  return {
    valid: google.isValidNumber(their),
    region: regionOf(number, their),
    type: typeOf(number, their),
  };
}

/** Its formats, exactly. */
export function googleFormats(number: PhoneNumber): Record<"national" | "international" | "rfc3966", string> {
  const their = toGoogle(number);
  return {
    national: google.format(their, PhoneNumberFormat.NATIONAL),
    international: google.format(their, PhoneNumberFormat.INTERNATIONAL),
    rfc3966: google.format(their, PhoneNumberFormat.RFC3966),
  };
}

/** Google's format for callers abroad, with its hyphens. */
export function googleInternational(number: PhoneNumber): string {
  return googleFormats(number).international;
}

/** With our corrections, which also apply where no range of Google's matches. */
function regionOf({ callingCode, nationalNumber }: PhoneNumber, their: GoogleNumber): string | null {
  const region = google.getRegionCodeForNumber(their) ?? null;
  const correction = COUNTRY_CORRECTIONS.find(
    (one) =>
      one.callingCode === callingCode &&
      (region === one.google || region === null) &&
      atStart(one.leadingDigits)!.test(nationalNumber),
  );
  return correction?.ours ?? region;
}

/** Google's own type, without our corrections. */
export function googleType(number: GoogleNumber): NumberType {
  return TYPE_NAMES.get(google.getNumberType(number))!;
}

/** With our corrections. */
function typeOf({ callingCode, nationalNumber }: PhoneNumber, their: GoogleNumber): NumberType {
  const type = googleType(their);
  const correction = typeCorrections(callingCode).find(
    ({ leadingDigits, google: theirs }) => theirs === type && atStart(leadingDigits)!.test(nationalNumber),
  );
  return correction?.ours ?? type;
}

function fromGoogle(number: GoogleNumber): PhoneNumber {
  return {
    callingCode: String(number.getCountryCode()),
    nationalNumber: google.getNationalSignificantNumber(number),
    extension: number.getExtension() ?? null,
  };
}

function toGoogle({ callingCode, nationalNumber, extension }: PhoneNumber): GoogleNumber {
  const number = new libphonenumber.PhoneNumber();
  number.setCountryCode(Number(callingCode));
  // Like in Google's parse, the last digit never counts as a leading zero.
  const leadingZeros = /^0*(?=\d)/.exec(nationalNumber)![0].length;
  const digits = nationalNumber.slice(leadingZeros);
  number.setNationalNumber(Number(digits));
  // Floating point rounds more than 15 digits. Google's rules treat them as text, so they stay text here.
  number.getNationalNumber = () => digits as unknown as number;
  if (leadingZeros > 0) {
    number.setItalianLeadingZero(true);
    number.setNumberOfLeadingZeros(leadingZeros);
  }
  if (extension !== null) number.setExtension(extension);
  return number;
}

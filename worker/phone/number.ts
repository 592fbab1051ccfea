import type { InvalidReason, NumberType } from "../../contract/result-values.ts";

/** The parts of a phone number, which may not exist. */
export interface PhoneNumber {
  /** Country calling code, digits only: "55". */
  readonly callingCode: string;
  /** National significant number, digits only, including leading zeros (as in Italy): "11987654321". */
  readonly nationalNumber: string;
  /** The extension's digits, or null. */
  readonly extension: string | null;
}

/** A number with its E.164 form, from `formatE164`. */
export interface E164Number extends PhoneNumber {
  readonly e164: string;
}

export const MAX_CALLING_CODE_LENGTH = 3;

/** The shortest and longest national significant number we parse, in digits. */
export const MIN_NATIONAL_LENGTH = 2;
export const MAX_NATIONAL_LENGTH = 17;

/** The most digits of an international number, including its calling code (ITU-T E.164, 6.1). */
export const MAX_E164_DIGITS = 15;

/** libphonenumber's region for calling codes without a country. */
export const NO_COUNTRY_REGION = "001";

/** A number's status in its numbering plan. */
export interface Classification {
  readonly valid: boolean;
  /** Whether the number is valid or has a length the plan uses for complete numbers. */
  readonly possible: boolean;
  /** Null if and only if valid. */
  readonly reason: InvalidReason | null;
  /** ISO 3166-1 alpha-2, "001" for calling codes without a country, null if no region of the calling code fits. */
  readonly region: string | null;
  readonly type: NumberType;
}

import type { InvalidReason, NumberType } from "../../contract/result-values.ts";

/** A phone number taken apart, before anything is known about whether it exists. */
export interface PhoneNumber {
  /** Country calling code, digits only: "55". */
  readonly callingCode: string;
  /** National significant number, digits only, with its leading zeros where it has them (Italy): "11987654321". */
  readonly nationalNumber: string;
  /** Digits of the extension, or null. */
  readonly extension: string | null;
}

export const MAX_CALLING_CODE_LENGTH = 3;

/** Shortest and longest national significant number that is read, in digits. */
export const MIN_NATIONAL_LENGTH = 2;
export const MAX_NATIONAL_LENGTH = 17;

/** Most digits of an international number, calling code included (ITU-T E.164, 6.1). */
export const MAX_E164_DIGITS = 15;

/** How libphonenumber calls the region of calling codes that belong to no country. */
export const NO_COUNTRY_REGION = "001";

/** What the numbering plan says about a number. */
export interface Classification {
  readonly valid: boolean;
  /** True for every valid number, and for lengths that the plan uses for complete numbers. */
  readonly possible: boolean;
  /** Null exactly when valid. */
  readonly reason: InvalidReason | null;
  /** ISO 3166-1 alpha-2, "001" for calling codes of no country, null when the number fits no region of its calling code. */
  readonly region: string | null;
  readonly type: NumberType;
}

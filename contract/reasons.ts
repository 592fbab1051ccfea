/**
 * What a result's codes mean, a row for each. Types, OpenAPI, SDKs, docs, the drawing, notes of lists, the command line,
 * and `explain_reason` read these tables. Without schemas, so the engine loads alone.
 */

export interface Meaning {
  /** For developers: sentences, with code in backticks. */
  readonly message: string;
  /** For the person who entered the number; of a flag, a name. */
  readonly hint: string;
  /** The section of the docs that says more. */
  readonly docs?: string;
}

/** What is sent: an input, and its country. */
export type Example = readonly [number: string, country?: string];

export interface Reason extends Meaning {
  /** What to do about it. */
  readonly fix: string;
  /** An input with this reason. */
  readonly example: Example;
}

/** Why a number is invalid. */
export const REASONS = {
  NOT_A_NUMBER: {
    message: "The input doesn't look like a phone number.",
    fix: "Ask for a phone number.",
    hint: "This isn’t a phone number.",
    docs: "/docs/reading-numbers#everything-else",
    example: ["call me"],
  },
  MULTIPLE_NUMBERS: {
    message: "The input has more than one number. `candidates` lists the valid ones.",
    fix: "Ask which one to use, or send each on its own.",
    hint: "There’s more than one number. Use one of them.",
    docs: "/docs/reading-numbers#more-than-one-number",
    example: ["0612345678;0687654321", "FR"],
  },
  MASKED: {
    message: "Some digits are hidden behind `X`, `*`, `•`, or dots.",
    fix: "Ask for the whole number.",
    hint: "Some digits are hidden. Enter the whole number.",
    docs: "/docs/reading-numbers#hidden-digits",
    example: ["98XXXXXX10", "IN"],
  },
  LETTERS: {
    message: "There are letters among the digits, such as an O in place of a zero.",
    fix: "Ask the user to check the digits.",
    hint: "There are letters among the digits. Replace them with digits.",
    docs: "/docs/reading-numbers#letters-among-the-digits",
    example: ["+1 202a555 0123"],
  },
  DIGITS_LOST: {
    message: "A spreadsheet stored the number in scientific notation and dropped digits.",
    fix: "Get it from the source again, in a column formatted as text.",
    hint: "A spreadsheet dropped some digits. Enter the number again.",
    docs: "/docs/reading-numbers#spreadsheets",
    example: ["4.479E+11"],
  },
  MISSING_COUNTRY_CODE: {
    message: "The number has no plus sign and the request has no `country`.",
    fix: "Send the country, or the number with + and calling code.",
    hint: "Add + and the calling code.",
    example: ["202 456 1414"],
  },
  INVALID_COUNTRY_CODE: {
    message: "The digits after the plus sign don't start with a calling code.",
    fix: "Check what follows the +.",
    hint: "No country has this calling code. Check what follows the +.",
    example: ["+999 123 4567"],
  },
  TOO_SHORT: {
    message: "The number has fewer digits than any number of its country.",
    fix: "Ask for the missing digits.",
    hint: "Too short for this country. Add the missing digits.",
    example: ["+1 202"],
  },
  TOO_LONG: {
    message: "The number has more digits than any number of its country, or the input is too long to read.",
    fix: "Ask for one number, with nothing around it.",
    hint: "Too long for this country. Remove what isn’t part of the number.",
    example: ["+1 202 456 1414 1414"],
  },
  INVALID_LENGTH: {
    message: "The length is between the shortest and the longest, but no number in its country has it.",
    fix: "Ask the user to check the digits.",
    hint: "No number in this country has this length. Check the digits.",
    example: ["+376 312 3456"],
  },
  LOCAL_ONLY: {
    message: "The number can only be dialed within its area, such as a US number without its area code.",
    fix: "Ask for the area code.",
    hint: "This only works within its area. Add the area code.",
    example: ["456 1414", "US"],
  },
  UNASSIGNED_RANGE: {
    message: "The length is right, but the country's numbering plan hasn't assigned the range.",
    fix: "Ask the user to check the digits.",
    hint: "This range isn’t assigned. Check for a wrong or missing digit.",
    example: ["+55 11 1876 54321"],
  },
  SHORT_CODE: {
    message: "A short or emergency number that only works within its country.",
    fix: "Ask for a phone number.",
    hint: "This is a short code, which only works within its country. Enter a full number.",
    docs: "/docs/response-schema#field-short_code",
    example: ["112", "DE"],
  },
} as const satisfies Record<string, Reason>;

export interface Rejection extends Meaning {
  readonly fix?: string;
}

/** Why a number doesn't meet the request's conditions. */
export const REJECTIONS = {
  INVALID_NUMBER: {
    message: "The number is invalid. See `reason`.",
    hint: "Not accepted: invalid number.",
  },
  OTHER_COUNTRY: {
    message: "The number is valid, but its country isn't `expect_country`, or it has none.",
    hint: "Not accepted: the number belongs to another country.",
  },
  OTHER_TYPE: {
    message: "The number is valid, but its `number_type` isn't one of `accept_types`.",
    hint: "Not accepted: the number is another type.",
  },
  LINE_TYPE_NOT_ACCEPTED: {
    message: "The number is valid, but its `line_type` isn't one of `accept_line_types`.",
    hint: "Not accepted: the line is another type, or its type is unknown.",
    docs: "/docs/verify#the-line-you-accept",
  },
  NOT_ALLOCATED: {
    message: "The number is valid, but the regulator lists its range as unassigned, so no one can have it.",
    fix: "Ask the user to check the digits.",
    hint: "Not accepted: the number’s range isn’t assigned to anyone.",
    docs: "/docs/response-schema#field-allocation",
  },
} as const satisfies Record<string, Rejection>;

export interface Suggestion extends Meaning {
  /** An input with a suggestion for this reason. */
  readonly example: Example;
}

/** How a suggested number differs from the one sent. */
export const SUGGESTIONS = {
  MISSING_PLUS: {
    message: "The digits are an international number without its plus sign, or with 00 or 011. The suggestion has it.",
    hint: "The plus sign is missing.",
    example: ["5511987654321"],
  },
  CALLING_CODE_TWICE: {
    message: "The number has its calling code twice. The suggestion has it once.",
    hint: "The calling code appears twice.",
    example: ["+55 55 11 98765 4321"],
  },
  TRUNK_PREFIX_KEPT: {
    message: "A zero that's only dialed within the country follows the calling code. The suggestion doesn't have it.",
    hint: "The zero is only dialed within the country.",
    example: ["+39 0347 1234567"],
  },
  NUMBERING_PLAN_CHANGED: {
    message: "The number predates a change to its country's numbering plan. The suggestion uses the current format.",
    hint: "The country has changed its numbers.",
    example: ["+55 11 8765 4321"],
  },
  MOBILE_PREFIX: {
    message:
      "An Argentine mobile number lacks the 9 for callers abroad, or has the 15 for domestic callers. The suggestion is what callers abroad dial.",
    hint: "Callers abroad dial this country’s mobile numbers differently.",
    example: ["+54 9 11 15 2345 6789"],
  },
  OVERSEAS_CODE: {
    message:
      "The number is dialed like a national one, but has another calling code abroad, as in the French overseas departments, or in Northern Ireland for callers from Ireland. The suggestion has that code.",
    hint: "Callers abroad dial another calling code.",
    example: ["0692 12 34 56", "FR"],
  },
  LEADING_ZERO_LOST: {
    message:
      "Numbers in this country (Italy, San Marino, Ivory Coast, Benin, or Congo) start with a zero, which is missing. Spreadsheets drop it. The suggestion has it.",
    hint: "The zero in front is missing.",
    example: ["266301234", "IT"],
  },
  AREA_CODE_MISSING: {
    message: "A Curaçao number lacks its area code, 9. The suggestion has it.",
    hint: "The area code is missing.",
    example: ["461 1234", "CW"],
  },
  PLUS_BEFORE_NATIONAL: {
    message:
      "There's a plus sign before a number in national format. The suggestion reads it in the request's `country`.",
    hint: "The number is national, so the plus sign is wrong.",
    example: ["+(212) 555-0147", "US"],
  },
  LETTER_FOR_DIGIT: {
    message: "There are letters that look like digits. The suggestion reads O as 0, and l and I as 1.",
    hint: "A letter stands in place of a digit.",
    example: ["+44 2O 7946 0018"],
  },
  SERVICE_CODE_KEPT: {
    message:
      "There's a code dialed before the number, such as one that hides the caller's. The suggestion doesn't have it.",
    hint: "The code before it isn’t part of the number.",
    example: ["*31# 0612 345 678", "NL"],
  },
} as const satisfies Record<string, Suggestion>;

export interface Flag extends Meaning {
  /** What it's based on, as the docs say: a publication, or our own rule of thumb. */
  readonly source: string;
}

const RULE_OF_THUMB = "Our rule of thumb";

/** Observations that affect whether a message or call will arrive. */
export const FLAGS = {
  reserved_for_fiction: {
    message: "The range is reserved for films, books, and examples.",
    hint: "Reserved for fiction",
    source: "Published, below",
  },
  not_allocated: {
    message: "The regulator's register lists the range as free, or doesn't list it, though it covers the area code.",
    hint: "Range not assigned",
    docs: "/docs/response-schema#field-allocation",
    source: "`allocation`",
  },
  premium_rate: {
    message: "The range is for services that charge the caller extra.",
    hint: "Premium rate",
    source: "Numbering plan",
  },
  toll_free: {
    message: "The range is for calls that the called party pays for.",
    hint: "Toll-free",
    source: "Numbering plan",
  },
  shared_cost: {
    message: "The range is for calls whose cost both parties share.",
    hint: "Shared cost",
    source: "Numbering plan",
  },
  non_geographic: {
    message:
      "The calling code doesn't belong to a country, or the range is for universal access, personal, or internet telephony numbers, which follow their subscriber anywhere.",
    hint: "Not tied to an area",
    source: "[ITU-T E.164](https://www.itu.int/rec/T-REC-E.164), numbering plan",
  },
  repeated_digits: {
    message:
      "The number has one digit seven or more times in a row, or a national number with just one distinct digit. Often made up, though it can be real.",
    hint: "Repeated digits",
    source: RULE_OF_THUMB,
  },
  trailing_zeros: {
    message: "The number ends in four or more zeros. Often a placeholder or a switchboard, though it can be real.",
    hint: "Ends in zeros",
    source: RULE_OF_THUMB,
  },
  trailing_words: {
    message:
      "Words or a note after the number, as in `+49 30 901820 Fax` or `(24h)`, were left out, since it's valid without them.",
    hint: "Trailing words ignored",
    docs: "/docs/reading-numbers#notations",
    source: RULE_OF_THUMB,
  },
  missing_plus: {
    message:
      "The number came without its plus sign and with its country's calling code. Its digits could also be a landline of the country, which hardly anyone means.",
    hint: "Plus sign missing",
    docs: "/docs/reading-numbers#notations",
    source: RULE_OF_THUMB,
  },
  spreadsheet_damage: {
    message: "A spreadsheet turned the number into `6641234567.0` or `6.641234567E9`. All its digits are there.",
    hint: "Damaged by a spreadsheet",
    docs: "/docs/reading-numbers#spreadsheets",
    source: RULE_OF_THUMB,
  },
  short_code: {
    message: "A short code, which only works within its country and isn't a phone number.",
    hint: "Short code",
    docs: "/docs/response-schema#field-short_code",
    source: "Short-number data",
  },
  emergency: {
    message: "A short code that reaches an emergency service.",
    hint: "Reaches an emergency service",
    docs: "/docs/response-schema#field-short_code",
    source: "Short-number data",
  },
} as const satisfies Record<string, Flag>;

/** A code's hint; the code itself if only a later version has it, as a page that was loaded before may find. */
export function hintOf(rows: Readonly<Record<string, Meaning>>, code: string): string {
  return Object.hasOwn(rows, code) ? rows[code]!.hint : code;
}

import { createRequire } from "node:module";
import googleLibphonenumber from "google-libphonenumber";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { CountryCode } from "libphonenumber-js/max";
import { DATA_RELEASES } from "../../contract/data.ts";
import { verify } from "../../test/engine.ts";

/** What a contender says about an input. */
export interface Answer {
  readonly valid: boolean;
  /** Whether it may be a mobile number: a type of both counts. */
  readonly mobile: boolean;
  readonly country: string | null;
  /** In E.164, also of an invalid number if the contender has it. */
  readonly number: string | null;
}

/** A contender, and the call that its documentation recommends for checking what a person typed. */
interface Contender {
  readonly name: string;
  /** "google-libphonenumber 3.2.47" */
  readonly release: string;
  /** The day of the release, in UTC. */
  readonly released: string;
  readonly call: string;
  /** @param country the hint */
  readonly ask: (input: string, country: string | undefined) => Answer;
}

const NOTHING: Answer = { valid: false, mobile: false, country: null, number: null };

/** When the registry got each release. */
const RELEASED: Readonly<Record<string, string>> = {
  "google-libphonenumber 3.2.47": "2026-09-29",
  "libphonenumber-js 1.13.16": "2026-11-10",
};

function installed(name: string): Pick<Contender, "release" | "released"> {
  const { version } = createRequire(import.meta.url)(`${name}/package.json`) as { version: string };
  const released = RELEASED[`${name} ${version}`];
  if (released === undefined) throw new Error(`Add the day of ${name} ${version} to RELEASED.`);
  return { release: `${name} ${version}`, released };
}

const { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } = googleLibphonenumber;
const google = PhoneNumberUtil.getInstance();

function askGoogle(input: string, country: string | undefined): Answer {
  let number: googleLibphonenumber.PhoneNumber;
  try {
    number = google.parse(input, country);
  } catch {
    return NOTHING;
  }
  const type = google.getNumberType(number);
  return {
    valid: google.isValidNumber(number),
    mobile: type === PhoneNumberType.MOBILE || type === PhoneNumberType.FIXED_LINE_OR_MOBILE,
    country: google.getRegionCodeForNumber(number) ?? null,
    number: google.format(number, PhoneNumberFormat.E164),
  };
}

function askLibphonenumberJs(input: string, country: string | undefined): Answer {
  // The default export of the documentation, by its other name.
  const number = parsePhoneNumberFromString(input, country as CountryCode | undefined);
  if (number === undefined) return NOTHING;
  const type = number.getType();
  return {
    valid: number.isValid(),
    mobile: type === "MOBILE" || type === "FIXED_LINE_OR_MOBILE",
    country: number.country ?? null,
    number: number.number,
  };
}

/** A register may say that a number of either type is fixed. Without one, a type of both counts, as with the others. */
function askCheckline(input: string, country: string | undefined): Answer {
  const { valid, number, country_code, number_type, line_type } = verify(input, country);
  const isEither = number_type === "mobile" || number_type === "fixed_line_or_mobile";
  return { valid, mobile: line_type === "mobile" || (line_type === null && isEither), country: country_code, number };
}

/** Ours is the first. */
export const CONTENDERS: readonly Contender[] = [
  {
    name: "Checkline",
    release: `its plans, ${DATA_RELEASES.numbering_plans.source}`,
    released: DATA_RELEASES.numbering_plans.date!,
    call: "verify",
    ask: askCheckline,
  },
  {
    name: "Google's library",
    ...installed("google-libphonenumber"),
    call: "parse, isValidNumber",
    ask: askGoogle,
  },
  {
    name: "libphonenumber-js",
    ...installed("libphonenumber-js"),
    call: "parsePhoneNumber, isValid, of libphonenumber-js/max",
    ask: askLibphonenumberJs,
  },
];

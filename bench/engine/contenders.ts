import { parsePhoneNumber as awesomeParse } from "awesome-phonenumber";
import libphonenumber from "google-libphonenumber";
import { parsePhoneNumber } from "libphonenumber-js/max";
import { classify, formatInternational, formatNational, plans, verify } from "../../test/engine.ts";
import { parseNumber } from "../../worker/phone/parse.ts";
import { readClean } from "../../worker/phone/read-clean.ts";
import type { Sample } from "./corpus.ts";

/** The timed tasks. Tasks that don't start from a string start from the contender's own parse result. */
export const TASKS = [
  // Ours with every field of a result, the others' with parse, valid, type, region, and two formats.
  "whole result of E.164",
  "valid, type, region of E.164",
  "valid, type, region of a parsed number",
  "parse E.164",
  "parse international format",
  "parse national format",
  "national format of a parsed number",
  "international format of a parsed number",
] as const;
export type Task = (typeof TASKS)[number];

/**
 * Returns the function that does a task for the sample at an index. Its return value is consumed, so that no work is
 * skipped.
 */
type Prepare = (samples: readonly Sample[]) => (index: number) => unknown;

export interface Contender {
  readonly name: string;
  readonly tasks: Partial<Record<Task, Prepare>>;
}

const { PhoneNumberFormat, PhoneNumberUtil } = libphonenumber;
const google = PhoneNumberUtil.getInstance();

function googleFacts(number: libphonenumber.PhoneNumber): number {
  const valid = google.isValidNumber(number);
  const region = google.getRegionCodeForNumber(number);
  return google.getNumberType(number) + (valid ? 1 : 0) + (region?.length ?? 0);
}

function libphonenumberJsFacts(number: ReturnType<typeof parsePhoneNumber>): number {
  const valid = number.isValid();
  return (number.getType()?.length ?? 0) + (valid ? 1 : 0) + (number.country?.length ?? 0);
}

/** It parses, validates, and finds type and region in one step; only the formats are lazy. */
function awesomeFacts(number: ReturnType<typeof awesomeParse>): number {
  return (number.type?.length ?? 0) + (number.valid ? 1 : 0) + (number.regionCode?.length ?? 0);
}

const checkline: Contender = {
  name: "checkline",
  tasks: {
    "whole result of E.164": (samples) => (index) => verify(samples[index]!.e164),
    "valid, type, region of E.164": (samples) => (index) => readClean(samples[index]!.e164, plans)?.classification,
    "valid, type, region of a parsed number": (samples) => (index) => classify(samples[index]!.number),
    "parse E.164": (samples) => (index) => readClean(samples[index]!.e164, plans),
    "parse international format": (samples) => (index) => readClean(samples[index]!.international, plans),
    "parse national format": (samples) => (index) =>
      parseNumber(samples[index]!.dialed, samples[index]!.country, plans),
    "national format of a parsed number": (samples) => (index) => formatNational(samples[index]!.number),
    "international format of a parsed number": (samples) => (index) => formatInternational(samples[index]!.number),
  },
};

function parsedOnce<T>(parse: (e164: string) => T, task: (number: T) => unknown): Prepare {
  return (samples) => {
    const numbers = samples.map(({ e164 }) => parse(e164));
    return (index) => task(numbers[index]!);
  };
}

const parseByGoogle = (e164: string) => google.parse(e164);
const parseByJs = (e164: string) => parsePhoneNumber(e164);

/** This project's engine first, as the baseline. */
export const CONTENDERS: readonly Contender[] = [
  checkline,
  {
    name: "libphonenumber-js (max)",
    tasks: {
      "whole result of E.164": (samples) => (index) => {
        const number = parsePhoneNumber(samples[index]!.e164);
        return libphonenumberJsFacts(number) + number.formatNational() + number.formatInternational();
      },
      "valid, type, region of E.164": (samples) => (index) =>
        libphonenumberJsFacts(parsePhoneNumber(samples[index]!.e164)),
      "valid, type, region of a parsed number": parsedOnce(parseByJs, libphonenumberJsFacts),
      "parse E.164": (samples) => (index) => parsePhoneNumber(samples[index]!.e164),
      "parse international format": (samples) => (index) => parsePhoneNumber(samples[index]!.international),
      "parse national format": (samples) => (index) =>
        parsePhoneNumber(samples[index]!.dialed, samples[index]!.country),
      "national format of a parsed number": parsedOnce(parseByJs, (number) => number.formatNational()),
      "international format of a parsed number": parsedOnce(parseByJs, (number) => number.formatInternational()),
    },
  },
  {
    name: "google-libphonenumber",
    tasks: {
      "whole result of E.164": (samples) => (index) => {
        const number = google.parse(samples[index]!.e164);
        const national = google.format(number, PhoneNumberFormat.NATIONAL);
        return googleFacts(number) + national + google.format(number, PhoneNumberFormat.INTERNATIONAL);
      },
      "valid, type, region of E.164": (samples) => (index) => googleFacts(google.parse(samples[index]!.e164)),
      "valid, type, region of a parsed number": parsedOnce(parseByGoogle, googleFacts),
      "parse E.164": (samples) => (index) => google.parse(samples[index]!.e164),
      "parse international format": (samples) => (index) => google.parse(samples[index]!.international),
      "parse national format": (samples) => (index) => google.parse(samples[index]!.dialed, samples[index]!.country),
      "national format of a parsed number": parsedOnce(parseByGoogle, (number) =>
        google.format(number, PhoneNumberFormat.NATIONAL),
      ),
      "international format of a parsed number": parsedOnce(parseByGoogle, (number) =>
        google.format(number, PhoneNumberFormat.INTERNATIONAL),
      ),
    },
  },
  {
    name: "awesome-phonenumber",
    tasks: {
      "whole result of E.164": (samples) => (index) => {
        const number = awesomeParse(samples[index]!.e164);
        return awesomeFacts(number) + (number.number?.national ?? "") + (number.number?.international ?? "");
      },
      "valid, type, region of E.164": (samples) => (index) => awesomeFacts(awesomeParse(samples[index]!.e164)),
    },
  },
];

import { FLAGS, hintOf, REASONS, SUGGESTIONS } from "../../../contract/reasons.ts";
import type { VerificationResult } from "../../../contract/verification.ts";
import { lineTypeName } from "../../lib/line-types.ts";

/** One thing that a part of the number reveals. */
export interface Fact {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
  /** `unknown` if the numbering plan doesn't say, `doubt` for warning signs, `wrong` for what makes it invalid. */
  readonly tone?: "unknown" | "doubt" | "wrong" | undefined;
  /** The result's field that says so. */
  readonly field?: keyof VerificationResult;
}

/** A stretch of digits and what it reveals; the facts are in reading order. */
export interface Part {
  readonly digits: string;
  /** Struck through: these digits are why the number is invalid. */
  readonly wrong?: boolean | undefined;
  readonly facts: readonly Fact[];
}

/** Why a result's suggestion may be the intended number, in a sentence; null without one. */
export function suggestionText({ suggestion, country_code, country_name }: VerificationResult): string | null {
  if (suggestion === null) return null;
  const isOfPlan = suggestion.reason === "NUMBERING_PLAN_CHANGED";
  if (isOfPlan && country_code === "BR") return "By 2016, Brazil had added a 9 to every mobile number.";
  if (isOfPlan && country_name !== null) return `${country_name} has changed its numbers.`;
  return hintOf(SUGGESTIONS, suggestion.reason);
}

/**
 * What a suggestion adds or changes, for marking it.
 * @param from the number as read, or as typed
 * @param to the suggested number
 * @returns `to` in three pieces: what both start with, what is new, and what both end with
 */
export function suggestedDigits(from: string, to: string): readonly [start: string, added: string, end: string] {
  const old = from.replaceAll(/[^\d+]/g, "");
  let start = 0;
  while (start < old.length && old[start] === to[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < to.length - start && old.at(-1 - end) === to.at(-1 - end)) end += 1;
  return [to.slice(0, start), to.slice(start, to.length - end), to.slice(to.length - end)];
}

function carrier({ carrier: brand, allocation }: VerificationResult): Fact {
  if (brand !== null) return { label: "Carrier", value: brand, note: ALLOCATED, field: "carrier" };
  const holder = allocation?.holder ?? null;
  return holder === null
    ? { label: "Carrier", value: "Unknown", note: "not in our data", tone: "unknown", field: "carrier" }
    : { label: "Holder", value: holder, note: ALLOCATED, field: "allocation" };
}

/** Porting may have changed it since. */
const ALLOCATED = "original allocation";

function lineType(result: VerificationResult): Fact {
  const known = lineTypeName(result);
  return known === undefined
    ? { label: "Line type", value: "Unknown", note: "mobile or landline", tone: "unknown", field: "line_type" }
    : {
        label: "Line type",
        value: known,
        field: "line_type",
        ...(result.line_type_source === "original_allocation" && { note: ALLOCATED }),
      };
}

/** What no numbering plan can tell about a number. */
const IN_SERVICE: Fact = { label: "In service", value: "Not checked", tone: "unknown", field: "reachability" };

function timeZones({ time_zones }: VerificationResult): string {
  const [first = "", ...others] = time_zones;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function flags({ deliverability }: Pick<VerificationResult, "deliverability">): Fact[] {
  return deliverability.flags.map((flag) => ({
    label: "Flag",
    value: hintOf(FLAGS, flag),
    tone: "doubt",
    field: "deliverability",
  }));
}

/**
 * How many groups after the calling code lead up to and include the area code; 0 if none is one. Follows
 * libphonenumber: Argentina's mobiles have a 9 before the area, China's and Indonesia's have the area in later digits.
 */
function areaGroups(
  { country_prefix, number_type, location, country_name }: VerificationResult,
  first: string,
): 0 | 1 | 2 {
  if (location === null || location === country_name) return 0;
  if (number_type !== "mobile") return 1;
  if (country_prefix === "+86" || country_prefix === "+62") return 0;
  return country_prefix === "+54" && first === "9" ? 2 : 1;
}

/**
 * Splits a verified number into calling code, area or range, and subscriber.
 * @param result a verification result; an invalid number has no parts
 * @returns two to four parts, in international format; none for an invalid number
 */
export function anatomyOf(result: VerificationResult): Part[] {
  if (!result.valid || result.international_format === null) return [];
  const [callingCode = "", first = "", ...rest] = result.international_format.split(" ");
  const country: Fact = {
    label: "Country",
    value: result.country_name ?? "No country: an international service",
    field: "country_name",
  };
  const groups = areaGroups(result, first);
  const area: Fact = { label: "Area", value: result.location ?? "", note: timeZones(result), field: "location" };

  if (groups === 2 && rest.length > 1) {
    return [
      { digits: callingCode, facts: [country] },
      { digits: first, facts: [lineType(result)] },
      { digits: rest[0]!, facts: [area] },
      { digits: rest.slice(1).join(" "), facts: [carrier(result), ...flags(result), IN_SERVICE] },
    ];
  }
  if (groups === 1 && rest.length > 0) {
    return [
      { digits: callingCode, facts: [country] },
      { digits: first, facts: [area] },
      { digits: rest.join(" "), facts: [carrier(result), lineType(result), ...flags(result), IN_SERVICE] },
    ];
  }
  const range = [carrier(result), lineType(result)];
  const placed = { ...country, note: timeZones(result) };
  const inCountry = result.location === null || result.location === result.country_name;
  if (rest.length === 0) {
    return [
      { digits: callingCode, facts: [placed] },
      { digits: first, facts: [...range, ...(inCountry ? [] : [area]), ...flags(result), IN_SERVICE] },
    ];
  }
  const subscriber = [...(inCountry ? [] : [area]), ...flags(result), IN_SERVICE];
  return [
    { digits: callingCode, facts: [inCountry ? placed : country] },
    { digits: first, facts: range },
    { digits: rest.join(" "), facts: subscriber },
  ];
}

/** Why a number is invalid, and what to do about it. */
export function problemOf({ reason, deliverability }: Pick<VerificationResult, "reason" | "deliverability">): string {
  return deliverability.flags.includes("reserved_for_fiction")
    ? "Reserved for movies and books. No one has it."
    : hintOf(REASONS, reason ?? "NOT_A_NUMBER");
}

/** Whose plan reserves numbers for fiction, of the calling codes that several countries share. */
const RESERVERS: Readonly<Record<string, string>> = { "+44": "United Kingdom", "+61": "Australia" };

/** The longest run of text that the drawing of an invalid number shows. */
const LONGEST = 24;

/**
 * Splits an invalid number into calling code and the rest, which is why it's invalid.
 * @param result the result of an invalid number
 * @param typed what was sent, for an input that has no number
 * @param problem why it's invalid, in a few words
 * @returns one or two parts, the last one `wrong`
 */
export function brokenAnatomyOf(result: VerificationResult, typed: string, problem: string): Part[] {
  const { number, country_prefix, national_number, country_name, deliverability } = result;
  const facts: Fact[] = [
    { label: "Problem", value: problem, tone: "wrong", field: "reason" },
    ...flags({ deliverability }),
  ];
  if (number === null || country_prefix === null || !national_number) {
    const text = number ?? typed.trim();
    return [{ digits: text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text, facts, wrong: true }];
  }
  const known = country_name ?? (deliverability.flags.includes("reserved_for_fiction") && RESERVERS[country_prefix]);
  const country: Fact = known
    ? { label: "Country", value: known, field: "country_name" }
    : {
        label: "Country",
        value: "Unknown",
        note: "several countries share this code",
        tone: "unknown",
        field: "country_name",
      };
  return [
    { digits: country_prefix, facts: [country] },
    { digits: national_number, facts, wrong: true },
  ];
}

const LIKELIHOOD_NAMES = { likely: "Likely", unlikely: "Unlikely", unknown: "Unknown" } as const;

/**
 * What the mark after a number means, and what the plan says about reaching it.
 * @param took milliseconds until the response; null if it wasn't a call
 */
export function verdictOf({ valid, deliverability: { sms, voice } }: VerificationResult, took: number | null): Fact[] {
  const facts: Fact[] = [
    { label: "Valid", value: valid ? "Yes" : "No", tone: valid ? undefined : "wrong", field: "valid" },
    ...(valid ? [likelihood("Messages", sms), likelihood("Calls", voice)] : []),
  ];
  if (took !== null) facts.push({ label: "Response", value: `${Math.max(1, Math.round(took))} ms` });
  return facts;
}

function likelihood(label: string, value: keyof typeof LIKELIHOOD_NAMES): Fact {
  return {
    label,
    value: LIKELIHOOD_NAMES[value],
    tone: value === "likely" ? undefined : "unknown",
    field: "deliverability",
  };
}

import type { DeliverabilityFlag, Likelihood, NumberType } from "../../contract/result-values.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import { isReservedForFiction } from "./fictional-ranges.ts";
import { type Classification, NO_COUNTRY_REGION, type PhoneNumber } from "./number.ts";

export type Deliverability = VerificationResult["deliverability"];

interface Reach {
  readonly sms: Likelihood;
  readonly voice: Likelihood;
}

/** What numbers of each type can receive, from anywhere in the world. The only source of the estimates. */
const REACH_BY_TYPE: Record<NumberType, Reach> = {
  mobile: { sms: "likely", voice: "likely" },
  // Few landlines have text service.
  fixed_line: { sms: "unlikely", voice: "likely" },
  // The plan mixes both, as most of +1 does.
  fixed_line_or_mobile: { sms: "unknown", voice: "likely" },
  // Text depends on the provider.
  voip: { sms: "unknown", voice: "likely" },
  // Often reachable only from their own country; text only if the subscriber added it.
  toll_free: { sms: "unlikely", voice: "unknown" },
  shared_cost: { sms: "unlikely", voice: "unknown" },
  // Barred by many carriers, and rarely reachable from abroad.
  premium_rate: { sms: "unlikely", voice: "unknown" },
  // An organization's number for calls, answered by a switchboard.
  uan: { sms: "unlikely", voice: "likely" },
  // Forwards to a line the subscriber chooses; text may or may not be forwarded.
  personal_number: { sms: "unknown", voice: "likely" },
  // Receives messages through its own service, neither text messages nor conversations.
  pager: { sms: "unlikely", voice: "unlikely" },
  // A machine answers the call, which may or may not be what the caller wants.
  voicemail: { sms: "unlikely", voice: "unknown" },
  unknown: { sms: "unknown", voice: "unknown" },
};

/** An invalid or unassigned number has no subscriber, and neither does a fictional one, by design. */
const UNREACHABLE: Reach = { sms: "unlikely", voice: "unlikely" };

// Narrower than "not geographic" in libphonenumber, which would flag mobiles almost everywhere. Toll-free,
// premium-rate, and shared-cost numbers are not tied to a place either, but already have a more specific flag.
const NON_GEOGRAPHIC_TYPES: ReadonlySet<NumberType> = new Set(["uan", "personal_number", "voip"]);

/** The length of the shortest common subscriber numbers, so that a subscriber number made of one digit is caught. */
const REPETITIONS = 7;

/** A valid number's flags, as far as the number shows, in the order of FLAGS, which has their sources. */
function flagsOf(number: PhoneNumber, { type, region }: Classification): DeliverabilityFlag[] {
  const flags: DeliverabilityFlag[] = [];
  if (isReservedForFiction(number)) flags.push("reserved_for_fiction");
  if (type === "premium_rate" || type === "toll_free" || type === "shared_cost") flags.push(type);
  if (region === NO_COUNTRY_REGION || NON_GEOGRAPHIC_TYPES.has(type)) flags.push("non_geographic");
  if (hasRepeatedDigits(number.nationalNumber)) flags.push("repeated_digits");
  if (number.nationalNumber.endsWith("0000")) flags.push("trailing_zeros");
  return flags;
}

/**
 * What the numbering plan says about reaching a number by text message and by call. No network is queried.
 * @param number null for none: like an invalid one, it is unlikely to be reached
 * @returns the likelihoods, which depend only on the type and `reserved_for_fiction`, since numbers that look made up are
 * also assigned; and flags in the order of DELIVERABILITY_FLAGS
 */
export function deliverability(number: PhoneNumber | null, classification: Classification): Deliverability {
  if (number === null || !classification.valid) {
    // For example, Ofcom's drama mobiles are in an unassigned range: the flag says why.
    return { ...UNREACHABLE, flags: number && isReservedForFiction(number) ? ["reserved_for_fiction"] : [] };
  }
  const flags = flagsOf(number, classification);
  const reach = flags.includes("reserved_for_fiction") ? UNREACHABLE : REACH_BY_TYPE[classification.type];
  return { sms: reach.sms, voice: reach.voice, flags };
}

/** Marks a valid number in a range that the regulator lists as unassigned. */
export function withoutAllocation({ flags }: Deliverability): Deliverability {
  return { ...UNREACHABLE, flags: ["not_allocated", ...flags] };
}

/** A short code can't be reached from abroad, and doesn't receive a service's messages. */
export function shortCodeDeliverability(emergency: boolean): Deliverability {
  return { ...UNREACHABLE, flags: emergency ? ["short_code", "emergency"] : ["short_code"] };
}

/** Whether one digit appears seven times in a row, or makes up the whole number. */
function hasRepeatedDigits(nationalNumber: string): boolean {
  let run = 0;
  let before = 0;
  for (let at = 0; at < nationalNumber.length; at++) {
    const digit = nationalNumber.charCodeAt(at);
    run = digit === before ? run + 1 : 1;
    if (run === REPETITIONS) return true;
    before = digit;
  }
  return run > 1 && run === nationalNumber.length;
}

import {
  DELIVERABILITY_FLAGS,
  type DeliverabilityFlag,
  type Likelihood,
  type NumberType,
} from "../../contract/result-values.ts";
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

/** An unassigned number has no subscriber, and neither does a fictional one, by design. */
const UNREACHABLE: Reach = { sms: "unlikely", voice: "unlikely" };

// Narrower than "not geographic" in libphonenumber, which would flag mobiles almost everywhere. Toll-free,
// premium-rate, and shared-cost numbers are not tied to a place either, but already have a more specific flag.
const NON_GEOGRAPHIC_TYPES: ReadonlySet<NumberType> = new Set(["uan", "personal_number", "voip"]);

/** The length of the shortest common subscriber numbers, so that a subscriber number made of one digit is caught. */
const REPETITIONS = 7;

type FlagRule = (number: PhoneNumber, classification: Classification) => boolean;

/** When each flag is set on a valid number, as far as the number shows. The rules' sources are in FLAG_SOURCES. */
const FLAG_RULES: Partial<Record<DeliverabilityFlag, FlagRule>> = {
  reserved_for_fiction: (number) => isReservedForFiction(number),
  premium_rate: (_, { type }) => type === "premium_rate",
  toll_free: (_, { type }) => type === "toll_free",
  shared_cost: (_, { type }) => type === "shared_cost",
  non_geographic: (_, { type, region }) => region === NO_COUNTRY_REGION || NON_GEOGRAPHIC_TYPES.has(type),
  repeated_digits: ({ nationalNumber }) => hasRepeatedDigits(nationalNumber),
  trailing_zeros: ({ nationalNumber }) => nationalNumber.endsWith("0000"),
};

/** In the order of DELIVERABILITY_FLAGS. */
const RULES = DELIVERABILITY_FLAGS.flatMap((flag) => {
  const isSet = FLAG_RULES[flag];
  return isSet === undefined ? [] : [{ flag, isSet }];
});

/**
 * What the numbering plan says about reaching a number by text message and by call. No network is queried.
 *
 * An invalid number is unlikely to be reached either way, and has no flag except `reserved_for_fiction`. Flags come in
 * the order of DELIVERABILITY_FLAGS. Only the type and `reserved_for_fiction` determine the likelihoods;
 * `repeated_digits` and `trailing_zeros` don't lower them, because numbers that look made up are also assigned,
 * especially to switchboards.
 */
export function deliverability(number: PhoneNumber, classification: Classification): Deliverability {
  if (!classification.valid) {
    // For example, Ofcom's drama mobiles are in an unassigned range: the flag says why.
    return { ...UNREACHABLE, flags: isReservedForFiction(number) ? ["reserved_for_fiction"] : [] };
  }
  const flags: DeliverabilityFlag[] = [];
  for (const { flag, isSet } of RULES) if (isSet(number, classification)) flags.push(flag);
  const reach = flags.includes("reserved_for_fiction") ? UNREACHABLE : REACH_BY_TYPE[classification.type];
  return { sms: reach.sms, voice: reach.voice, flags };
}

/** A short code can't be reached from abroad, and doesn't receive a service's messages. */
export function shortCodeDeliverability(emergency: boolean): Deliverability {
  return { ...UNREACHABLE, flags: emergency ? ["short_code", "emergency"] : ["short_code"] };
}

/** Whether one digit appears seven times in a row, or makes up the whole number. */
function hasRepeatedDigits(nationalNumber: string): boolean {
  let run = 1;
  for (let at = 1; at < nationalNumber.length; at++) {
    run = nationalNumber.charCodeAt(at) === nationalNumber.charCodeAt(at - 1) ? run + 1 : 1;
    if (run === REPETITIONS) return true;
  }
  return run > 1 && run === nationalNumber.length;
}

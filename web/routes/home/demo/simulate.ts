import type { LineType } from "../../../../contract/result-values.ts";

/** How long after the last change of the input the demo checks again. */
export const RECHECK_MS = 420;

/** The fewest digits of a number. */
export const MIN_DIGITS = 10;

/** Why the demo rejects an input, with the messages. */
export const REJECTIONS = {
  empty: "Enter a number to begin simulation.",
  format: "Format must be + followed by 10–15 digits.",
  pattern: "Number pattern looks artificially invalid.",
} as const;
export type RejectionReason = keyof typeof REJECTIONS;

interface DemoCountry {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly name: string;
  /** The calling code with its plus sign. */
  readonly prefix: string;
}

interface SimulatedRejection {
  readonly valid: false;
  readonly reason: RejectionReason;
  readonly message: string;
}

interface SimulatedPass {
  readonly valid: true;
  /** The number without its separators. */
  readonly number: string;
  readonly country: DemoCountry;
  readonly carrier: string;
  /** Null in the United States: the plan can't tell mobile from landline, and no register has made-up numbers. */
  readonly line_type: LineType | null;
}

export type Simulation = SimulatedRejection | SimulatedPass;

interface DemoPlan extends DemoCountry {
  readonly carriers: readonly [string, ...string[]];
  /** The line type by the digits after the prefix. */
  readonly lineType: (nationalNumber: string) => LineType | null;
}

const UNITED_STATES: DemoPlan = {
  code: "US",
  name: "United States",
  prefix: "+1",
  carriers: ["Verizon", "AT&T", "T-Mobile"],
  lineType: () => null,
};

/** No prefix is the start of another, so their order is irrelevant. */
const PLANS: readonly DemoPlan[] = [
  {
    code: "BR",
    name: "Brazil",
    prefix: "+55",
    carriers: ["TIM", "Vivo", "Claro"],
    // After an area code of two digits, mobile numbers have a 9.
    lineType: (digits) => (digits[2] === "9" ? "mobile" : "fixed"),
  },
  UNITED_STATES,
  {
    code: "GB",
    name: "United Kingdom",
    prefix: "+44",
    carriers: ["EE", "O2", "Vodafone", "Three"],
    lineType: (digits) => (digits.startsWith("7") ? "mobile" : "fixed"),
  },
  {
    code: "PT",
    name: "Portugal",
    prefix: "+351",
    carriers: ["MEO", "NOS", "Vodafone"],
    lineType: (digits) => (digits.startsWith("9") ? "mobile" : "fixed"),
  },
];

/**
 * The demo's verdict on an input. A simulation without any calls: four countries by prefix, any other prefix counting
 * as the United States, and a carrier picked by the digits, always the same for the same number.
 *
 * The rule is a plus sign and 10 to 15 digits. Spaces around the number are ignored, and after the plus sign also
 * common separators: spaces, hyphens and dashes, dots, and parentheses. Only 0 to 9 count as digits, and only `+` as
 * the plus sign.
 */
export function simulate(input: string): Simulation {
  const typed = input.trim();
  if (typed === "") return rejection("empty");
  const number = withoutSeparators(typed);
  if (!/^\+[0-9]{10,15}$/.test(number)) return rejection("format");
  if (/0{4}$/.test(number)) return rejection("pattern");

  const plan = PLANS.find(({ prefix }) => number.startsWith(prefix)) ?? UNITED_STATES;
  const { code, name, prefix } = plan;
  return {
    valid: true,
    number,
    country: { code, name, prefix },
    carrier: pick(plan.carriers, number),
    line_type: plan.lineType(number.slice(prefix.length)),
  };
}

function rejection(reason: RejectionReason): SimulatedRejection {
  return { valid: false, reason, message: REJECTIONS[reason] };
}

/** U+2010 to U+2013 are the hyphens and the dash that word processors put into numbers. */
function withoutSeparators(typed: string): string {
  return typed.charAt(0) + typed.slice(1).replaceAll(/[\s().\-\u2010-\u2013]/g, "");
}

/** Picked by the sum of the digits, so that every digit matters. */
function pick(carriers: readonly [string, ...string[]], number: string): string {
  const sum = Array.from(number.slice(1), Number).reduce((total, digit) => total + digit, 0);
  return carriers[sum % carriers.length] ?? carriers[0];
}

import { describe, expect, test } from "vitest";
import {
  DELIVERABILITY_FLAGS,
  INVALID_REASONS,
  NUMBER_TYPES,
  type DeliverabilityFlag,
  type Likelihood,
  type NumberType,
} from "../../contract/result-values.ts";
import { deliverability, type Deliverability } from "./deliverability.ts";

const BRAZIL = { callingCode: "55", nationalNumber: "11987654321", region: "BR" };

function validNumber(
  type: NumberType,
  { callingCode, nationalNumber, region }: { callingCode: string; nationalNumber: string; region: string } = BRAZIL,
): Deliverability {
  return deliverability(
    { callingCode, nationalNumber, extension: null },
    { valid: true, possible: true, reason: null, region, type },
  );
}

describe("deliverability by number type", () => {
  const EXPECTED: Record<NumberType, [sms: Likelihood, voice: Likelihood, flags: DeliverabilityFlag[]]> = {
    fixed_line: ["unlikely", "likely", []],
    mobile: ["likely", "likely", []],
    fixed_line_or_mobile: ["unknown", "likely", []],
    toll_free: ["unlikely", "unknown", ["toll_free"]],
    premium_rate: ["unlikely", "unknown", ["premium_rate"]],
    shared_cost: ["unlikely", "unknown", ["shared_cost"]],
    voip: ["unknown", "likely", ["non_geographic"]],
    personal_number: ["unknown", "likely", ["non_geographic"]],
    pager: ["unlikely", "unlikely", []],
    uan: ["unlikely", "likely", ["non_geographic"]],
    voicemail: ["unlikely", "unknown", []],
    unknown: ["unknown", "unknown", []],
  };

  test.each(NUMBER_TYPES)("%s", (type) => {
    const [sms, voice, flags] = EXPECTED[type];
    expect(validNumber(type)).toEqual({ sms, voice, flags });
  });
});

describe("deliverability of an invalid number", () => {
  test.each(INVALID_REASONS)("%s: unlikely, without flags", (reason) => {
    // One repeated digit, or zeros: neither flag applies to an invalid number.
    for (const nationalNumber of ["2222222222", "2020000000"]) {
      const answer = deliverability(
        { callingCode: "1", nationalNumber, extension: null },
        { valid: false, possible: false, reason, region: "001", type: "toll_free" },
      );
      expect(answer).toEqual({ sms: "unlikely", voice: "unlikely", flags: [] });
    }
  });
});

describe("reserved_for_fiction", () => {
  test("also applies to a number in an unassigned range", () => {
    const answer = deliverability(
      { callingCode: "44", nationalNumber: "7700900123", extension: null },
      { valid: false, possible: true, reason: "UNASSIGNED_RANGE", region: null, type: "unknown" },
    );
    expect(answer).toEqual({ sms: "unlikely", voice: "unlikely", flags: ["reserved_for_fiction"] });
  });

  test.each([
    ["mobile", { callingCode: "44", nationalNumber: "7700900123", region: "GB" }, ["reserved_for_fiction"]],
    [
      "fixed_line_or_mobile",
      { callingCode: "1", nationalNumber: "2025550123", region: "US" },
      ["reserved_for_fiction"],
    ],
    [
      "premium_rate",
      { callingCode: "44", nationalNumber: "9098790000", region: "GB" },
      ["reserved_for_fiction", "premium_rate", "trailing_zeros"],
    ],
  ] as const)("a fictional %s number reaches no one", (type, number, flags) => {
    expect(validNumber(type, number)).toEqual({ sms: "unlikely", voice: "unlikely", flags });
  });
});

describe("non_geographic", () => {
  test("is set for calling codes without a country, whatever the type", () => {
    const satellite = { callingCode: "881", nationalNumber: "612345678", region: "001" };
    expect(validNumber("mobile", satellite)).toEqual({ sms: "likely", voice: "likely", flags: ["non_geographic"] });
    const freephone = { callingCode: "800", nationalNumber: "12345678", region: "001" };
    expect(validNumber("toll_free", freephone).flags).toEqual(["toll_free", "non_geographic"]);
  });
});

describe("digit patterns", () => {
  test.each<[nationalNumber: string, flags: DeliverabilityFlag[]]>([
    ["2127777777", ["repeated_digits"]],
    ["2127777776", []],
    ["7777777212", ["repeated_digits"]],
    ["222222", ["repeated_digits"]],
    ["222223", []],
    ["2127770000", ["trailing_zeros"]],
    ["21277700000", ["trailing_zeros"]],
    ["2127777000", []],
    ["2100001234", []],
    ["2120000000", ["repeated_digits", "trailing_zeros"]],
  ])("%s has the flags %j, and the likelihoods of its type", (nationalNumber, flags) => {
    const answer = validNumber("mobile", { callingCode: "90", nationalNumber, region: "TR" });
    expect(answer).toEqual({ sms: "likely", voice: "likely", flags });
  });
});

describe("flags", () => {
  test("come in the order of DELIVERABILITY_FLAGS, with all that apply", () => {
    const flags = validNumber("shared_cost", { callingCode: "808", nationalNumber: "10000000", region: "001" }).flags;
    expect(flags).toEqual(["shared_cost", "non_geographic", "repeated_digits", "trailing_zeros"]);
    expect(flags).toEqual(DELIVERABILITY_FLAGS.filter((flag) => flags.includes(flag)));
  });
});

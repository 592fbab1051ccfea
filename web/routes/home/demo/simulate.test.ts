import { describe, expect, test } from "vitest";
import { SANDBOX_SUCCESSES } from "../../../../contract/sandbox.ts";
import { REJECTIONS, simulate } from "./simulate.ts";
import type { RejectionReason } from "./simulate.ts";

const CARRIERS: Readonly<Record<string, readonly string[]>> = {
  BR: ["TIM", "Vivo", "Claro"],
  US: ["Verizon", "AT&T", "T-Mobile"],
  GB: ["EE", "O2", "Vodafone", "Three"],
  PT: ["MEO", "NOS", "Vodafone"],
};

function passOf(input: string) {
  const simulation = simulate(input);
  if (!simulation.valid) throw new Error(`${JSON.stringify(input)} was rejected: ${simulation.reason}`);
  return simulation;
}

describe("a rejection", () => {
  test("has its reason's message", () => {
    expect(REJECTIONS).toStrictEqual({
      empty: "Enter a number to begin simulation.",
      format: "Format must be + followed by 10–15 digits.",
      pattern: "Number pattern looks artificially invalid.",
    });
  });

  test.each<[why: string, input: string, reason: RejectionReason]>([
    ["nothing", "", "empty"],
    ["blanks only", " \t\u00a0 ", "empty"],
    ["a plus sign alone", "+", "format"],
    ["separators alone", "+ ()-. ", "format"],
    ["9 digits", "+551198765", "format"],
    ["16 digits", "+5511987654321234", "format"],
    ["no plus sign", "5511987654321", "format"],
    ["two zeros for the plus sign", "005511987654321", "format"],
    ["two plus signs", "++5511987654321", "format"],
    ["a plus sign at the end", "5511987654321+", "format"],
    ["a plus sign, in brackets", "(+55) 11 98765 4321", "format"],
    ["letters", "+1 800 FLOWERS", "format"],
    ["an extension", "+44 20 7946 0018 ext 4", "format"],
    ["a slash", "+44 20/7946 0018", "format"],
    ["full-width digits", "+５５１１９８７６５４３２１", "format"],
    ["a full-width plus sign", "＋5511987654321", "format"],
    ["Arabic digits", "+٥٥١١٩٨٧٦٥٤٣٢١", "format"],
    ["a wrong format that ends in zeros", "+550000", "format"],
    ["four zeros at the end", "+5511987650000", "pattern"],
    ["five zeros at the end", "+5511987600000", "pattern"],
    ["zeros and separators at the end", "+55 11 98765 00-00 ", "pattern"],
    ["nothing but zeros", "+0000000000", "pattern"],
  ])("%s: %j", (_why, input, reason) => {
    expect(simulate(input)).toStrictEqual({ valid: false, reason, message: REJECTIONS[reason] });
  });
});

describe("a pass", () => {
  test("has the number, country, carrier and line type", () => {
    expect(simulate("+5511987654321")).toStrictEqual({
      valid: true,
      number: "+5511987654321",
      country: { code: "BR", name: "Brazil", prefix: "+55" },
      carrier: "TIM",
      line_type: "mobile",
    });
  });

  test.each([
    ["10 digits", "+5511987654", "+5511987654"],
    ["15 digits", "+551198765432123", "+551198765432123"],
    ["three zeros at the end", "+5511987654000", "+5511987654000"],
    ["four zeros elsewhere", "+5500001987654", "+5500001987654"],
    ["separators", " +55 (11) 98765-4321 ", "+5511987654321"],
    ["dots", "+1.202.555.0123", "+12025550123"],
    ["a no-break space, a no-break hyphen and a dash", "+44\u00a020\u20117946\u20130018", "+442079460018"],
    ["a blank after the plus sign", "+ 351 912 345 678", "+351912345678"],
  ])("%s: %j", (_why, input, number) => {
    expect(passOf(input).number).toBe(number);
  });

  test.each([
    ["+5511987654321", "BR", "+55"],
    ["+12025550123", "US", "+1"],
    ["+442079460018", "GB", "+44"],
    ["+351912345678", "PT", "+351"],
    ["+352621123456", "US", "+1"],
    ["+355672123456", "US", "+1"],
    ["+4915123456789", "US", "+1"],
    ["+819012345678", "US", "+1"],
    ["+0123456789", "US", "+1"],
  ])("%s belongs to %s", (number, code, prefix) => {
    expect(passOf(number).country).toMatchObject({ code, prefix });
  });

  test.each([
    ["+5511987654321", "mobile"],
    ["+551133334444", "fixed"],
    ["+447400123456", "mobile"],
    ["+442079460018", "fixed"],
    ["+351912345678", "mobile"],
    ["+351212345678", "fixed"],
    ["+12025550123", null],
    ["+4915123456789", null],
  ])("%s has the line type %s", (number, lineType) => {
    expect(passOf(number).line_type).toBe(lineType);
  });

  test("of one of the sandbox's numbers has its country", () => {
    for (const { number, country } of SANDBOX_SUCCESSES) expect(passOf(number).country.code).toBe(country);
  });
});

describe("the carrier", () => {
  test.each([
    ["BR", "+551198765"],
    ["US", "+1202555"],
    ["GB", "+4420794"],
    ["PT", "+35191234"],
    ["US", "+4915123"],
  ])("in %s is one of a fixed list, and each can occur", (country, start) => {
    const seen = new Set(Array.from({ length: 90 }, (_, index) => passOf(`${start}${index + 1000}`).carrier));
    expect([...seen].toSorted()).toEqual(CARRIERS[country]!.toSorted());
  });

  test("is the same for every way to write a number, and every time", () => {
    const { carrier } = passOf("+442079460018");
    for (const input of ["+44 20 7946 0018", "+44-20-7946-0018", "+442079460018"]) {
      expect(passOf(input).carrier).toBe(carrier);
    }
  });
});

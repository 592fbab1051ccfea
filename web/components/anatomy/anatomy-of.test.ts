import { expect, test } from "vitest";
import { verify } from "../../../test/engine.ts";
import { anatomyOf, brokenAnatomyOf, verdictOf } from "./anatomy-of.ts";

/** Each part with its facts, on one line. */
function drawn(number: string): string[] {
  return anatomyOf(verify(number)).map(
    ({ digits, facts }) => `${digits}: ${facts.map(({ label, value }) => `${label} ${value}`).join(", ")}`,
  );
}

test.each([
  [
    "+5511987654321",
    ["+55: Country Brazil", "11: Area São Paulo", "98765 4321: Carrier TIM, Line type Mobile, In service Not checked"],
  ],
  [
    "+12025550123",
    [
      "+1: Country United States",
      "202: Area Washington D.C.",
      "555 0123: Carrier Unknown, Line type Unknown, Flag Reserved for fiction, In service Not checked",
    ],
  ],
  [
    "+5491123456789",
    [
      "+54: Country Argentina",
      "9: Line type Mobile",
      "11: Area Buenos Aires",
      expect.stringMatching(/^2345 6789: Carrier /),
    ],
  ],
  [
    "+8613800138000",
    [
      "+86: Country China",
      "138: Carrier China Mobile, Line type Mobile",
      expect.stringMatching(/^0013 8000: Area Beijing/),
    ],
  ],
  [
    "+390612345678",
    ["+39: Country Italy", "06: Area Rome", "1234 5678: Carrier Unknown, Line type Landline, In service Not checked"],
  ],
  [
    "+351912345678",
    ["+351: Country Portugal", "912: Carrier Vodafone, Line type Mobile", "345 678: In service Not checked"],
  ],
  [
    "+80012345678",
    [
      "+800: Country No country: an international service",
      "1234: Carrier Unknown, Line type Toll-free",
      expect.any(String),
    ],
  ],
])("takes %s apart", (number, parts) => {
  expect(drawn(number)).toEqual(parts);
});

test("the digits of the parts are the number, and every part has facts", () => {
  for (const number of ["+5491123456789", "+8613800138000", "+33142685300", "+46771793336", "+6281212345678"]) {
    const parts = anatomyOf(verify(number));
    expect(
      parts
        .map(({ digits }) => digits)
        .join("")
        .replaceAll(" ", ""),
    ).toBe(number);
    expect(parts.filter(({ facts }) => facts.length === 0)).toEqual([]);
  }
});

test("an invalid number has no parts", () => {
  expect(anatomyOf(verify("+447700900123"))).toEqual([]);
});

test("a number that a country reserves for movies is drawn as one of that country", () => {
  const [country] = brokenAnatomyOf(verify("+447700900123"), "", "");
  expect(country).toMatchObject({ digits: "+44", facts: [{ label: "Country", value: "United Kingdom" }] });
});

test("the verdict says what the plan says about reaching the number", () => {
  expect(verdictOf(verify("+12025550123"), 61.7).map(({ label, value }) => `${label} ${value}`)).toEqual([
    "Valid Yes",
    "Messages Unlikely",
    "Calls Unlikely",
    "Response 62 ms",
  ]);
});

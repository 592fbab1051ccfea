import { describe, expect, test } from "vitest";
import { RegisterRequest, VerifyEmailQuery } from "./accounts.ts";
import { checkBody } from "./body.ts";
import type { BodySchema } from "./body.ts";
import { CreateKeyRequest, ModeQuery } from "./keys.ts";
import { MAX_BATCH_BODY_BYTES, MAX_BODY_BYTES } from "./limits.ts";
import { UsageQuery } from "./reports.ts";
import { ConfirmTotpRequest } from "./second-factor.ts";
import { BatchRequest, VerifyRequest } from "./verification.ts";

/** A schema's complaints about a request with one field changed, by field. */
function complaints(schema: BodySchema, valid: object, field: string, value: unknown): Record<string, string> {
  const check = checkBody(schema, { ...valid, [field]: value });
  return check.ok ? {} : check.fields;
}

function describeField(
  schema: BodySchema,
  valid: object,
  field: string,
  cases: readonly (readonly [unknown, string])[],
) {
  test.each(cases)(`${field}: %j`, (value, complaint) => {
    expect(complaints(schema, valid, field, value)).toStrictEqual({ [field]: complaint });
  });
}

/** An address of this length, well-formed otherwise. */
function emailOfLength(length: number): string {
  const end = "@example.com";
  return "a".repeat(length - end.length) + end;
}

const EMAIL = "Enter a valid email address";
const CONTROLS = "Must not contain control or format characters";

describe("a registration", () => {
  const valid = { name: "Nobody", email: "nobody@example.com", password: "a password nobody has" };

  describeField(RegisterRequest, valid, "email", [
    ["", "Email is required"],
    ["   ", "Email is required"],
    ["ada.example.com", EMAIL],
    ["@example.com", EMAIL],
    ["ada@", EMAIL],
    ["ada@localhost", EMAIL],
    ["ada@b@example.com", EMAIL],
    ["ada lovelace@example.com", EMAIL],
    ["ada@exam ple.com", EMAIL],
    ["ada@example.com, bob@example.com", EMAIL],
    ["Ada <ada@example.com>", EMAIL],
    ["ada@example.com\r\nBcc: bob@example.com", EMAIL],
    ["ada\u0000@example.com", EMAIL],
    ["\u212aelvin@example.com", EMAIL],
    ["' OR 1=1 --", EMAIL],
    [emailOfLength(255), "Must be at most 254 characters"],
    [["ada@example.com"], "Must be a string"],
  ]);

  describeField(RegisterRequest, valid, "name", [
    ["", "Name is required"],
    ["  \t\n ", "Name is required"],
    ["x".repeat(101), "Must be at most 100 characters"],
    ["Ada\nLovelace", CONTROLS],
    ["Ada\u0000", CONTROLS],
    ["\u001b[31mAda", CONTROLS],
    ["Ada\u0085", CONTROLS],
    ["Ada\u202Eecalevol", CONTROLS],
    ["Ada\u2066", CONTROLS],
    ["A\u200Bda", CONTROLS],
    [7, "Must be a string"],
  ]);
});

describe("a link from an email", () => {
  describeField(VerifyEmailQuery, {}, "token", [
    ["", "Token is required"],
    ["x".repeat(201), "Too long"],
  ]);
});

describe("a new key", () => {
  describeField(CreateKeyRequest, {}, "name", [["", "Must not be empty"]]);

  for (const schema of [CreateKeyRequest, ModeQuery]) {
    const odd = ["", "TEST", "Live", "prod", "test ", "test' OR '1'='1", 1, ["test"]];
    describeField(
      schema,
      {},
      "mode",
      odd.map((mode) => [mode, "Must be test or live"]),
    );
  }
});

test("bodies are at most 8 KB, and batches 64 KB", () => {
  expect([MAX_BODY_BYTES, MAX_BATCH_BODY_BYTES]).toStrictEqual([8_192, 65_536]);
});

describe("a code of an authenticator app", () => {
  describeField(ConfirmTotpRequest, {}, "code", [
    ["12345", "Enter the 6-digit code from your app"],
    ["1234567", "Enter the 6-digit code from your app"],
    ["12345a", "Enter the 6-digit code from your app"],
  ]);
});

describe("a report", () => {
  const DAYS = "Must be a whole number from 1 to 366";
  const odd = ["", "0", "-1", "367", "1.5", "abc", "1e3", "0x10", "+7", " 7", "1000", "NaN", "٧", "7;DROP"];
  describeField(
    UsageQuery,
    {},
    "days",
    odd.map((days) => [days, DAYS]),
  );
});

describe("a number to verify", () => {
  const valid = { number: "+12024561414" };

  describeField(VerifyRequest, valid, "number", [
    [12_024_561_414, "Must be a string"],
    ["1".repeat(251), "Must be at most 250 characters"],
  ]);
  test.each([
    [55, "Must be a string"],
    ["", "Must be an ISO 3166-1"],
    ["USA", "Must be an ISO 3166-1"],
    ["Brazil", "Must be an ISO 3166-1"],
    ["+1", "Must be an ISO 3166-1"],
    ["ZZ", "No numbering plan is known for ZZ"],
    ["uk", "Use GB for the United Kingdom"],
    ["AQ", "No numbering plan is known for AQ"],
  ])("country: %j", (country, complaint) => {
    expect(complaints(VerifyRequest, valid, "country", country)).toStrictEqual({
      country: expect.stringContaining(complaint),
    });
  });
});

describe("a batch", () => {
  test.each([
    [[], "numbers", "Must have at least one number"],
    ["+12024561414", "numbers", "Must be an array"],
    [{ 0: "+1" }, "numbers", "Must be an array"],
    [[1], "numbers[0]", "Must be a string, or an object"],
    [["+1", null], "numbers[1]", "Must be a string, or an object"],
    [[["+1"]], "numbers[0]", "Must be a string, or an object"],
    [Array.from({ length: 101 }, () => "+1"), "numbers", "Must have at most 100 numbers"],
  ])("of %j", (numbers, field, complaint) => {
    expect(complaints(BatchRequest, {}, "numbers", numbers)).toStrictEqual({
      [field]: expect.stringContaining(complaint),
    });
  });
});

import { describe, expect, test } from "vitest";
import { FRESH_DAY, verify, verifyOn } from "../test/engine.ts";
import { FLAGS, REASONS, SUGGESTIONS } from "./reasons.ts";
import type { DeliverabilityFlag } from "./result-values.ts";

describe("the engine returns", () => {
  test.each(Object.entries(REASONS))("%s for its example", (code, { example: [number, country] }) => {
    expect(verify(number, country).reason).toBe(code);
  });

  test.each(Object.entries(SUGGESTIONS))("%s for its example", (code, { example: [number, country] }) => {
    expect(verify(number, country).suggestion?.reason).toBe(code);
  });

  const FLAGGED: Readonly<Record<DeliverabilityFlag, readonly [number: string, country?: string]>> = {
    reserved_for_fiction: ["+44 20 7946 0018"],
    not_allocated: ["+7 938 961 1616"],
    premium_rate: ["+44 909 879 1234"],
    toll_free: ["+1 800 555 0100"],
    shared_cost: ["+808 1234 5678"],
    non_geographic: ["+800 1234 5678"],
    repeated_digits: ["+55 11 97777 7777"],
    trailing_zeros: ["+55 11 98765 0000"],
    trailing_words: ["+49 30 901820 Fax"],
    missing_plus: ["491713369876", "DE"],
    spreadsheet_damage: ["6641234567.0", "AT"],
    short_code: ["116117", "DE"],
    emergency: ["112", "DE"],
  };
  test.each(Object.keys(FLAGS) as DeliverabilityFlag[])("%s for a number", (flag) => {
    const [number, country] = FLAGGED[flag];
    expect(verifyOn(number, country, FRESH_DAY).deliverability.flags).toContain(flag);
  });
});

test("messages are sentences", () => {
  for (const rows of [REASONS, SUGGESTIONS, FLAGS]) {
    for (const [code, { message }] of Object.entries(rows)) expect(message, code).toMatch(/^[A-Z].{15,}\.$/);
  }
});

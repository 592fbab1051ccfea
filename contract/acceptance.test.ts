import { expect, test } from "vitest";
import { FRESH_DAY, verifyOn } from "../test/engine.ts";
import { REJECTION_REASONS, type RejectionReason } from "./result-values.ts";
import type { Acceptance } from "./verification.ts";
import { acceptance } from "./acceptance.ts";

const verify = (number: string) => verifyOn(number, undefined, FRESH_DAY);

const PORTUGUESE_MOBILE = "+351912345678";
/** In an area code that NANPA's codes cover, in a code they don't list. */
const UNALLOCATED = "+14487728519";
const US_NUMBER = "+12025550123";
/** In ranges of Verizon and of Verizon. */
const US_LANDLINE = "+12027621401";
const US_MOBILE = "+12012071234";

const CASES: readonly [string, Acceptance, boolean, RejectionReason | null][] = [
  [PORTUGUESE_MOBILE, { expect_country: "PT" }, true, null],
  [PORTUGUESE_MOBILE, { expect_country: "PT", accept_types: ["mobile"] }, true, null],
  [PORTUGUESE_MOBILE, { accept_types: ["fixed_line", "voip"] }, false, "OTHER_TYPE"],
  [PORTUGUESE_MOBILE, { expect_country: "ES" }, false, "OTHER_COUNTRY"],
  // The first reason in this order: the number, its country, its type.
  [PORTUGUESE_MOBILE, { expect_country: "ES", accept_types: ["voip"] }, false, "OTHER_COUNTRY"],
  ["+351 912", { expect_country: "ES" }, false, "INVALID_NUMBER"],
  ["hello", { accept_types: ["mobile"] }, false, "INVALID_NUMBER"],
  // A number without a country never matches an expected one.
  ["+80012345678", { expect_country: "US" }, false, "OTHER_COUNTRY"],
  ["+80012345678", { accept_types: ["toll_free"] }, true, null],
  // It works in Canada too, but has one country.
  ["+18005550100", { expect_country: "US" }, true, null],
  ["+18005550100", { expect_country: "CA" }, false, "OTHER_COUNTRY"],
  ["+18005550100", { accept_types: ["mobile", "fixed_line"] }, false, "OTHER_TYPE"],
  // A territory with a separate code isn't its country.
  ["+17875550123", { expect_country: "US" }, false, "OTHER_COUNTRY"],
  ["+441534123456", { expect_country: "GB" }, false, "OTHER_COUNTRY"],
  // The plan of +1 can't tell fixed lines from mobiles, so it can't reject either.
  [US_NUMBER, { accept_types: ["mobile"] }, true, null],
  [US_NUMBER, { accept_types: ["fixed_line"] }, true, null],
  [US_NUMBER, { accept_types: ["fixed_line_or_mobile"] }, true, null],
  [US_NUMBER, { accept_types: ["voip"] }, false, "OTHER_TYPE"],
  [PORTUGUESE_MOBILE, { accept_types: ["fixed_line_or_mobile"] }, false, "OTHER_TYPE"],
  // Of +1, the holder's kind may tell a line's type, or nothing does.
  [
    US_LANDLINE,
    { accept_types: ["mobile"], accept_line_types: ["mobile", "unknown"] },
    false,
    "LINE_TYPE_NOT_ACCEPTED",
  ],
  [US_LANDLINE, { accept_line_types: ["fixed"] }, true, null],
  [US_MOBILE, { accept_types: ["mobile"], accept_line_types: ["mobile"] }, true, null],
  [US_NUMBER, { accept_line_types: ["mobile", "unknown"] }, true, null],
  [US_NUMBER, { accept_line_types: ["mobile", "fixed", "voip"] }, false, "LINE_TYPE_NOT_ACCEPTED"],
  [PORTUGUESE_MOBILE, { accept_line_types: ["mobile"] }, true, null],
  [PORTUGUESE_MOBILE, { accept_types: ["voip"], accept_line_types: ["fixed"] }, false, "OTHER_TYPE"],
  // What is neither a landline nor mobile never passes.
  ["+18005550100", { accept_line_types: ["mobile", "fixed", "voip", "unknown"] }, false, "LINE_TYPE_NOT_ACCEPTED"],
  [UNALLOCATED, { reject_unallocated: true, accept_line_types: ["voip"] }, false, "LINE_TYPE_NOT_ACCEPTED"],
  ["hello", { accept_line_types: ["unknown"] }, false, "INVALID_NUMBER"],
  // Only an unassigned range is rejected, not an unknown one, and not a number that no register covers.
  [UNALLOCATED, { reject_unallocated: true }, false, "NOT_ALLOCATED"],
  [UNALLOCATED, { reject_unallocated: true, accept_types: ["voip"] }, false, "OTHER_TYPE"],
  [UNALLOCATED, { accept_types: ["mobile"] }, true, null],
  [UNALLOCATED, { reject_unallocated: false, expect_country: "US" }, true, null],
  ["+12125551212", { reject_unallocated: true }, true, null],
  ["+17345582504", { reject_unallocated: true }, true, null],
  [PORTUGUESE_MOBILE, { reject_unallocated: true }, true, null],
  ["hello", { reject_unallocated: true }, false, "INVALID_NUMBER"],
];
test.each(CASES)("%s with %j: accepted %s, %s", (number, conditions, accepted, rejected_because) => {
  expect(acceptance(verify(number), conditions)).toEqual({ accepted, rejected_because });
});

test("these are all reasons", () => {
  expect(CASES.map(([, , , reason]) => reason)).toEqual(expect.arrayContaining([...REJECTION_REASONS]));
});

test.each([PORTUGUESE_MOBILE, UNALLOCATED, "hello"])(
  "%s without conditions is neither accepted nor rejected",
  (number) => {
    expect(acceptance(verify(number), {})).toBeNull();
    expect(acceptance(verify(number), { reject_unallocated: false })).toBeNull();
    expect(verify(number)).toMatchObject({ accepted: null, rejected_because: null });
  },
);

import { expect, test } from "vitest";
import { readCap } from "./cap.ts";

test.each([
  ["", null],
  ["  ", null],
  ["1", 1],
  ["10,000", 10_000],
  [" 1000000000 ", 1_000_000_000],
  ["0", undefined],
  ["1000000001", undefined],
  ["-5", undefined],
  ["1.5", undefined],
  ["1e3", undefined],
])("the cap %j is %j", (text, cap) => {
  expect(readCap(text)).toBe(cap);
});

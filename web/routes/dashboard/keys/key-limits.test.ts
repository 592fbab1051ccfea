import { expect, test } from "vitest";
import { originsInWords, readCap, readOrigins } from "./key-limits.ts";

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

test.each([
  ["", []],
  [" \n ", []],
  ["https://Shop.example/\nhttp://localhost:3000\n", ["https://shop.example", "http://localhost:3000"]],
  ["https://shop.example, https://shop.example:443", ["https://shop.example"]],
  ["https://shop.example\nshop.example", "“shop.example” isn’t an origin, such as https://shop.example"],
  [
    Array.from({ length: 11 }, (_, index) => `https://shop-${index}.example`).join("\n"),
    "Must have at most 10 origins",
  ],
])("%j is read as %j", (text, origins) => {
  expect(readOrigins(text)).toStrictEqual(origins);
});

test("the first is named, and the others are counted", () => {
  expect(originsInWords(["https://shop.example"])).toBe("shop.example");
  expect(originsInWords(["http://localhost:3000", "https://shop.example", "https://x.example"])).toBe(
    "http://localhost:3000 and 2 more",
  );
});

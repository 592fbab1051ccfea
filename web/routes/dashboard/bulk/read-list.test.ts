import { describe, expect, test } from "vitest";
import { readList } from "./read-list.ts";

function textsOf(text: string): string[] {
  const { entries, distinct } = readList(text);
  return entries.map((place) => distinct[place]!);
}

describe("a pasted list", () => {
  test.each([
    ["lines", "+5511987654321\n+12025550123\r\n+442079460018\r"],
    ["commas", "+5511987654321, +12025550123,+442079460018"],
    ["semicolons", "+5511987654321;+12025550123; +442079460018;"],
    ["tabs", "+5511987654321\t+12025550123\t\t+442079460018"],
    ["quotes and a byte order mark", '\uFEFF"+5511987654321"\n"+12025550123"\n\'+442079460018'],
    ["direction marks around numbers", "\u202A+5511987654321\u202C\n\u200E+12025550123\n+442079460018\u200B"],
  ])("of %s", (_, text) => {
    expect(textsOf(text)).toStrictEqual(["+5511987654321", "+12025550123", "+442079460018"]);
  });

  test("keeps spaces, brackets and RFC 3966 parameters within a number", () => {
    expect(textsOf("(11) 98765-4321; tel:+1-202-555-0123;ext=42;tel:5550123;phone-context=+1202")).toStrictEqual([
      "(11) 98765-4321",
      "tel:+1-202-555-0123;ext=42",
      "tel:5550123;phone-context=+1202",
    ]);
  });

  test("asks each text once and lists it as often as it was given", () => {
    expect(readList("+1202\n+1303\n+1202\n+1 202\n +1202 ")).toStrictEqual({
      entries: [0, 1, 0, 2, 0],
      distinct: ["+1202", "+1303", "+1 202"],
      repeated: 2,
      withoutDigits: 0,
    });
  });

  test("leaves out what has no digit, and says how much that was", () => {
    expect(readList("phone\n+12025550123\nn/a\n٣٤٥")).toStrictEqual({
      entries: [0, 1],
      distinct: ["+12025550123", "٣٤٥"],
      repeated: 0,
      withoutDigits: 2,
    });
  });

  test("of nothing is empty", () => {
    expect(readList(" \n ,;\t").entries).toStrictEqual([]);
    expect(readList("").distinct).toStrictEqual([]);
  });
});

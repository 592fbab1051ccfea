import { describe, expect, test } from "vitest";
import { newId, randomBase62, toBase62 } from "./random.ts";

describe("randomBase62", () => {
  test("has the requested length and only base 62 characters", () => {
    for (const length of [0, 1, 30, 1000]) {
      expect(randomBase62(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
    }
  });

  test("uses each character about equally often", () => {
    const counts = new Map<string, number>();
    const text = Array.from({ length: 62 }, () => randomBase62(1000)).join("");
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 1,000 each is expected; 8 standard deviations off would be bias, not bad luck.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250);
  });
});

describe("toBase62", () => {
  test.each([
    [0, "000000"],
    [61, "00000z"],
    [62, "000010"],
    [0xffffffff, "4gfFC3"],
  ])("writes %d as %s", (value, text) => {
    expect(toBase62(value, 6)).toBe(text);
  });
});

test("an id has its prefix", () => {
  expect(newId("usr")).toMatch(/^usr_[0-9A-Za-z]{20}$/);
});

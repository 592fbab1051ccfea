import { expect, test } from "vitest";
import { joined } from "./store.ts";

test.each([
  [[], [], ""],
  [[0, 2], ["ab", "c"], "abc"],
  // Another tab wrote within a block, …
  [[0, 1, 2], ["ab", "x", "c"], "abc"],
  // … or put a shorter one there.
  [[0, 3, 4], ["ab", "x", "y"], "ab"],
])("blocks from %j on are joined as far as they are contiguous", (places, blocks, expected) => {
  expect(
    joined(
      places,
      blocks.map((block) => [...block]),
    ).join(""),
  ).toBe(expected);
});

import { expect, test } from "vitest";
import { joined } from "./store.ts";

test.each([
  [[], [], ""],
  [[0, 2], ["ab", "c"], "abc"],
  // Another tab wrote within a block, …
  [[0, 1, 2], ["ab", "x", "c"], "abc"],
  // … or put a shorter one in its place.
  [[0, 3, 4], ["ab", "x", "y"], "ab"],
])("blocks from %j on are joined as far as they follow each other", (places, blocks, expected) => {
  expect(
    joined(
      places,
      blocks.map((block) => [...block]),
    ).join(""),
  ).toBe(expected);
});

import { expect, test } from "vitest";
import { curly } from "./quotes.ts";

test.each([
  ["It doesn't.", "It doesn’t."],
  // After a piece of code.
  ["'s value", "’s value"],
  ['"So", ("or") "so."', "“So”, (“or”) “so.”"],
  ["a 'word' here", "a ‘word’ here"],
  ["accounts' keys", "accounts’ keys"],
])("%j is set as %j", (typed, set) => {
  expect(curly(typed)).toBe(set);
});

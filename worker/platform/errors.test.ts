import { expect, test } from "vitest";
import { tryAgainIn } from "./errors.ts";

test.each([
  [1, "1 second"],
  [119, "119 seconds"],
  [120, "2 minutes"],
  [3479, "58 minutes"],
])("after %d seconds: %s", (seconds, wait) => {
  expect(tryAgainIn(seconds)).toBe(`Try again in ${wait}.`);
});

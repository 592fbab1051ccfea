import { expect, test } from "vitest";
import { backoffSeconds } from "./queues.ts";

test("delays double up to the longest", () => {
  const delays = [1, 2, 3, 8, 9, 10, 2_000].map((attempts) => backoffSeconds(attempts, { first: 10, longest: 1_800 }));
  expect(delays).toStrictEqual([10, 20, 40, 1_280, 1_800, 1_800, 1_800]);
});

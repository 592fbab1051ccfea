import { expect, test } from "vitest";
import { runLoad } from "../../scripts/load/run.ts";

test("a short load run passes: every answer is one to be expected, and what was answered was counted", async () => {
  const report = await runLoad({ minutes: 0.03, rate: 40, concurrency: 8 });
  expect(report.failures).toStrictEqual([]);
  expect(report.requests).toBeGreaterThan(10);
  expect(report.usage.answered).toBeGreaterThan(0);
  expect(report.usage.counted).toBe(report.usage.answered);
});

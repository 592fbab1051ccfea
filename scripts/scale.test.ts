import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { costOf, LOADS, scaleTable } from "./scale.ts";

test("one account at 100 per second and small accounts stay within the cost goals, with and without keys", () => {
  const large = LOADS.filter(({ accounts, rate }) => accounts === 1 && rate >= 100).map(costOf);
  expect(large).toHaveLength(9);
  for (const { rowsWritten, dollars } of large) {
    expect(rowsWritten).toBeLessThanOrEqual(0.05);
    expect(dollars).toBeLessThanOrEqual(0.3);
  }
  const small = LOADS.filter(({ accounts }) => accounts > 1).map(costOf);
  for (const { dollars } of small) expect(dollars).toBeLessThanOrEqual(2.5);
});

test("docs/scale.md has the table", () => {
  const page = readFileSync("docs/scale.md", "utf8");
  expect(page).toContain(scaleTable());
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { costOf, KEY_LOADS, keyLookUpsOf, keyTable, LOADS, scaleTable } from "./scale.ts";

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

test("at a million active accounts, comparing keys takes at most 200 D1 statements per second", () => {
  for (const load of KEY_LOADS) expect(keyLookUpsOf(load).statements).toBeLessThanOrEqual(200);
  // A key in constant use is compared when due, and no request waits for it.
  const { rechecks, awaited } = keyLookUpsOf({ accounts: 1_000, rate: 1_000_000, isolates: 1_000 });
  expect(rechecks).toBeGreaterThan(1_000 / 330);
  expect(rechecks).toBeLessThan(1_000 / 300);
  expect(awaited).toBeLessThan(1e-9);
  // A key that is hardly ever used is looked up each time.
  const rare = keyLookUpsOf({ accounts: 1_000, rate: 1_000 / 86_400, isolates: 2 });
  expect(rare.awaited * 86_400).toBeGreaterThan(970);
  expect(rare.awaited * 86_400).toBeLessThan(1_000);
});

test("docs/scale.md has the tables", () => {
  const page = readFileSync("docs/scale.md", "utf8");
  expect(page).toContain(scaleTable());
  expect(page).toContain(keyTable());
});

import { expect, test } from "vitest";
import type { Country } from "../../contract/countries.ts";
import { prefixTable, table, verifyOn } from "../../test/engine.ts";
import { measureCoverage } from "./coverage.ts";

const lines = prefixTable("countries.jsonl").trimEnd().split("\n");
const countries = lines.map((line) => JSON.parse(line) as Country);
const coverage = measureCoverage(countries, table("plans.bin"), (number) => verifyOn(number, undefined, ""));
const of = (code: string) => coverage.find(({ country_code }) => country_code === code)!;

test("the site's file is as the engine has it (npx vitest run --project unit scripts/data/coverage -u writes it)", async () => {
  const rows = coverage.map((row) => `  ${JSON.stringify(row)}`).join(",\n");
  await expect(`[\n${rows}\n]\n`).toMatchFileSnapshot("../../web/public/coverage.json");
});

test("a field that no number has is at 0, and one that all have is at 1", () => {
  expect(of("FR").shares).toMatchObject({ location: 0, line_type: 1, time_zone: 1 });
  expect(of("GB").shares.location).toBeGreaterThan(0.9);
  expect(of("US").shares.line_type).toBeLessThan(0.5);
  for (const { country_code, known } of countries) {
    const { carrier, location } = of(country_code).shares;
    if (!known.carrier) expect([country_code, carrier || 0]).toEqual([country_code, 0]);
    if (!known.location) expect([country_code, location || 0]).toEqual([country_code, 0]);
  }
});

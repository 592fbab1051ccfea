import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REGISTER_COUNTRIES, registerFile, type RegisterCountry } from "../../contract/registers.ts";
import { type Holding, openRegister } from "../../worker/phone/allocation.ts";
import { COMMITTED } from "../data.ts";
import { prefixesOf } from "./encode.ts";
import { readHolders } from "./holders.ts";
import { prefixTableOf, WIDTH } from "./registers/compile.ts";

/** How many numbers each holder has in the committed table, the most first. */
function holdersOf(country: RegisterCountry): [holder: string, numbers: number][] {
  const file = readFileSync(join(COMMITTED, registerFile(country)), "utf8");
  const { find } = openRegister(file);
  const starts = prefixesOf(prefixTableOf(file));
  const counts = new Map<string, number>();
  for (const [i, start] of starts.entries()) {
    const holder = find(start)?.holder ?? null;
    if (holder === null) continue;
    const numbers = Number(starts[i + 1]?.padEnd(WIDTH, "0")) - Number(start.padEnd(WIDTH, "0"));
    counts.set(holder, (counts.get(holder) ?? 0) + numbers);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

/** With eleven digits, a block of a thousand numbers has ten thousand numbers of WIDTH digits. */
const BLOCK = 10_000;

it("reviews every holder with 200 blocks in the United States, who have nine tenths of all blocks", () => {
  const reviewed = readHolders("US");
  const holders = holdersOf("US");
  const large = holders.filter(([, numbers]) => numbers >= 200 * BLOCK);
  expect(large.length).toBeGreaterThan(300);
  expect(large.filter(([holder]) => reviewed(holder) === null)).toEqual([]);
  const sum = (list: typeof holders) => list.reduce((total, [, numbers]) => total + numbers, 0);
  expect(sum(large) / sum(holders)).toBeGreaterThan(0.9);
});

it.each(REGISTER_COUNTRIES)("reviews the ten largest holders of %s", (country) => {
  const reviewed = readHolders(country);
  const largest = holdersOf(country).slice(0, 10);
  expect(largest).toHaveLength(10);
  expect(largest.filter(([holder]) => reviewed(holder) === null)).toEqual([]);
});

it.each(REGISTER_COUNTRIES)("has the brands of %s in its table", (country) => {
  const file = readFileSync(join(COMMITTED, registerFile(country)), "utf8");
  const reviewed = readHolders(country);
  const lines = file
    .slice(file.indexOf("\n\n") + 2)
    .trimEnd()
    .split("\n");
  for (const { holder, carrier } of lines.map((line) => JSON.parse(line) as Holding)) {
    expect(carrier, holder ?? "nobody").toBe(holder === null ? null : (reviewed(holder)?.brand ?? null));
  }
});

it("prefers the longest start of a name, and the whole name", () => {
  const reviewed = readHolders("US");
  expect(reviewed("WINDSTREAM OHIO, LLC")).toEqual({ brand: "Windstream", kind: "incumbent" });
  expect(reviewed("WINDSTREAM NUVOX OHIO, LLC")).toEqual({ brand: "Windstream", kind: null });
  expect(readHolders("CA")("TELUS Mobility")?.kind).toBe("mobile");
  expect(readHolders("CA")("TELUS")?.kind).toBe("incumbent");
  expect(readHolders("CA")("TELUS Something")).toBeNull();
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { REGISTER_COUNTRIES, registerFile, type RegisterCountry } from "../../contract/registers.ts";
import { prefixTable, verify } from "../../test/engine.ts";
import { type Holding, openRegister } from "../../worker/phone/allocation.ts";
import { openPrefixTable } from "../../worker/phone/prefix-table.ts";
import { carrierOf } from "../../worker/phone/verify.ts";
import { COMMITTED } from "../data.ts";
import { prefixesOf } from "./encode.ts";
import { readHolders } from "./holders.ts";
import { WIDTH } from "./plan-ranges.ts";
import { prefixTableOf } from "./registers/compile.ts";

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

it.each(REGISTER_COUNTRIES)("names no other company than the holder in any row of %s", (country) => {
  const reviewed = readHolders(country);
  const carriers = prefixTable("carrier.jsonl");
  const tables = { carrier: openPrefixTable(carriers) };
  const file = prefixTable(registerFile(country));
  const register = openRegister(file);
  const rows = prefixesOf(prefixTableOf(file));
  const wrong: string[] = [];
  let held = 0;
  // Google's text changes within rows too.
  for (const digits of [...rows, ...prefixesOf(carriers)]) {
    const holding = register.find(digits);
    if (holding?.holder == null) continue;
    held += 1;
    const assigned = { callingCode: "", e164: `+${digits}`, region: country, type: "mobile" } as const;
    const name = carrierOf(assigned, { country, register, holding }, tables);
    if (name !== (reviewed(holding.holder)?.brand ?? null)) wrong.push(`${digits}: ${name}, but ${holding.holder}`);
  }
  expect(wrong).toEqual([]);
  expect(held).toBeGreaterThan(rows.length / 3);
});

test.each([
  ["+79490001234", "Donetsk's operator, which isn't GLONASS", null],
  ["+33657908000", "IP focus, which isn't e*Message", null],
  ["+79922601234", "Yota, in other case than its row", "Yota"],
  ["+447624123456", "Manx Telecom, whose row says that Google's name is its own", "Manx Telecom"],
])("%s is of %s", (number, _, name) => {
  const { carrier, allocation } = verify(number);
  expect(allocation?.holder).toBeTruthy();
  expect(carrier).toBe(name);
});

test("Puerto Rico's company of both landlines and, probably, mobiles has no line type; its landline company is fixed", () => {
  const [both, landlines] = ["+17872071234", "+17878460946"].map((number) => verify(number));
  expect([both!.allocation?.holder, both!.line_type]).toEqual(["PUERTO RICO TELCO DBA CLARO PUERTO RICO", null]);
  expect([landlines!.allocation?.holder, landlines!.line_type]).toEqual(["PUERTO RICO TEL. CO.", "fixed"]);
});

it("prefers the longest start of a name, and the whole name", () => {
  const reviewed = readHolders("US");
  expect(reviewed("WINDSTREAM OHIO, LLC")).toEqual({ brand: "Kinetic", kind: "incumbent" });
  expect(reviewed("WINDSTREAM NUVOX OHIO, LLC")).toEqual({ brand: "Uniti", kind: null });
  expect(readHolders("CA")("TELUS Mobility")?.kind).toBe("mobile");
  expect(readHolders("CA")("TELUS")?.kind).toBe("incumbent");
  expect(readHolders("CA")("TELUS Something")).toBeNull();
});

it("finds a company in any case, with spaces around it", () => {
  const reviewed = readHolders("RU");
  for (const name of ['ООО "Скартел"', 'ООО "СКАРТЕЛ"', ' ооо "скартел" ']) expect(reviewed(name)?.brand).toBe("Yota");
});

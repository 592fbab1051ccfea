import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, test } from "vitest";
import { REGISTER_RELEASES } from "../../contract/data.ts";
import { REGISTER_COUNTRIES, registerFile, type RegisterCountry } from "../../contract/registers.ts";
import { prefixTable, table, verify, verifyOn } from "../../test/engine.ts";
import { allOrSome } from "../../test/long.ts";
import { type Holding, openRegister, registerOf } from "../../worker/phone/allocation.ts";
import { readPlanTable } from "../../worker/phone/plan-table.ts";
import { openPrefixTable } from "../../worker/phone/prefix-table.ts";
import { COMMITTED } from "../data.ts";
import { reachIn } from "./countries.ts";
import { prefixesOf } from "./encode.ts";
import { readHolders } from "./holders.ts";
import { planRanges, WIDTH } from "./plan-ranges.ts";
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

it.each(REGISTER_COUNTRIES)(
  "names the holder of each row of %s and no other company, before its end and after",
  { timeout: 240_000 },
  (country) => {
    const reviewed = readHolders(country);
    const carriers = prefixTable("carrier.jsonl");
    const { lookup } = openPrefixTable(carriers);
    const plans = readPlanTable(table("plans.bin"));
    const { unassigned_until: lastDay } = REGISTER_RELEASES[country]!;
    // Google's text changes within rows too.
    const starts = [...prefixesOf(prefixTableOf(prefixTable(registerFile(country)))), ...prefixesOf(carriers)];
    const statuses = new Set<string | undefined>();
    const wrong: string[] = [];
    let seen = "";
    for (const [callingCode, { regions }] of Object.entries(plans.head.plans)) {
      if (!regions.some((region) => registerOf(region) === country)) continue;
      const reach = reachIn(plans.nodesOf(callingCode));
      for (const { row, prefix, node } of planRanges(callingCode, plans, allOrSome(starts))) {
        const { suffix } = reach(node).find(({ region }) => registerOf(regions[region]!) === country) ?? {};
        if (row === seen || suffix === undefined) continue;
        seen = row;
        const number = `+${prefix}${suffix}`;
        const before = verifyOn(number, undefined, lastDay);
        const { allocation, carrier } = before;
        if (allocation === null) continue;
        statuses.add(allocation.status);
        // Only the blocks of pooled US codes are assigned to nobody in particular, and then Google's list speaks.
        const isSilent = country === "US" && allocation.status === "assigned" && allocation.holder === null;
        const google = isSilent && before.number_type === "fixed_line_or_mobile" ? lookup(number.slice(1)) : null;
        const brand = allocation.holder === null ? google : (reviewed(allocation.holder)?.brand ?? null);
        const after = verifyOn(number, undefined, "9999-12-31");
        if (carrier !== brand || after.carrier !== brand)
          wrong.push(`${number}: ${carrier}, then ${after.carrier}, but ${allocation.holder}`);
      }
    }
    expect(wrong).toEqual([]);
    // Mexico's and Russia's hold nothing back.
    expect([...statuses].toSorted()).toEqual(
      ["RU", "MX"].includes(country) ? ["assigned", "unassigned"] : ["assigned", "unassigned", "unknown"],
    );
  },
);

test.each([
  // Free, with Google's SFR; frozen, with Globalstar Europe; held back, with Limitless; given to another since, with Globalstar Europe.
  ["+33602970011", "2026-06-30", "unassigned"],
  ["+33602970011", "2026-07-02", "unknown"],
  ["+33640010011", "2026-06-30", "unknown"],
  ["+447378000111", "2025-11-30", "unknown"],
  ["+33640043001", "2026-06-30", "assigned"],
])("%s on %s is %s and nobody's, whatever Google's list has", (number, day, status) => {
  expect(verifyOn(number, undefined, day)).toMatchObject({ carrier: null, allocation: { status, holder: null } });
  expect(openPrefixTable(prefixTable("carrier.jsonl")).lookup(number.slice(1))).not.toBeNull();
});

test("Google's list names the holder of a pooled US code's block, which the register leaves open", () => {
  expect(verify("+16594007000")).toMatchObject({ carrier: "Sinch", allocation: { status: "assigned", holder: null } });
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

it("refuses a class where no line type comes from one, and what isn't a class", () => {
  const folder = mkdtempSync(join(tmpdir(), "checkline-holders-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const read = (country: RegisterCountry, kind: string) => {
    writeFileSync(join(folder, `${country.toLowerCase()}.tsv`), `Orange\tOrange\t${kind}\tmobile network\n`);
    return () => readHolders(country, folder);
  };
  expect(read("FR", "mobile")).toThrow("fr.tsv:1: no line type comes from a class here");
  expect(read("US", "phones")).toThrow("us.tsv:1: phones isn't a class");
  expect(read("FR", "-")()("Orange")).toEqual({ brand: "Orange", kind: null });
  expect(read("US", "mobile")()("Orange")).toEqual({ brand: "Orange", kind: "mobile" });
});

it("finds a company in any case, with spaces around it", () => {
  const reviewed = readHolders("RU");
  for (const name of ['ООО "Скартел"', 'ООО "СКАРТЕЛ"', ' ооо "скартел" ']) expect(reviewed(name)?.brand).toBe("Yota");
});

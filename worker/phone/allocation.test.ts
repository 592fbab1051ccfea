import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { engineWith, prefixTable, table, verify, verifyOn } from "../../test/engine.ts";
import type { LineType } from "../../contract/result-values.ts";
import { REGISTER_RELEASES } from "../../contract/data.ts";
import { REGISTER_COUNTRIES, type RegisterCountry } from "../../contract/registers.ts";
import { type Holding, openRegister, registerOf } from "./allocation.ts";

/**
 * Looked up in the registers' files by hand: who was given the range of a number, since when if not the register's own
 * date, and the row that says so. As on that date, when no register is too old.
 */
const CASES = readFileSync(join(import.meta.dirname, "allocation.cases.tsv"), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t") as [number: string, status: string, holder: string, since: string, why: string]);

test.each(CASES)("%s is %j of %j (%s): %s", (number, status, holder, since) => {
  const { valid, country_code, allocation } = verify(number);
  expect(valid).toBe(true);
  if (status === "") return expect(allocation).toBeNull();
  const as_of = REGISTER_RELEASES[registerOf(country_code!)!]!.date;
  expect(verifyOn(number, undefined, as_of).allocation).toStrictEqual({
    status,
    as_of,
    holder: holder || null,
    holder_as_of: since === "register" ? as_of : since || null,
  });
});

test("there are more than fifty known numbers, some of every register", () => {
  expect(CASES.length).toBeGreaterThan(50);
  const registers = CASES.map(([number]) => registerOf(verify(number).country_code!));
  expect(registers).toEqual(expect.arrayContaining([...REGISTER_COUNTRIES]));
});

describe("an unassigned number", () => {
  const UNASSIGNED = {
    US: "+14487728519",
    MX: "+524413981000",
    RU: "+79389611616",
    CA: "+14386272096",
    GB: "+443333726225",
    FR: "+33980000000",
  } satisfies Record<RegisterCountry, string>;
  test.each(REGISTER_COUNTRIES)("by the register of %s is unknown after its last day", (country) => {
    const number = UNASSIGNED[country];
    const { date: as_of, unassigned_until: until } = REGISTER_RELEASES[country]!;
    const next = new Date(Date.parse(until) + 86_400_000).toISOString().slice(0, 10);
    const [before, after] = [verifyOn(number, undefined, until), verifyOn(number, undefined, next)];
    if (before.allocation?.status === "assigned") throw new Error(`${number} is assigned`);
    expect(before.allocation).toStrictEqual({ status: "unassigned", as_of, holder: null, holder_as_of: null });
    expect(before.deliverability).toMatchObject({ sms: "unlikely", voice: "unlikely" });
    expect(before.deliverability.flags[0]).toBe("not_allocated");
    expect(before.carrier).toBeNull();
    expect(after.allocation).toMatchObject({ status: "unknown", as_of });
    expect(after.deliverability.flags).not.toContain("not_allocated");
    expect([before.valid, after.valid]).toEqual([true, true]);
  });
});

test.each([
  // Reopens on October 17.
  ["+33947742123", "unknown"],
  // Reopened on April 23.
  ["+33428734123", "unknown"],
  ["+33980000000", "unassigned"],
])("the French range of %s is %s in May 2026, when its register still tells", (number, status) => {
  const result = verifyOn(number, undefined, "2026-05-15");
  expect(result.allocation).toMatchObject({ status, holder: null });
  expect(result.deliverability.flags.includes("not_allocated")).toBe(status === "unassigned");
});

test("all other statuses stay after a register's last day", () => {
  for (const number of ["+17345582504", "+19299505405", "+523331320718"]) {
    expect(verifyOn(number, undefined, "2040-01-01")).toStrictEqual(verify(number));
  }
});

describe("the codes 555", () => {
  test("are unknown in every area code of the United States, apart from the fictional numbers", () => {
    for (let areaCode = 201; areaCode < 990; areaCode++) {
      const result = verify(`+1${areaCode}5551212`);
      if (result.country_code !== "US" || result.allocation === null) continue;
      expect(result.allocation.status, String(areaCode)).toBe("unknown");
      expect(verify(`+1${areaCode}5550123`).allocation).toBeNull();
    }
  });
});

describe("the carrier and the line type", () => {
  test.each<[number: string, carrier: string | null, lineType: LineType | null, source: string | null]>([
    // Mobile networks, incumbents, cable telephony, and companies whose numbers are app numbers.
    ["+17345582504", "Verizon", "mobile", "original_allocation"],
    ["+18313751474", "AT&T", "fixed", "original_allocation"],
    ["+13608593396", "Xfinity", "fixed", "original_allocation"],
    ["+12698156690", "Bandwidth", "voip", "original_allocation"],
    // A wireless licensee whose numbers serve apps; paging; business lines and wholesale.
    ["+15314008745", "Sinch", null, null],
    ["+14075250188", "Spok", null, null],
    ["+17755072247", "Lumen", null, null],
    // A pooled code's own holder says nothing about a block.
    ["+17818974742", null, null, null],
    // The regulator's own word.
    ["+523331320718", "AT&T", "mobile", "numbering_plan"],
    ["+526691331140", "Telmex", "fixed", "numbering_plan"],
    // The plan's own.
    ["+33759742198", "Free", "mobile", "numbering_plan"],
    ["+447732579792", "O2", "mobile", "numbering_plan"],
    ["+33656695694", "Prixtel", "mobile", "numbering_plan"],
    ["+5511987654321", "TIM", "mobile", "numbering_plan"],
    ["+12025550123", null, null, null],
  ])("of %s are %j and %j, by %j", (number, carrier, line_type, line_type_source) => {
    expect(verify(number)).toMatchObject({ carrier, line_type, line_type_source });
  });

  test("don't change number_type and, unless the range is unassigned, deliverability", () => {
    for (const number of ["+17345582504", "+18313751474", "+12698156690"]) {
      expect(verify(number)).toMatchObject({
        number_type: "fixed_line_or_mobile",
        deliverability: { sms: "unknown", voice: "likely", flags: [] },
      });
    }
  });
});

describe("a register", () => {
  const held = (holder: string): Holding => ({
    status: "assigned",
    holder,
    holder_as_of: "2026-01-01",
    carrier: null,
    line_type: null,
  });
  const file = [
    { as_of: "2026-01-01", unassigned_until: "2026-07-01" },
    { release: "2026-01-01", width: 4, blocks: [120104], unit: 100 },
    { steps: [0, 1, 1], texts: ["0", "1", null], rows: [0, 1, 2] },
    null,
    held("One"),
    held("Two"),
  ]
    .map((line) => `${line === null ? "" : JSON.stringify(line)}\n`)
    .join("");

  test("has its date, and holdings by range", () => {
    const { find, as_of } = openRegister(file);
    expect(as_of).toBe("2026-01-01");
    expect(["1200", "1201", "12019", "1202", "1203"].map((digits) => find(digits)?.holder)).toEqual([
      undefined,
      "One",
      "One",
      "Two",
      undefined,
    ]);
  });

  test("parses one block of rows and one holding for a number, and nothing more for the next one", () => {
    const us = prefixTable("allocation-us.jsonl");
    const { find } = openRegister(us);
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    const parsed = () => parse.mock.calls.map(([text]) => text);
    expect(find("17345582504")?.carrier).toBe("Verizon");
    expect(parsed().filter((text) => text.startsWith('{"steps":'))).toHaveLength(1);
    // The table's head, the block, and the holding: of 3.7 MB, 20 KB.
    expect(parsed()).toHaveLength(3);
    expect(parsed().join("").length).toBeLessThan(us.length / 100);
    expect(find("17345582505")?.carrier).toBe("Verizon");
    expect(parsed()).toHaveLength(3);
  });

  test("can be left out: its country's numbers then have what Google's tables and the plan know, and nothing is guessed", () => {
    const without = engineWith(table("plans.bin"), { US: "", FR: "" });
    for (const number of ["+17345582504", "+14487728519", "+33656695694", "+33759742198"]) {
      const known = verify(number);
      const { flags } = known.deliverability;
      expect(without.verify(number)).toStrictEqual({
        ...known,
        allocation: null,
        carrier: { "+33656695694": "Prixtel", "+33759742198": "Free" }[number] ?? null,
        line_type: number.startsWith("+1") ? null : "mobile",
        line_type_source: number.startsWith("+1") ? null : "numbering_plan",
        deliverability: flags.includes("not_allocated")
          ? { sms: "unknown", voice: "likely", flags: [] }
          : known.deliverability,
      });
    }
    for (const number of ["+17782684393", "+523331320718", "+447732579792"]) {
      expect(without.verify(number)).toStrictEqual(verify(number));
    }
  });
});

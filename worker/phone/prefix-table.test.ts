import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodePrefixTable, prefixesOf } from "../../scripts/data/encode.ts";
import { allOrSome, longOrShort } from "../../test/long.ts";
import { packagePrefixes } from "../../test/package-prefixes.ts";
import { MAX_WIDTH, openPrefixTable, type PrefixTable } from "./prefix-table.ts";

const source = packagePrefixes();

function tableOf(prefixes: Record<string, string>): PrefixTable {
  return openPrefixTable(encodePrefixTable(new Map(Object.entries(prefixes)), "test"));
}

/** The definition of the lookup: try every prefix of the number, longest first. */
function longestPrefix(prefixes: ReadonlyMap<string, string>, digits: string): string | null {
  for (let length = digits.length; length > 0; length--) {
    const text = prefixes.get(digits.slice(0, length));
    if (text !== undefined) return text === "" ? null : text;
  }
  return null;
}

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength, maxLength });

describe.each([
  { name: "carriers", prefixes: source.carrier, atLeast: 28_000 },
  { name: "areas", prefixes: source.location, atLeast: 260_000 },
  { name: "time zones", prefixes: source.timeZones, atLeast: 3_000 },
])("a table of $name", ({ prefixes, atLeast }) => {
  const encoded = encodePrefixTable(prefixes, "9.0.27");
  const table = openPrefixTable(encoded);

  it("has its release", () => {
    expect(table.release).toBe("9.0.27");
  });

  it("changes its text only at its rows", () => {
    const rows = prefixesOf(encoded);
    const wrong: string[] = [];
    let place = 0;
    let text: string | null = null;
    // In order: everything between two rows has the first one's text.
    for (const prefix of [...new Set([...prefixes.keys(), ...rows])].toSorted()) {
      const found = table.lookup(prefix);
      if (prefix === rows[place]) {
        if (found === text) wrong.push(prefix);
        [place, text] = [place + 1, found];
      } else if (found !== text) wrong.push(prefix);
    }
    expect(wrong).toEqual([]);
    expect(place).toBe(rows.length);
  });

  it("finds every prefix of the source, alone and followed by digits", () => {
    const wrong: string[] = [];
    for (const [prefix, text] of allOrSome([...prefixes])) {
      if (table.lookup(prefix) !== text) wrong.push(prefix);
      const tail = `${prefix}${(Number(prefix) * 7919) % 10_000_000}`;
      if (table.lookup(tail) !== longestPrefix(prefixes, tail)) wrong.push(tail);
    }
    expect(wrong).toEqual([]);
    expect(prefixes.size).toBeGreaterThan(atLeast);
  });

  it("doesn't match a prefix longer than the number", () => {
    const wrong: string[] = [];
    for (const prefix of allOrSome([...prefixes.keys()])) {
      const short = prefix.slice(0, -1);
      if (table.lookup(short) !== longestPrefix(prefixes, short)) wrong.push(short);
    }
    expect(wrong).toEqual([]);
  });

  it("matches a linear search for any number", () => {
    const keys = [...prefixes.keys()];
    const beside = fc
      .tuple(fc.nat(keys.length - 1), fc.nat(15), digits(0, 8))
      .map(([key, cut, tail]) => keys[key]!.slice(0, cut) + tail);
    fc.assert(
      fc.property(fc.oneof(digits(0, 17), beside), (number) => {
        expect(table.lookup(number)).toBe(longestPrefix(prefixes, number));
      }),
      { numRuns: longOrShort(3_000, 1_000) },
    );
  });
});

describe("a table of any prefixes", () => {
  // Few digits and short prefixes, so that prefixes nest, touch, and share texts.
  const prefix = fc.oneof(
    fc.string({ unit: fc.constantFrom("0", "1", "9"), minLength: 1, maxLength: 4 }),
    digits(1, MAX_WIDTH),
  );
  const text = fc.oneof(fc.constantFrom("", "a", "b", "Zürich", "two\nlines"), fc.string({ unit: "grapheme" }));

  it("matches a linear search", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(prefix, text), { minLength: 1, maxLength: 120 }),
        fc.array(prefix),
        (entries, others) => {
          const prefixes = new Map(entries);
          const table = openPrefixTable(encodePrefixTable(prefixes, "test"));
          for (const number of [
            ...others,
            ...[...prefixes.keys()].flatMap((key) => [key, `${key}0`, `${key}9`, key.slice(1)]),
          ]) {
            expect(table.lookup(number)).toBe(longestPrefix(prefixes, number));
          }
        },
      ),
      { numRuns: longOrShort(300, 60) },
    );
  });

  it("uses the longest prefix", () => {
    const table = tableOf({ "44": "United Kingdom", "4420": "London", "442079": "Westminster" });
    expect(table.lookup("442079460018")).toBe("Westminster");
    expect(table.lookup("442070000000")).toBe("London");
    expect(table.lookup("441214960123")).toBe("United Kingdom");
    expect(table.lookup("43")).toBeNull();
  });

  it("doesn't treat the end of a short number as zeros", () => {
    const table = tableOf({ "44": "United Kingdom", "44000": "Nowhere" });
    expect(table.lookup("44")).toBe("United Kingdom");
    expect(table.lookup("4400")).toBe("United Kingdom");
    expect(table.lookup("44000")).toBe("Nowhere");
    expect(table.lookup("4")).toBeNull();
    expect(table.lookup("")).toBeNull();
  });

  it("lets an empty text override a shorter prefix", () => {
    const table = tableOf({ "1": "North America", "1800": "" });
    expect(table.lookup("18002345678")).toBeNull();
    expect(table.lookup("12015550123")).toBe("North America");
  });

  it("distinguishes the longest prefixes, and ignores what follows", () => {
    const [one, other] = ["8", "9"].map((last) => last.padStart(MAX_WIDTH, "9")) as [string, string];
    const table = tableOf({ [one]: "a", [other]: "b" });
    expect(table.lookup(`${one}00`)).toBe("a");
    expect(table.lookup(`${other}00`)).toBe("b");
    expect(table.lookup("7".padStart(MAX_WIDTH, "9"))).toBeNull();
  });

  it("can't have prefixes that a number doesn't start with, or longer ones", () => {
    for (const wrong of ["", "+44", "4 4", "9".repeat(MAX_WIDTH + 1)]) {
      expect(() => tableOf({ [wrong]: "somewhere" })).toThrow(`Prefix ${JSON.stringify(wrong)}`);
    }
    expect(() => tableOf({})).toThrow("There are no prefixes");
  });

  it("is rejected if it's another text", () => {
    expect(() => openPrefixTable("<!doctype html>")).toThrow(SyntaxError);
  });
});

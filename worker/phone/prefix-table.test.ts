import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodePrefixTable } from "../../scripts/data/encode.ts";
import { allOrSome, longOrShort } from "../../test/long.ts";
import { packagePrefixes } from "../../test/package-prefixes.ts";
import { boundariesOf, openPrefixTable, type PrefixTable, toPosition } from "./prefix-table.ts";

const source = packagePrefixes();

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function tableOf(prefixes: Record<string, string>): PrefixTable {
  return openPrefixTable(bufferOf(encodePrefixTable(new Map(Object.entries(prefixes)), "test")));
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
  const buffer = bufferOf(encodePrefixTable(prefixes, "9.0.27"));
  const table = openPrefixTable(buffer);

  it("has its release", () => {
    expect(table.version).toBe("9.0.27");
  });

  it("changes its text only at its boundaries", () => {
    const boundaries = boundariesOf(buffer);
    const wrong: string[] = [];
    let place = 0;
    let text: string | null = null;
    // In order: everything between two boundaries has the first one's text.
    for (const prefix of [...new Set([...prefixes.keys(), ...boundaries])].toSorted()) {
      const found = table.lookup(prefix);
      if (prefix === boundaries[place]) {
        if (found === text) wrong.push(prefix);
        [place, text] = [place + 1, found];
      } else if (found !== text) wrong.push(prefix);
    }
    expect(wrong).toEqual([]);
    expect(place).toBe(boundaries.length);
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
    digits(1, 15),
  );
  const text = fc.oneof(fc.constantFrom("", "a", "b", "Zürich"), fc.string({ unit: "grapheme", maxLength: 200 }));

  it("matches a linear search", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(prefix, text), { minLength: 1, maxLength: 120 }),
        fc.array(prefix),
        (entries, others) => {
          const prefixes = new Map(entries.map(([key, value]) => [key, value.toWellFormed().replaceAll("\0", "")]));
          const table = openPrefixTable(bufferOf(encodePrefixTable(prefixes, "test")));
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

  it("distinguishes prefixes of 15 digits", () => {
    const table = tableOf({ "999999999999998": "a", "999999999999999": "b" });
    expect(table.lookup("999999999999998")).toBe("a");
    expect(table.lookup("9999999999999990")).toBe("b");
    expect(table.lookup("999999999999997")).toBeNull();
  });

  it("looks up one position in tables of every width", () => {
    const numbers = ["", "0", "9", "98", "9876543", "98765432", "987654321", "987654321098765", "9876543210987650"];
    for (const width of [1, 2, 7, 8, 9, 14, 15]) {
      const prefixes = new Map([
        ["9", "all"],
        ["987654321098765".slice(0, width), "longest"],
      ]);
      const table = tableOf(Object.fromEntries(prefixes));
      for (const number of numbers) {
        const found = table.lookupAt(toPosition(`+${number}`, 1));
        expect(found, `${number} in ${width} places`).toBe(longestPrefix(prefixes, number));
      }
    }
  });

  it("rejects non-digits, and ignores what follows 15 digits", () => {
    const table = tableOf({ "44": "United Kingdom" });
    expect(() => table.lookup("+44")).toThrow(RangeError);
    expect(() => table.lookup("4a")).toThrow(RangeError);
    expect(() => table.lookup("4420a")).toThrow(RangeError);
    expect(table.lookup("442071234567890a")).toBe("United Kingdom");
  });
});

describe("a damaged table", () => {
  const entries = Array.from({ length: 100 }, (_, i) => [String(1000 + i * 7), `Area ${i % 70}`] as const);
  const bytes = encodePrefixTable(new Map(entries), "test");

  function lookUpAll(damaged: Uint8Array): void {
    const table = openPrefixTable(bufferOf(damaged));
    for (let number = 990; number < 1800; number++) table.lookup(String(number));
  }

  it("works while undamaged", () => {
    expect(() => lookUpAll(bytes)).not.toThrow();
  });

  it("is rejected if truncated anywhere", () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => openPrefixTable(bufferOf(bytes.subarray(0, length)))).toThrow(/^Invalid prefix table/);
    }
  });

  it("is rejected if anything follows it", () => {
    expect(() => openPrefixTable(bufferOf(Buffer.concat([bytes, Buffer.of(0)])))).toThrow(/it should have \d+ bytes/);
  });

  it("is rejected if it's another file", () => {
    const page = Buffer.from("<!doctype html><title>Not found</title>".padEnd(200));
    expect(() => openPrefixTable(bufferOf(page))).toThrow(/doesn't start with CLPT/);
  });

  it("is rejected if it has another format", () => {
    const other = Uint8Array.from(bytes);
    other[4] = 3;
    expect(() => openPrefixTable(bufferOf(other))).toThrow(/its format is 3, but only 5 is supported/);
  });

  it("is rejected if a length in its header is wrong", () => {
    // Of the version, of the whole, of intervals, texts, steps, values, endings and symbols.
    for (const at of [5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36]) {
      const other = Uint8Array.from(bytes);
      other[at]! ^= 0x80;
      expect(() => lookUpAll(other), `byte ${at}`).toThrow(/^Invalid prefix table/);
    }
  });

  it("throws only its own error, whichever bit is wrong", () => {
    const otherwise: string[] = [];
    let rejected = 0;
    for (let bit = 0; bit < bytes.length * 8; bit += longOrShort(1, 5)) {
      const other = Uint8Array.from(bytes);
      other[bit >>> 3]! ^= 1 << (bit & 7);
      try {
        lookUpAll(other);
      } catch (error) {
        rejected++;
        if (!(error instanceof Error) || !error.message.startsWith("Invalid prefix table"))
          otherwise.push(`bit ${bit}: ${error}`);
      }
    }
    expect(otherwise).toEqual([]);
    expect(rejected).toBeGreaterThan(longOrShort(500, 100));
  });
});

describe("encoding", () => {
  it("rejects a text that contains the terminator", () => {
    expect(() => tableOf({ "44": "a\0b" })).toThrow("contains the text terminator");
  });

  it("rejects prefixes that a number can't start with", () => {
    for (const prefix of ["", "+44", "4 4", "1234567890123456"]) {
      expect(() => tableOf({ [prefix]: "somewhere" })).toThrow(`Prefix ${JSON.stringify(prefix)}`);
    }
    expect(() => tableOf({})).toThrow("There are no prefixes");
  });
});

import { describe, expect, test } from "vitest";
import { looksLikePhone, MAX_ROWS, textOf } from "./cells.ts";
import { bestColumn, namesOf, seemsHeader } from "./columns.ts";
import { readFile, readText } from "./read-table.ts";

function utf16(text: string, isLittle: boolean, mark = true): Uint8Array<ArrayBuffer> {
  const units = [...(mark ? "\uFEFF" : ""), ...text].map((unit) => unit.charCodeAt(0));
  const bytes = units.flatMap((unit) => (isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255]));
  return new Uint8Array(bytes);
}

/** The rows of a file as texts. */
async function rowsOf(content: string | Uint8Array<ArrayBuffer>): Promise<string[][]> {
  const { rows } = await readFile(new Blob([content]));
  return rows.map((row) => row.map(textOf));
}

const TABLE = [
  ["name", "phone"],
  ["Ana", "+5511987654321"],
  ["Bob", "+12025550123"],
];

describe("a text file", () => {
  test.each([
    ["commas", "name,phone\nAna,+5511987654321\nBob,+12025550123\n"],
    ["semicolons and CRLF", "name;phone\r\nAna;+5511987654321\r\nBob;+12025550123\r\n"],
    ["tabs", "name\tphone\nAna\t+5511987654321\nBob\t+12025550123"],
    ["bars", "name|phone\nAna|+5511987654321\nBob|+12025550123"],
    ["old Mac line ends", "name,phone\rAna,+5511987654321\rBob,+12025550123\r"],
    ["a byte order mark", "\uFEFFname,phone\nAna,+5511987654321\nBob,+12025550123\n"],
    ["Excel's line about its separator", "sep=;\r\nname;phone\r\nAna;+5511987654321\r\nBob;+12025550123\r\n"],
  ])("with %s", async (_, text) => {
    expect(await rowsOf(text)).toStrictEqual(TABLE);
  });

  const ACCENTS = "name;phone\r\nJoão;+5511987654321\r\n";
  test.each([
    ["UTF-8", new TextEncoder().encode(ACCENTS)],
    ["UTF-16, little endian", utf16(ACCENTS, true)],
    ["UTF-16, big endian", utf16(ACCENTS, false)],
    ["UTF-16 without a mark", utf16(ACCENTS, true, false)],
    ["UTF-16, big endian, without a mark", utf16(ACCENTS, false, false)],
    ["Windows-1252", new Uint8Array([...ACCENTS].map((character) => character.charCodeAt(0)))],
  ])("in %s", async (_, bytes) => {
    expect((await rowsOf(bytes))[1]).toStrictEqual(["João", "+5511987654321"]);
  });

  test("keeps quotes, separators, and line breaks within cells, and every row between the first and the last", async () => {
    const text = 'name,phone,note\n"Ana, ""A""",+1,"two\r\nlines"\n\n,,\nBob,+2\n\n\n';
    expect(await rowsOf(text)).toStrictEqual([
      ["name", "phone", "note"],
      ['Ana, "A"', "+1", "two\r\nlines"],
      [""],
      ["", "", ""],
      ["Bob", "+2"],
    ]);
  });

  test("never splits a cell of a plain list", () => {
    const lines = ["+1\t4155550123", "+1 415 555 0123, ext 5", "tel:+14155550123;ext=5", "+442079460018"];
    expect(readText(lines.join("\n")).rows).toStrictEqual(lines.map((line) => [line]));
    const parameters = ["tel:+14155550123;ext=5", "tel:+14155550124;ext=6"];
    expect(readText(parameters.join("\n")).rows).toStrictEqual(parameters.map((line) => [line]));
  });

  test("with one line of numbers is a list of them", () => {
    expect(readText("+5511987654321, +12025550123,+442079460018").rows).toHaveLength(3);
    expect(readText("Ana, +12025550123").rows).toStrictEqual([["Ana", " +12025550123"]]);
  });
});

describe("unusable input is rejected with a reason", () => {
  test.each([
    ["an image", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), /can’t read this file/],
    ["a broken workbook", new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]), /couldn’t read the workbook/],
    ["an old workbook", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), /old Excel format/],
    ["nothing", "", /file is empty/],
    ["only blank lines", "\n \n\n", /file is empty/],
    [
      "a quote that ends inside its cell",
      'name,phone\n"Bob" Smith,+1\n"Ann",+2\n',
      /quotation mark in row 2 isn’t closed/,
    ],
    ["a quote without an end", 'name,phone\n"Ana,+1\nBob,+2\n', /quotation mark in row 2 is never closed/],
    ["too many rows", "1\n".repeat(MAX_ROWS + 2), /more than 100,000 rows/],
    ["too many cells", `${",".repeat(40)}1\n`.repeat(80_000), /more than 3,000,000 cells/],
  ])("%s", async (_, content, message) => {
    await expect(readFile(new Blob([content]))).rejects.toThrow(message);
  });

  test("a file that is too large, before it is read", async () => {
    const file = { size: 51 * 1024 * 1024 } as Blob;
    await expect(readFile(file)).rejects.toThrow(/larger than 50 MB/);
  });
});

describe("columns", () => {
  test("a header has words, no number, and numbers below", () => {
    expect(seemsHeader(TABLE)).toBe(true);
    expect(seemsHeader(TABLE.slice(1))).toBe(false);
    expect(seemsHeader([["name"], ["Ana"]])).toBe(false);
    expect(seemsHeader([["phone"], ["4.15556E+11"]])).toBe(true);
    expect(seemsHeader([])).toBe(false);
  });

  test("the one with the most numbers is chosen, and of two the one with a typical header", () => {
    expect(bestColumn(TABLE, true)).toBe(1);
    expect(
      bestColumn(
        [
          ["+12025550123", "x"],
          ["", "y"],
        ],
        false,
      ),
    ).toBe(0);
    const tie = readText("account,mobile\n100200300,+12025550123\n100200301,+5511987654321\n").rows;
    expect(bestColumn(tie, true)).toBe(1);
    expect(
      namesOf(
        [
          ["", "a"],
          ["1", "2", "3"],
        ],
        true,
      ),
    ).toStrictEqual(["Column 1", "a", "Column 3"]);
  });

  test.each([
    ["+55 (11) 98765-4321", true],
    ["0034912345678", true],
    ["tel:+1-202-555-0123;ext=5", true],
    ["2026-01-31", false],
    ["31/01/2026", false],
    ["12345", false],
    ["ana123456@example.com", false],
  ])("%s looks like a phone number: %s", (text, expected) => {
    expect(looksLikePhone(text)).toBe(expected);
  });
});

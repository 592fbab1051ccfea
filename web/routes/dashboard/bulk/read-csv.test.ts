import { describe, expect, test } from "vitest";
import { cellsOf, decodeText, looksLikePhone, MAX_FILE_BYTES, readCsv, withHeader } from "./read-csv.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function read(text: string | Uint8Array) {
  const result = readCsv(typeof text === "string" ? bytes(text) : text);
  if (!result.ok) throw new Error(result.message);
  return { ...result.file, cells: cellsOf(result.file, result.file.best) };
}

const NUMBERS = ["+5511987654321", "+12025550123"];

describe("a CSV file", () => {
  test.each([
    ["commas", "name,phone\nAna,+5511987654321\nBob,+12025550123\n"],
    ["semicolons and CRLF", "name;phone\r\nAna;+5511987654321\r\nBob;+12025550123\r\n"],
    ["tabs", "name\tphone\nAna\t+5511987654321\nBob\t+12025550123"],
    ["quotes, commas and line ends within cells", 'name,phone\n"Ana, ""A""\nB",+5511987654321\n"Bob","+12025550123"\n'],
    ["a byte order mark", "\uFEFFphone,name\n+5511987654321,Ana\n+12025550123,Bob\n"],
    ["empty lines", "\n\nname,phone\n\nAna,+5511987654321\n,\nBob,+12025550123\n\n"],
    ["dates and ids beside", "id,since,phone\n1,2026-01-31,+5511987654321\n2,31.01.2026,+12025550123\n"],
    ["apostrophes that keep spreadsheets from calculating", "name,phone\nAna,'+5511987654321\nBob,'+12025550123\n"],
  ])("with %s", (_, text) => {
    const file = read(text);
    expect(file.cells).toStrictEqual(NUMBERS);
    expect(file.hasHeader).toBe(true);
    expect(file.columns[file.best]?.name).toBe("phone");
  });

  test("of one column without a head", () => {
    const file = read("+5511987654321\r\n+12025550123\r\n");
    expect(file).toMatchObject({
      hasHeader: false,
      best: 0,
      cells: NUMBERS,
      columns: [{ name: "Column 1", numbers: 2 }],
    });
  });

  test("in UTF-16, as Excel's Unicode text has it", () => {
    const text = "name\tphone\r\nJoão\t+5511987654321\r\nBob\t+12025550123\r\n";
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...[...text].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]),
    ]);
    expect(read(utf16).cells).toStrictEqual(NUMBERS);
  });

  test("in Windows' Latin", () => {
    expect(decodeText(new Uint8Array([0x4a, 0x6f, 0xe3, 0x6f]))).toBe("João");
  });

  test("prefers the column with most numbers, and a telling head where two have as many", () => {
    expect(read("fax,id\n+12025550123,x\n,y\n").columns.map((column) => column.numbers)).toStrictEqual([1, 0]);
    const tie = read("account,mobile\n100200300,+12025550123\n100200301,+5511987654321\n");
    expect(tie.columns[tie.best]?.name).toBe("mobile");
  });

  test("can be told that its first line is no head", () => {
    const { rows } = read("name,phone\nAna,+5511987654321\n");
    const file = withHeader(rows, false);
    expect(cellsOf(file, 1)).toStrictEqual(["phone", "+5511987654321"]);
    expect(file.columns.map(({ name }) => name)).toStrictEqual(["Column 1", "Column 2"]);
  });
});

describe("a file that is none", () => {
  test.each([
    ["an Excel workbook", new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]), /Save the sheet as CSV/],
    ["an image", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), /not a text file/],
    ["text without numbers", bytes("name,city\nAna,Porto\n"), /no phone number/],
    ["nothing", bytes(""), /no phone number/],
    ["too much", new Uint8Array(MAX_FILE_BYTES + 1), /larger than 20 MB/],
  ])("%s is refused with a reason", (_, content, message) => {
    const result = readCsv(content);
    expect(result.ok ? "" : result.message).toMatch(message);
  });
});

test.each([
  ["+55 (11) 98765-4321", true],
  ["0034912345678", true],
  ["tel:+1-202-555-0123;ext=5", true],
  ["2026-01-31", false],
  ["2026-01-31 12:00:00", false],
  ["31/01/2026", false],
  ["Ana", false],
  ["12345", false],
  ["ana123456@example.com", false],
])("%s looks like a phone number: %s", (cell, expected) => {
  expect(looksLikePhone(cell)).toBe(expected);
});

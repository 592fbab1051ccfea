import { describe, expect, test } from "vitest";
import { textOf } from "../cells.ts";
import { MAX_BULK_ROWS } from "../../contract/limits.ts";
import { encode } from "../../test/encode.ts";
import { checkSize, readFile } from "./read-file.ts";
import { readText } from "./read-text.ts";

function utf16(text: string, isLittle: boolean, mark = true): Uint8Array<ArrayBuffer> {
  const units = [...(mark ? "\uFEFF" : ""), ...text].map((unit) => unit.charCodeAt(0));
  const bytes = units.flatMap((unit) => (isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255]));
  return new Uint8Array(bytes);
}

function read(content: string | Uint8Array, name = "list") {
  return readFile(typeof content === "string" ? new TextEncoder().encode(content) : content, name);
}

/** The rows of a file as texts. */
async function rowsOf(content: string | Uint8Array): Promise<string[][]> {
  const { rows } = await read(content);
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

  test.each([
    ["windows-1252", "José Muñoz;María Peña;Begoña Ibáñez;Íñigo"],
    ["windows-1252", "Jürgen;Groß;Schäfer;Weiß"],
    ["windows-1250", "Łukasz;Wójcik;Dąbrowska;Żółć"],
    ["iso-8859-2", "Jiří Dvořák;Šárka;Černý;Růžička"],
    ["windows-1251", "Иван Петров;Анна Смирнова;Ольга"],
    ["koi8-r", "Иван Петров;Анна Смирнова;Ольга"],
    ["windows-1253", "Γιώργος;Παπαδόπουλος;Ελένη"],
    ["windows-1254", "Çağlar Şahin;Gülşen Yıldız;İbrahim"],
    ["windows-1255", "דוד כהן;רחל לוי"],
    ["windows-1256", "محمد علي;فاطمة حسن"],
    ["windows-1257", "Jānis Bērziņš;Līga Ozoliņa"],
    ["windows-874", "สมชาย;สมหญิง"],
    ["shift_jis", "山田太郎;佐藤花子;鈴木一郎"],
    ["gbk", "张伟;王芳;李娜;刘洋"],
    ["big5", "陳怡君;林志明;黃淑芬"],
    ["euc-kr", "김민수;이영희;박지훈"],
  ])("in %s keeps %s", async (label, names) => {
    const rows = names.split(";").map((name, at) => [name, `+1202555010${at}`]);
    const text = [["name", "phone"], ...rows].map((row) => row.join(",")).join("\r\n");
    expect((await rowsOf(encode(text, label))).slice(1)).toStrictEqual(rows);
  });

  test("in UTF-8 with a damaged character keeps the others", async () => {
    const bytes = new TextEncoder().encode("name;phone\nJoão;+5511987654321\nMônica ?;+5511987654322\n");
    bytes[bytes.indexOf(63)] = 0xe3;
    expect(await rowsOf(bytes)).toStrictEqual([
      ["name", "phone"],
      ["João", "+5511987654321"],
      ["Mônica \uFFFD", "+5511987654322"],
    ]);
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
    const lines = [
      "+1\t4155550123",
      "+1 415 555 0123, ext 5",
      "tel:+14155550123;ext=5",
      "+442079460018",
      "=1+20255501",
    ];
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
    ["JSON", '[{"phone": "+12025550123"}]', /^This is JSON\./],
    ["lines of JSON", '{"phone":"+12025550123"}\n{"phone":"+12025550124"}\n', /^This is JSON\./],
    ["a list in JSON", '[\n  "+12025550123"\n]', /^This is JSON\./],
    ["HTML", "<table><tr><td>+12025550123</td></tr></table>", /^This is HTML\./],
    ["only blank lines", "\n \n\n", /file is empty/],
    [
      "a quote that ends inside its cell",
      'name,phone\n"Bob" Smith,+1\n"Ann",+2\n',
      /quotation mark in row 2 isn’t closed/,
    ],
    ["a quote without an end", 'name,phone\n"Ana,+1\nBob,+2\n', /quotation mark in row 2 is never closed/],
    ["too many rows", "1\n".repeat(MAX_BULK_ROWS + 2), /more than 100,000 rows/],
    ["too many cells", `${",".repeat(40)}1\n`.repeat(80_000), /more than 3,000,000 cells/],
  ])("%s", async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });

  test.each([
    ["notes.pdf", "+12025550123\n"],
    ["list.txt", "%PDF-1.7\n1 0 obj\n"],
    ["page.HTML", "<p>+12025550123</p>"],
  ])("a document, %s", async (name, content) => {
    await expect(read(content, name)).rejects.toThrow(/Choose a CSV, XLSX, or VCF file/);
  });

  test("a file that is too large, before it is read", () => {
    expect(() => checkSize(51 * 1024 * 1024)).toThrow(/larger than 50 MB/);
  });
});

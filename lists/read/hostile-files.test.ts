import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { deflateRawSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { ZipFile } from "yazl";
import { run } from "../../test/programs.ts";
import { tidy } from "../cells.ts";
import { readFile } from "./read-file.ts";
import { readText } from "./read-text.ts";
import { entriesOf } from "./zip.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

interface Parts {
  readonly sheetData?: string;
  readonly strings?: string;
  readonly sheetCount?: number;
}

/** A workbook of the given XML, as a zip file. */
async function workbook({ sheetData = "", strings = "", sheetCount = 1 }: Parts): Promise<Uint8Array<ArrayBuffer>> {
  const sheets = Array.from(
    { length: sheetCount },
    (_, at) => `<sheet name="S${at}" sheetId="${at + 1}" r:id="rId1"/>`,
  );
  const parts = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "_rels/.rels": `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    "xl/sharedStrings.xml": `<sst xmlns="${MAIN}">${strings}</sst>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${MAIN}"><sheetData>${sheetData}</sheetData></worksheet>`,
  };
  const file = new ZipFile();
  for (const [name, text] of Object.entries(parts)) file.addBuffer(Buffer.from(text), name);
  file.end();
  return new Uint8Array(await buffer(file.outputStream));
}

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const MEGABYTE = 2 ** 20;
/** One number in the first cell. */
const SMALL = { sheetData: `<row r="1">${text("+12025550123")}</row>` };

/** Overwrites the stated unpacked size of the sheet, the last entry. */
async function stating(size: number, parts: Parts): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await workbook(parts);
  const directory = Buffer.from(bytes.buffer);
  directory.writeUInt32LE(size, directory.lastIndexOf("PK\u0001\u0002") + 24);
  return bytes;
}

describe("a workbook that would fill the memory is rejected with a reason", () => {
  test.each<[string, () => Promise<Uint8Array<ArrayBuffer>>, RegExp]>([
    [
      "a row with a huge number",
      () => workbook({ sheetData: `<row r="400000000">${text("+12025550123")}</row>` }),
      /more than 100,000 rows/,
    ],
    [
      "rows that all have the number 1",
      () => workbook({ sheetData: `<row r="1">${text("1")}</row>`.repeat(100_002) }),
      /more than 100,000 rows/,
    ],
    ...["XFE1", "ZZZZZZ1"].map((reference): [string, () => Promise<Uint8Array<ArrayBuffer>>, RegExp] => [
      `the cell ${reference}`,
      () => workbook({ sheetData: `<row r="1"><c r="${reference}"><v>1</v></c></row>` }),
      /more than 16,384 columns/,
    ]),
    [
      "very wide rows",
      () => workbook({ sheetData: '<row><c r="XFD1"><v>1</v></c></row>'.repeat(20_000) }),
      /more than 3,000,000 cells/,
    ],
    [
      "a text of 400 MB",
      () => workbook({ sheetData: `<row r="1">${text("1".repeat(400 * MEGABYTE))}</row>` }),
      /Unpacked, the workbook is larger than 200 MB/,
    ],
    [
      "millions of shared texts",
      () => workbook({ ...SMALL, strings: "<si/>".repeat(9_000_000) }),
      /Unpacked, the text in the workbook is larger than 32 MB/,
    ],
    ["thousands of sheets", () => workbook({ ...SMALL, sheetCount: 1_001 }), /more than 1,000 sheets/],
    [
      "a text that is larger than stated",
      () => stating(100, { sheetData: `<row r="1">${text("1".repeat(MEGABYTE))}</row>` }),
      /couldn’t read the workbook/,
    ],
    [
      "a text without a stated size",
      () => stating(0, { sheetData: `<row r="1">${text("1".repeat(300 * MEGABYTE))}</row>` }),
      /Unpacked, the workbook is larger than 200 MB/,
    ],
    ["a text that is stated as larger than it is", () => stating(2 ** 31, SMALL), /larger than 200 MB/],
  ])("%s", { timeout: 60_000 }, async (_, make, message) => {
    await expect(readFile(await make(), "book.xlsx")).rejects.toThrow(message);
  });
});

const WASTE = "a='>' ".repeat(1_600_000);

describe("a workbook that would take minutes is rejected within two seconds", () => {
  test.each<[string, Parts, RegExp]>([
    [
      "blank rows of every column",
      { sheetData: '<row><c r="XFD1"/></row>'.repeat(5_000) },
      /more than 3,000,000 cells/,
    ],
    ["the same in a namespace", { sheetData: '<x:row><x:c r="XFD1"/></x:row>'.repeat(5_000) }, /3,000,000 cells/],
    ["millions of blank cells", { sheetData: `<row>${"<c/>".repeat(16_000)}</row>`.repeat(500) }, /3,000,000 cells/],
    ["millions of blank rows", { sheetData: "<row/>".repeat(1_100_000) }, /100,000 rows/],
    ["a cell with millions of attributes", { sheetData: `<row><c ${WASTE}/></row>` }, /no spreadsheet writes/],
    ["a text with millions of attributes", { ...SMALL, strings: `<si ${WASTE}/>` }, /no spreadsheet writes/],
    ["tags that never end", { sheetData: "<row ".repeat(200_000) }, /no spreadsheet writes/],
  ])("%s", async (_, parts, message) => {
    const bytes = await workbook(parts);
    const used = process.cpuUsage();
    await expect(readFile(bytes, "book.xlsx")).rejects.toThrow(message);
    const { user, system } = process.cpuUsage(used);
    expect((user + system) / 1e6).toBeLessThan(2);
  });

  test("but a comment and a text may have any length and marks", async () => {
    const odd = `<!-- don't ${"<".repeat(50_000)} -->`;
    const { rows } = await readFile(
      await workbook({ sheetData: `${odd}<row r="1">${text(`<![CDATA[${"<'".repeat(10)}]]>+12025550123`)}</row>` }),
      "book.xlsx",
    );
    expect(rows).toHaveLength(1);
  });
});

test("styled, empty rows to the end of the sheet are no rows, and numbered rows stay where they are", async () => {
  const sheetData = `<row r="3">${text("+12025550123")}</row><row r="1048576" s="1"><c r="A1048576" s="1"/></row>`;
  const { rows } = await readFile(await workbook({ sheetData }), "book.xlsx");
  expect(rows).toStrictEqual([[], [], ["+12025550123"]]);
});

test("sizes in ZIP64 records count", () => {
  const name = Buffer.from("a");
  const packed = deflateRawSync(Buffer.alloc(0));
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(0xffff_ffff, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(12, 30);
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(5_000_000_000n, 4);
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(1n, 32);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(entry.length + name.length + extra.length), 8);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(0xffff, 10);
  const bytes = Buffer.concat([entry, name, extra, record, locator, end]);
  expect(entriesOf(bytes)).toMatchObject([{ name: "a", size: 5_000_000_000 }]);
  for (const short of [bytes.subarray(60), bytes.subarray(0, -1), Buffer.alloc(0), Buffer.alloc(10)]) {
    expect(() => entriesOf(short)).toThrow();
  }
});

/** Reads a file, and prints why it can't. */
const READ = `
  import { readFileSync } from "node:fs";
  import { readFile } from "${import.meta.dirname}/read-file.ts";
  await readFile(readFileSync(process.argv[1]), "book.xlsx").catch((error) => console.log(error.message));
`;

test("a hostile workbook is rejected within 128 MB of heap", { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "book.xlsx");
  const limits = ["--max-old-space-size=128", "--input-type=module", "--eval", READ];
  for (const parts of [
    { sheetData: `<row r="400000000">${text("+12025550123")}</row>` },
    { sheetData: '<row><c r="XFD1"><v>1</v></c></row>'.repeat(20_000) },
    { ...SMALL, strings: "<si/>".repeat(9_000_000) },
  ]) {
    writeFileSync(file, await workbook(parts));
    const { stdout, stderr } = await run(process.execPath, [...limits, file], { cwd: folder });
    expect(stdout, stderr).toMatch(/more than|larger than/);
  }
});

describe("a text that would fill the memory is rejected with a reason", () => {
  test.each([
    ["a million columns", `${"a,".repeat(1_000_000)}b\n1,2\n`, /more than 16,384 columns/],
    ["too many columns in one line that is no list", `${"a,".repeat(20_000)}b`, /more than 16,384 columns/],
    ["millions of separators in one line", "1,".repeat(25 * MEGABYTE), /more than 16,384 columns/],
    ["millions of separators", `a${",".repeat(10_000)}\n`.repeat(5_000), /more than 3,000,000 cells/],
    [
      "millions of separators between line breaks in a cell",
      `"\n",1${",".repeat(15_000)}`.repeat(3_000),
      /16,384 columns/,
    ],
    ["millions of line breaks", `1\n${"\n".repeat(50 * MEGABYTE - 3)}1`, /more than 100,000 rows/],
    ["millions of lines", "1\n".repeat(25 * MEGABYTE), /more than 100,000 rows/],
  ])("%s", { timeout: 20_000 }, (_, content, message) => {
    expect(() => readText(content)).toThrow(message);
  });

  test("a line of 50 MB is one cell, and one of 100 MB isn't read", async () => {
    const line = "1".repeat(50 * MEGABYTE);
    expect(readText(line).rows).toStrictEqual([[line]]);
    await expect(readFile(new TextEncoder().encode(line + line), "line.txt")).rejects.toThrow(/larger than 50 MB/);
  });

  test("a long cell of quotation marks takes no time", () => {
    const start = performance.now();
    expect(tidy(`1${"'".repeat(MEGABYTE)}1`)).toHaveLength(MEGABYTE + 2);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  test("blank rows at the end, up to a spreadsheet's last, are no rows", () => {
    expect(readText(`name,phone\nAna,+1${"\n,".repeat(1_048_574)}`).rows).toHaveLength(2);
  });

  test("one line of many numbers is still a list", () => {
    expect(readText(Array.from({ length: 50_000 }, () => "+12025550123").join(",")).rows).toHaveLength(50_000);
  });
});

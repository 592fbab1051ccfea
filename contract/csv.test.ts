import fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { csvLine, guardCell, guardFormula } from "./csv.ts";

test.each([
  ["", ""],
  ["+5511987654321", "'+5511987654321"],
  ["+55 11 98765-4321", "'+55 11 98765-4321"],
  ["(11) 98765-4321", "(11) 98765-4321"],
  ["020 7946 0018", "'020 7946 0018"],
  ["007", "'007"],
  ["0", "0"],
  ["0.5", "0.5"],
  ["5511987654321", "'5511987654321"],
  ["12E4", "'12E4"],
  ["1.5e-7", "'1.5e-7"],
  ["4,15556E+11", "'4,15556E+11"],
  ["12E4x", "12E4x"],
  ["E12", "E12"],
  ["12.50", "12.50"],
  ["-12,5", "-12,5"],
  ["-1E5", "'-1E5"],
  ["2026-01-31", "2026-01-31"],
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  ["@SUM(1)", "'@SUM(1)"],
  [" =1", " '=1"],
  ["\t1", "'\t1"],
  ["\t=1", "'\t'=1"],
  ["\r1", "'\r1"],
  ["\n1", "'\n1"],
  ["\u0000=1", "\u0000'=1"],
  ["＝1", "'＝1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠A1", "'＠A1"],
  ["a=1", "a=1"],
  ["a;=1+1", "a;'=1+1"],
  ["a|@SUM(1)", "a|'@SUM(1)"],
  ["a\t+1", "a\t'+1"],
  ["a,-1", "a,'-1"],
  ["a; =1;＝2", "a; '=1;'＝2"],
  ['a;"=1+1', "a;\"'=1+1"],
  ["a\r\n=1", "a\r\n'=1"],
  ["sales - EU; A-1", "sales - EU; A-1"],
])("the cell %j is written for spreadsheets as %j", (text, expected) => {
  expect(guardCell(text)).toBe(expected);
});

test.each([
  ["=1+1", "'=1+1"],
  ['=HYPERLINK("http://evil")', '\'=HYPERLINK("http://evil")'],
  ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  ["＝A1", "'＝A1"],
  ["@SUM(1)", "'@SUM(1)"],
  ["a;=1", "a;'=1"],
  // Numbers, and Excel's own texts, run nothing.
  ["+55 (11) 98765-4321", "+55 (11) 98765-4321"],
  ["+1 202 555 0123; +1 202 555 0124", "+1 202 555 0123; +1 202 555 0124"],
  ["-12,5", "-12,5"],
  ['="0171 1234567"', '="0171 1234567"'],
  ["a=1", "a=1"],
])("the cell %j is written for programs as %j", (text, expected) => {
  expect(guardFormula(text)).toBe(expected);
});

test("our own cell that starts like a number is guarded too", () => {
  expect(guardCell("12-34-56", { isOurs: true })).toBe("'12-34-56");
  expect(guardCell("mobile", { isOurs: true })).toBe("mobile");
});

test("a negative number stays one, except where the next cells would continue it", () => {
  expect(csvLine([guardCell("Ana", { isFirst: true }), guardCell("-1")])).toBe("Ana,-1\r\n");
  // With a decimal comma, `-1,5+cmd|…` is a formula.
  expect(csvLine([guardCell("-1", { isFirst: true }), guardCell("5+cmd|' /C calc'!A0")])).toMatch(/^'-1,5/);
});

test("a line survives a round trip", () => {
  const cells = ["", "plain", 'a "b"', "a,b", "a\r\nb", "\r", " a ", "'=1", "1.5", "Ä日"];
  expect(csvLine([1, "a b"])).toBe("1,a b\r\n");
  expect(Papa.parse(csvLine(cells).trimEnd(), { delimiter: ",", newline: "\r\n" }).data).toStrictEqual([cells]);
});

/**
 * The cells of a file in Excel: fields that start with a quotation mark may contain separators and line breaks, and any
 * other quotation mark is text.
 */
function cellsIn(file: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at < file.length; at += 1) {
    let cell = "";
    if (file[at] === '"') {
      for (at += 1; at < file.length; at += 1) {
        if (file[at] === '"' && file[at + 1] !== '"') break;
        if (file[at] === '"') at += 1;
        cell += file[at];
      }
      at += 1;
    }
    for (; at < file.length && ![separator, "\r", "\n"].includes(file[at]!); at += 1) cell += file[at];
    cells.push(cell);
  }
  return cells;
}

const EVIL = fc.string({
  unit: fc.constantFrom(..."=+-@＝＋－＠,;|\t\r\n\"' \u0000a1().E"),
  maxLength: 12,
});
const TABLES = fc.array(fc.tuple(EVIL, EVIL, EVIL), { minLength: 1, maxLength: 4 });

test("no cell begins a formula, whichever separator a locale uses", () => {
  const isFormula = (cell: string) => /^[\s\p{Cc}]*[=+\-@＝＋－＠]/u.test(cell) && !/^-\d+(?:[.,]\d+)?$/.test(cell);
  expect(isFormula("=1")).toBe(true);
  fc.assert(
    fc.property(TABLES, (rows) => {
      const file = rows.map((row) => csvLine(row.map((cell, at) => guardCell(cell, { isFirst: at === 0 })))).join("");
      for (const separator of [",", ";", "\t", "|"]) {
        expect(cellsIn(file, separator).filter(isFormula), JSON.stringify(file)).toStrictEqual([]);
      }
    }),
    { numRuns: 5_000 },
  );
});

test("the guards are all that a reader finds added", () => {
  const unguarded = (cell: string) => cell.replaceAll("'", "");
  fc.assert(
    fc.property(TABLES, (rows) => {
      const file = rows.map((row) => csvLine(row.map((cell, at) => guardCell(cell, { isFirst: at === 0 })))).join("");
      const { data } = Papa.parse<string[]>(file.slice(0, -2), { delimiter: ",", newline: "\r\n" });
      expect(data.map((row) => row.map(unguarded))).toStrictEqual(rows.map((row) => row.map(unguarded)));
    }),
    { numRuns: 2_000 },
  );
});

import Papa from "papaparse";
import { expect, test } from "vitest";
import { csvLine, guardCell } from "./csv.ts";

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
  [" =1", "' =1"],
  ["\t1", "'\t1"],
  ["\r1", "'\r1"],
  ["\n1", "'\n1"],
  ["\u0000=1", "'\u0000=1"],
  ["＝1", "'＝1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠A1", "'＠A1"],
  ["a=1", "a=1"],
])("the cell %j is written for spreadsheets as %j", (text, expected) => {
  expect(guardCell(text)).toBe(expected);
});

test("our own cell that starts like a number is guarded too", () => {
  expect(guardCell("12-34-56", true)).toBe("'12-34-56");
  expect(guardCell("mobile", true)).toBe("mobile");
});

test("a line survives a round trip", () => {
  const cells = ["", "plain", 'a "b"', "a,b", "a\r\nb", "\r", " a ", "'=1", "1.5", "Ä日"];
  expect(csvLine([1, "a b"])).toBe("1,a b\r\n");
  expect(Papa.parse(csvLine(cells).trimEnd(), { delimiter: ",", newline: "\r\n" }).data).toStrictEqual([cells]);
});

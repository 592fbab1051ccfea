import { expect, test } from "vitest";
import { appendedNames } from "./result-columns.ts";
import { writeTable } from "./write-table.ts";

test("our columns have names that the list doesn’t", () => {
  const taken = ["Outcome", "checkline_outcome", "note"];
  expect(appendedNames(taken, ["outcome", "valid", "note"])).toStrictEqual([
    "checkline_checkline_outcome",
    "valid",
    "checkline_note",
  ]);
});

test("for spreadsheets, no first cell begins a formula that the next ones continue, and other numbers stay", async () => {
  const lines = [
    [-1, "5+cmd|' /C calc'!A0"],
    ["-1", -2.5],
    [12, "-2,5"],
    [new Date("2026-01-31"), true],
  ];
  const output = { titles: [], head: () => ["a;=1", "b"], given: 2, line: (at: number) => lines[at]!, written: null };
  const places = [...lines.keys()];
  expect(await (await writeTable(output, places, "csv")).text()).toBe(
    "a;'=1,b\r\n'-1,5+cmd|' /C calc'!A0\r\n'-1,-2.5\r\n12,\"-2,5\"\r\n2026-01-31,true\r\n",
  );
  expect(await (await writeTable(output, places, "raw")).text()).toContain("a;=1,b\r\n-1,5+cmd|' /C calc'!A0\r\n");
});

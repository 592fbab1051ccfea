import { expect, test } from "vitest";
import { prefixTable, table, verify } from "../../../test/engine.ts";
import { registerFile } from "../../../contract/registers.ts";
import { readPlanTable } from "../../../worker/phone/plan-table.ts";
import { encodeRows } from "../encode.ts";
import { invalidRanges } from "./invalid-ranges.ts";

const plans = readPlanTable(table("plans.bin"));
const holdings = ["assigned", "unassigned"].map((status) => JSON.stringify({ status }));

/** A register's file with the status of the numbers from each prefix to the next: 0 is assigned, 1 is unassigned. */
function register(...rows: [prefix: string, status: "0" | "1" | null][]): string {
  const width = rows[0]![0].length;
  const prefixes = encodeRows(
    rows.map(([prefix, text]) => ({ prefix, text })),
    width,
    "",
  );
  return `{}\n${prefixes}\n${holdings.join("\n")}\n`;
}

test("assigned ranges without a valid number are listed, adjacent ones as one", () => {
  const file = register(
    ["1684298", "1"],
    ["1684299", "0"],
    ["1684300", null],
    ["1734558", "0"],
    ["1734559", null],
    ["1999000", "0"],
    ["1999001", "1"],
    ["1999002", "0"],
    ["1999003", null],
  );
  expect(invalidRanges("US", file, plans)).toEqual([
    "US: +16842990000 to +16842999999, 10,000 numbers",
    "US: +19990000000 to +19990009999, 10,000 numbers",
    "US: +19990020000 to +19990029999, 10,000 numbers",
  ]);
  const adjacent = register(["7930000", "0"], ["7930001", "0"], ["7930002", null]);
  expect(invalidRanges("RU", adjacent, plans)).toEqual(["RU: +79300000000 to +79300019999, 20,000 numbers"]);
});

test("of the committed tables, their first and last numbers are invalid", () => {
  const lines = (["GB", "RU"] as const).flatMap((country) =>
    invalidRanges(country, prefixTable(registerFile(country)), plans),
  );
  const numbers = lines.flatMap((line) => line.match(/\+\d+/g)!);
  expect(numbers.length).toBeGreaterThan(2);
  expect(numbers.filter((number) => verify(number).valid)).toEqual([]);
});

import { expect, it } from "vitest";
import { table } from "../../test/engine.ts";
import { readPlanTable } from "../../worker/phone/plan-table.ts";
import { planRanges, prefixesBetween } from "./plan-ranges.ts";

it("the prefixes between two numbers are those numbers, and as few as possible", () => {
  expect([...prefixesBetween(522221000000, 522221000127)]).toEqual([
    "5222210000",
    "52222100010",
    "52222100011",
    "522221000120",
    "522221000121",
    "522221000122",
    "522221000123",
    "522221000124",
    "522221000125",
    "522221000126",
    "522221000127",
  ]);
  expect([...prefixesBetween(120000000000, 129999999999)]).toEqual(["12"]);
});

it("a plan's ranges are those of its rows, each up to the next and the last up to the calling code's end", () => {
  const plans = readPlanTable(table("plans.bin"));
  const ranges = [...planRanges("1", plans, ["33", "1201", "12015", "2"])];
  const ofRows = Map.groupBy(ranges, ({ row }) => row);
  expect([...ofRows.keys()]).toEqual(["100000000000", "120100000000", "120150000000"]);
  const prefixes = (row: string) => ofRows.get(row)!.map(({ prefix }) => prefix);
  expect(prefixes("120100000000")).toEqual(["12010", "12011", "12012", "12013", "12014"]);
  expect([prefixes("120150000000")[0], prefixes("120150000000").at(-1)]).toEqual(["12015", "19"]);
});

import { expect, test } from "vitest";
import type { Change } from "./changes.ts";
import { rejectedLosses } from "./losses.ts";

function changed(place: string, before: number, change: Partial<Change> = {}): Change {
  return { place, before, lost: 0, added: 0, altered: 0, examples: [], ...change };
}
/** Countries that lose nothing, each with this many numbers or entries. */
const others = (countries: number, before: number) =>
  Array.from({ length: countries }, (_, place) => changed(`X${place}`, before));

test.each(["plans.bin", "short-numbers.json"])("%s may lose half of a country, and no more", (table) => {
  const zimbabwe = (lost: number) => [...others(99, 10), changed("ZW", 1_000, { lost })];
  expect(rejectedLosses(table, zimbabwe(500))).toEqual([]);
  expect(rejectedLosses(table, zimbabwe(501))).toEqual([
    `${table}: 50.1 % of the numbers of ZW lost, at most 50 % may be`,
  ]);
  expect(rejectedLosses(table, [...others(99, 10), changed("ZW", 1, { lost: 1 })])).toHaveLength(1);
});

test.each(["plans.bin", "short-numbers.json"])("%s may lose 2% of each country's numbers on average", (table) => {
  const losing = (countries: number) =>
    Array.from({ length: countries }, (_, place) => changed(`L${place}`, 1_000, { lost: 100 }));
  // A country with many numbers doesn't outweigh the others.
  const many = changed("DE", 10 ** 12);
  expect(rejectedLosses(table, [many, ...others(80, 1), ...losing(19)])).toEqual([]);
  expect(rejectedLosses(table, [many, ...others(78, 1), ...losing(21)])).toEqual([
    `${table}: 2.1 % lost, at most 2 % may be`,
  ]);
});

test.each(["carrier.jsonl", "location.jsonl", "time-zones.jsonl", "portability.json", "country-zones.json"])(
  "%s may lose 2% of its entries and alter 15%, anywhere",
  (table) => {
    const losing = (lost: number, altered: number) => [...others(19, 50), changed("+41", 50, { lost, altered })];
    expect(rejectedLosses(table, losing(20, 0))).toEqual([]);
    expect(rejectedLosses(table, losing(21, 0))).toEqual([`${table}: 2.1 % lost, at most 2 % may be`]);
    const altering = (altered: number) => [...others(80, 10), changed("+41", 200, { altered })];
    expect(rejectedLosses(table, altering(150))).toEqual([]);
    expect(rejectedLosses(table, altering(151))).toEqual([`${table}: 15.1 % altered, at most 15 % may be`]);
  },
);

test("a new or previously empty table loses nothing", () => {
  expect(rejectedLosses("plans.bin", [])).toEqual([]);
  expect(rejectedLosses("portability.json", [changed("CH", 0, { added: 1 })])).toEqual([]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prefixTable } from "../../test/engine.ts";
import { offsetsOf } from "../../test/offsets.ts";
import { openPrefixTable } from "../../worker/phone/prefix-table.ts";
import { decodePrefixTable } from "./encode.ts";
import { readZoneRules } from "./zone-rules.ts";

/** The offsets that a place, or the places of a state, may have on January 15 and July 15, from a source other than our table. */
interface Expected {
  readonly prefix: string;
  /** A location text, "Knox, IN"; the end of such texts, "*, IN"; or "*" for all under the prefix. */
  readonly place: string;
  readonly offsets: readonly string[];
  /** Why a prefix may have several at once; empty if it may not. */
  readonly whySeveral: string;
}

const expected: readonly Expected[] = readFileSync(join(import.meta.dirname, "place-offsets.cases.tsv"), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [prefix, place, offsets, whySeveral] = line.split("\t") as [string, string, string, string];
    return { prefix, place, offsets: offsets.split(" "), whySeveral };
  });

const byPlace = Map.groupBy(expected, ({ place }) => place);
const [zoneTable, locationTable] = [prefixTable("time-zones.jsonl"), prefixTable("location.jsonl")];
const { lookup } = openPrefixTable(zoneTable);
const { lookup: locationOf } = openPrefixTable(locationTable);
const callingCodes = [...readZoneRules().keys()];
/** Every prefix at which the location or the zones change, with its location. */
const locations = [...new Set([zoneTable, locationTable].flatMap((table) => [...decodePrefixTable(table).keys()]))]
  .filter((prefix) => callingCodes.some((callingCode) => prefix.startsWith(callingCode)))
  .flatMap((prefix) => {
    const text = locationOf(prefix);
    return text === null ? [] : [[prefix, text] as const];
  });

/** The row of the place itself, else of its state, else of the prefix. */
function expectedOf(prefix: string, text: string): Expected | undefined {
  const end = /(?:, | - )[^,]+$/.exec(text)?.[0] ?? "";
  for (const place of [text, `*${end}`, "*"]) {
    const rows = (byPlace.get(place) ?? []).filter((row) => prefix.startsWith(row.prefix));
    if (rows.length > 0) return rows.toSorted((a, b) => b.prefix.length - a.prefix.length)[0];
  }
  return undefined;
}

const knownOffsets = new Map<string, readonly string[]>();

function offsetsOfPrefix(prefix: string): readonly string[] {
  const zones = lookup(prefix) ?? "";
  let offsets = knownOffsets.get(zones);
  if (offsets === undefined) knownOffsets.set(zones, (offsets = zones === "" ? [] : offsetsOf(zones.split("&"))));
  return offsets;
}

test("each location has the clock of its place or state, and only one unless a reason is listed", () => {
  const wrong: string[] = [];
  let compared = 0;
  for (const [prefix, text] of locations) {
    const row = expectedOf(prefix, text);
    const offsets = offsetsOfPrefix(prefix);
    if (row === undefined || offsets.length === 0) continue;
    compared++;
    const isRight = offsets.every((offset) => row.offsets.includes(offset)) && (offsets.length < 2 || row.whySeveral);
    if (!isRight) wrong.push(`${prefix} ${text}: ${offsets.join(" ")}, not ${row.offsets.join(" ")}`);
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(locations.length * 0.98);
});

test("no reason for several times is outdated, and each listed place is in the location table", () => {
  const several = new Set(
    locations.flatMap(([prefix, text]) => (offsetsOfPrefix(prefix).length > 1 ? [expectedOf(prefix, text)] : [])),
  );
  expect(expected.filter((row) => row.whySeveral && !several.has(row))).toEqual([]);
  const texts = new Set(locations.map(([, text]) => text));
  expect(expected.filter(({ place }) => !place.startsWith("*") && !texts.has(place))).toEqual([]);
});

import { expect, test } from "vitest";
import { openPrefixTable } from "../../worker/phone/prefix-table.ts";
import { prefixesOf } from "./encode.ts";
import { NODE_FIELDS, readPlanTable, typeOf } from "../../worker/phone/plan-table.ts";
import { isGeographical } from "../../worker/phone/geography.ts";
import { examplesOfRegion, google } from "../../test/google-oracle.ts";
import { prefixTable, table, verify } from "../../test/engine.ts";
import { formatE164 } from "../../worker/phone/format.ts";
import { tzdbName, zonesByCountry, zonesByPrefix } from "./time-zones.ts";

const regions = google.getSupportedRegions();
const zones = zonesByCountry(regions);

test("every region has zones that every runtime supports, with current tzdb names", () => {
  expect(Object.keys(zones)).toHaveLength(regions.length);
  for (const zone of Object.values(zones).flat()) {
    expect(() => new Intl.DateTimeFormat("en", { timeZone: zone })).not.toThrow();
    expect(tzdbName(zone)).toBe(zone);
  }
});

// From tzdb's zone.tab.
test.each([
  ["DZ", ["Africa/Algiers"]],
  ["LY", ["Africa/Tripoli"]],
  ["MA", ["Africa/Casablanca"]],
  ["NI", ["America/Managua"]],
  ["SS", ["Africa/Juba"]],
  ["IE", ["Europe/Dublin"]],
  ["EE", ["Europe/Tallinn"]],
  ["LV", ["Europe/Riga"]],
  ["LT", ["Europe/Vilnius"]],
  ["IN", ["Asia/Kolkata"]],
  ["JM", ["America/Jamaica"]],
  ["DE", ["Europe/Berlin", "Europe/Busingen"]],
  ["MY", ["Asia/Kuala_Lumpur", "Asia/Kuching"]],
  ["PT", ["Atlantic/Azores", "Atlantic/Madeira", "Europe/Lisbon"]],
  ["FM", ["Pacific/Chuuk", "Pacific/Kosrae", "Pacific/Pohnpei"]],
])("%s has %s", (region, expected) => {
  expect(zones[region]).toEqual(expected);
});

test("the zones of a number are its country's, for every country and type", () => {
  const wrong = regions.flatMap((region) =>
    examplesOfRegion(region).flatMap((number) => {
      const result = verify(formatE164(number));
      if (!result.valid) return [];
      const own = zones[result.country_code!]!;
      const right =
        result.time_zones.length > 0 &&
        result.time_zones.every((zone) => own.includes(zone)) &&
        (own.length > 1 || result.time_zones.length === 1);
      return right ? [] : [`${formatE164(number)} ${result.country_code}: ${result.time_zones.join()}`];
    }),
  );
  expect(wrong).toEqual([]);
});

/** Areas whose zones are all outside their country. Their numbers get all zones of the country. */
const ZONES_OF_ANOTHER: Readonly<Record<string, string>> = {
  "AU 61851204": "Numbers of Christmas Island that the plan puts into Australia",
  "PS 970": "Google has one zone of the same time for the whole calling code; the country's two are both right",
};

test("in countries with several zones, each area has only the country's own in Google's data, except for the listed ones", () => {
  const zoneTable = prefixTable("time-zones.jsonl");
  const { lookup } = openPrefixTable(zoneTable);
  const prefixes = prefixesOf(zoneTable);
  const { head, nodesOf } = readPlanTable(table("plans.bin"));
  const found = Object.entries(head.plans).flatMap(([callingCode, plan]) => {
    const nodes = nodesOf(callingCode);
    /** By node: the regions of the numbers with an area that it leads to. */
    const reached = new Map<number, Set<string>>();
    function regionsFrom(node: number): ReadonlySet<string> {
      const known = reached.get(node);
      if (known !== undefined) return known;
      const ofNode = new Set<string>();
      reached.set(node, ofNode);
      const [packed, ...next] = nodes.subarray(node * NODE_FIELDS, (node + 1) * NODE_FIELDS);
      if (isGeographical(callingCode, typeOf(packed!))) ofNode.add(plan.regions[(packed! >> 5) - 1]!);
      for (const following of next) for (const region of regionsFrom(following)) ofNode.add(region);
      return ofNode;
    }
    return [callingCode, ...prefixes.filter((prefix) => prefix.startsWith(callingCode))].flatMap((prefix) => {
      const ofArea = lookup(prefix)?.split("&") ?? [];
      const digits = Array.from(prefix.slice(callingCode.length), Number);
      const node = digits.reduce((at, digit) => nodes[at * NODE_FIELDS + 1 + digit]!, plan.assignmentRoot);
      return [...regionsFrom(node)]
        .filter((region) => zones[region]!.length > 1 && !zones[region]!.some((zone) => ofArea.includes(zone)))
        .map((region) => `${region} ${prefix}`);
    });
  });
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((area) => !Object.hasOwn(ZONES_OF_ANOTHER, area))).toEqual([]);
});

test("an unknown region is rejected", () => {
  expect(() => zonesByCountry(["QX"])).toThrow("No time zones for QX");
});

test("Google's zones get tzdb's names, deduplicated, where needed", () => {
  const theirs = new Map([
    ["54", "America/Buenos_Aires&America/Cordoba"],
    ["976", "Asia/Choibalsan&Asia/Ulaanbaatar&Asia/Hovd"],
    ["91", "Asia/Calcutta"],
  ]);
  expect([...zonesByPrefix(theirs, ["54", "976"])]).toEqual([
    ["54", "America/Argentina/Buenos_Aires&America/Argentina/Cordoba"],
    ["976", "Asia/Hovd&Asia/Ulaanbaatar"],
  ]);
});

import { expect, test } from "vitest";
import { examplesOfRegion, google } from "../../test/google-oracle.ts";
import { verify } from "../../test/engine.ts";
import { timeZones } from "../../worker/phone/geography.ts";
import { openPrefixTable } from "../../worker/phone/prefix-table.ts";
import { encodePrefixTable } from "./encode.ts";
import { packagePlans } from "./packages.ts";
import { formatE164 } from "../../worker/phone/format.ts";
import { offsetsOf } from "../../test/offsets.ts";
import { readZoneRules } from "./zone-rules.ts";
import { tzdbName, zonesByCountry, zonesOfRegion } from "./time-zones.ts";

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
  expect(zonesOfRegion(region).toSorted()).toEqual(expected);
});

/** Times that no number without an area has, with the reason. */
const WITHOUT_NUMBERS: Readonly<Record<string, string>> = {
  "CN +6/+6": "a local custom beside the legal time",
  "UA +3/+3": "Ukraine has no mobile network in Crimea",
  "GL +0/+0": "Danmarkshavn is a weather station",
};

test("a country's numbers without an area have all its times, each once if our table lists them", () => {
  for (const region of regions) {
    const all = offsetsOf(zonesOfRegion(region)).filter((offsets) => !WITHOUT_NUMBERS[`${region} ${offsets}`]);
    expect([region, offsetsOf(zones[region]!)]).toEqual([region, all]);
  }
  for (const [region, listed] of [...readZoneRules().values()].flatMap(({ byCountry }) => [...byCountry])) {
    expect([region, listed.length]).toEqual([region, offsetsOf(listed).length]);
  }
});

test("the zones of a number are its country's, for every country and type", () => {
  const wrong = regions.flatMap((region) =>
    examplesOfRegion(region).flatMap((number) => {
      const result = verify(formatE164(number));
      if (!result.valid) return [];
      const own = zonesOfRegion(result.country_code!);
      const right =
        result.time_zones.length > 0 &&
        result.time_zones.every((zone) => own.includes(zone)) &&
        (own.length > 1 || result.time_zones.length === 1);
      return right ? [] : [`${formatE164(number)} ${result.country_code}: ${result.time_zones.join()}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test("the table of areas is used for countries with several zones and for Turkey, and for no others", () => {
  const plans = packagePlans();
  const areas = new Map(plans.callingCodes().map((callingCode) => [callingCode, "Area/Zone"]));
  const tables = { timeZones: openPrefixTable(encodePrefixTable(areas, "test")) };
  const using = plans.callingCodes().flatMap((callingCode) =>
    plans
      .plansOfCallingCode(callingCode)
      .map(({ region }) => region)
      .filter((region) =>
        timeZones({ callingCode, e164: `+${callingCode}0`, region, type: "fixed_line" }, tables).includes("Area/Zone"),
      ),
  );
  const several = regions.filter((region) => zonesOfRegion(region).length > 1);
  expect(using.toSorted()).toEqual([...several, "TR"].toSorted());
});

test("an unknown region is rejected", () => {
  expect(() => zonesByCountry(["QX"])).toThrow("No time zones for QX");
});

import { expect, test } from "vitest";
import { examplesOfRegion, google } from "../../test/google-oracle.ts";
import { verify } from "../../test/engine.ts";
import { formatE164 } from "../../worker/phone/format.ts";
import { tzdbName, zonesByCountry, zonesByPrefix } from "./time-zones.ts";

const regions = google.getSupportedRegions();
const zones = zonesByCountry(regions);

test("every region has zones that every runtime knows, by names that tzdb still has", () => {
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

test("a region that nobody knows is refused", () => {
  expect(() => zonesByCountry(["QX"])).toThrow("No time zones for QX");
});

test("Google's zones get tzdb's names, each once, where they are needed", () => {
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

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import moment from "moment-timezone";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prefixTable } from "../../test/engine.ts";
import { offsetsOf } from "../../test/offsets.ts";
import { openPrefixTable } from "../../worker/phone/prefix-table.ts";
import { encodePrefixTable } from "./encode.ts";
import { packagePlans } from "./packages.ts";
import { zonesOfRegion } from "./time-zones.ts";
import { readZoneRules, ZONE_FILES, ZONE_TABLE, zonesByPrefix } from "./zone-rules.ts";

describe("our table", () => {
  const rules = readZoneRules();
  const plans = packagePlans();
  const regionsOf = (callingCode: string) => plans.plansOfCallingCode(callingCode).map(({ region }) => region);

  it("has been checked with the tzdb release that judges it", () => {
    expect(ZONE_TABLE.release).toBe(moment.tz.dataVersion);
  });

  it("covers every calling code of a country with several zones, and Turkey, whose +90 392 is Northern Cyprus", () => {
    const several = plans
      .callingCodes()
      .filter((callingCode) =>
        regionsOf(callingCode).some((region) => region !== "001" && zonesOfRegion(region).length > 1),
      );
    expect([...rules.keys()].toSorted()).toEqual([...several, "90"].toSorted());
  });

  it("has only zones that tzdb has in the countries of the calling code, except for Northern Cyprus", () => {
    for (const [callingCode, { byPrefix, byCountry, byPlace }] of rules) {
      const own = regionsOf(callingCode).flatMap((region) => zonesOfRegion(region));
      const listed = new Set([...byPrefix.values(), ...byCountry.values(), ...byPlace.values()].flat());
      const foreign = [...listed].filter((zone) => !own.includes(zone));
      expect([callingCode, foreign]).toEqual([callingCode, callingCode === "90" ? ["Asia/Famagusta"] : []]);
      for (const zone of listed) expect(moment.tz.zone(zone), zone).not.toBeNull();
    }
  });
});

describe("the rate centers of the area codes in several zones", () => {
  it.each(["1-us-exchanges.tsv", "1-canada-exchanges.tsv"])("have zones of their state: %s", (name) => {
    const { byPlace } = readZoneRules().get("1")!;
    const rows = exchanges(name);
    const wrong = rows.filter(({ zones, place }) => {
      const ofState = byPlace.get(`*${/, [A-Z]{2}$/.exec(place)?.[0]}`) ?? [];
      return !zones.every((zone) => ofState.includes(zone));
    });
    expect(rows.length).toBeGreaterThan(600);
    expect(wrong).toEqual([]);
  });
});

/** The place is right: each exchange is of a town across the Missouri from its rate center. */
const ACROSS_THE_RIVER = ["1605223 PIERRE, SD: Fort Pierre, SD", "1605823 MOBRIDGE, SD: McLaughlin, SD"];

it("the rate center of an exchange and the place that the location table has for it keep the same time", () => {
  const { byPlace } = readZoneRules().get("1")!;
  const { lookup } = openPrefixTable(prefixTable("location.jsonl"));
  const differing = ["1-us-exchanges.tsv", "1-canada-exchanges.tsv"].flatMap((name) =>
    exchanges(name).flatMap(({ prefixes, zones, place: rateCenter }) =>
      prefixes.flatMap((prefix) => {
        const place = lookup(prefix) ?? "";
        const ofPlace = offsetsOf(byPlace.get(place) ?? zones);
        const same = offsetsOf(zones).some((offsets) => ofPlace.includes(offsets));
        return same ? [] : [`${prefix} ${rateCenter}: ${place}`];
      }),
    ),
  );
  expect(differing).toEqual(ACROSS_THE_RIVER);
});

function exchanges(name: string) {
  const rows = readFileSync(join(ZONE_FILES, name), "utf8").trimEnd().split("\n");
  return rows
    .filter((row) => !row.startsWith("#"))
    .map((row) => {
      const [prefixes, zones, place] = row.split("\t") as [string, string, string];
      return { prefixes: prefixes.split(" "), zones: zones.split(" "), place };
    });
}

describe("the zones of a prefix", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "zones-test-"));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  function compile(rows: readonly string[], locations: Readonly<Record<string, string>> = { 44: "Elsewhere" }) {
    writeFileSync(join(directory, "1-test.tsv"), `# A comment\n${rows.join("\n")}\n`);
    const table = encodePrefixTable(new Map(Object.entries(locations)), "test");
    return Object.fromEntries(zonesByPrefix(table, readZoneRules(directory)));
  }

  it("are those of the longest prefix in our table", () => {
    expect(compile(["12 13\tA/B\tsource", "122\tA/C\tsource"], { 1225: "Nowhere" })).toMatchObject({
      "12": "A/B",
      "13": "A/B",
      "122": "A/C",
      "1225": "A/C",
    });
  });

  it("are those that both the area code and the state have, or else the state's", () => {
    const rows = ["12\tA/B A/C\tsource", "*, ST\tA/C A/D\tsource", "*, TU\tA/D\tsource"];
    expect(compile(rows, { 122: "Town, ST", 123: "Town, TU", 13: "Town, ST" })).toMatchObject({
      "122": "A/C",
      "123": "A/D",
      "13": "A/C&A/D",
    });
  });

  it("are those of the place if our table has it, whatever the area code", () => {
    const rows = ["12\tA/B\tsource", "Town, ST\tA/D\tsource", "*, ST\tA/B A/D\tsource"];
    expect(compile(rows, { 122: "Town, ST", 123: "Other, ST" })).toMatchObject({ "122": "A/D", "123": "A/B" });
  });

  it("are those of all places that a text names, unless one is unknown", () => {
    const rows = ["12\tA/B A/C A/D\tsource", "Town, ST\tA/D\tsource", "*, ST\tA/B\tsource"];
    expect(compile(rows, { 122: "Town/Other, ST", 123: "Town/Else, TU" })).toMatchObject({
      "122": "A/B&A/D",
      "123": "A/B&A/C&A/D",
    });
  });

  it("follow the location table where it has rows for parts of a range", () => {
    const rows = ["12\tA/B A/C\tsource", "Town\tA/C\tsource"];
    const zones = compile(rows, { 121: "Town", 1215: "Other", 1216: "Town", 1217: "Other" });
    expect(zones).toMatchObject({ "121": "A/C", "1215": "A/B&A/C", "1216": "A/C", "1217": "A/B&A/C" });
  });

  it.each([
    ["no source", "12\tA/B", "not three columns"],
    ["another column", "12\tA/B\tsource\tmore", "not three columns"],
    ["a prefix of another calling code", "2\tA/B\tsource", "2 is elsewhere"],
    ["a repeated prefix", "12 12\tA/B\tsource", "12 is listed twice"],
  ])("aren't read from a row with %s", (_, row, message) => {
    expect(() => compile([row])).toThrow(`1-test.tsv:2: ${message}`);
  });

  it("aren't read from a file without a calling code in its name", () => {
    writeFileSync(join(directory, "test.tsv"), "");
    expect(() => readZoneRules(directory)).toThrow("test.tsv isn't named by calling code and country");
  });
});

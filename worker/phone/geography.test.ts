import { readFileSync } from "node:fs";
import { join } from "node:path";
import libphonenumber from "google-libphonenumber";
import { describe, expect, it } from "vitest";
import { NUMBER_TYPES, type NumberType } from "../../contract/result-values.ts";
import { encodePrefixTable } from "../../scripts/data/encode.ts";
import { prefixTable } from "../../test/engine.ts";
import { type AssignedNumber, carrier, location, openTables, timeZones } from "./geography.ts";

/** The expected result for a valid number, and `why`. */
interface GeographyCase {
  readonly number: string;
  readonly type: NumberType;
  readonly region: string;
  readonly country: string | null;
  readonly carrier: string | null;
  readonly location: string | null;
  readonly timeZones: readonly string[];
  /** The deciding rule or data entry (libphonenumber 9.0.35, with our corrections; our table of time zones; tzdb's zone.tab). */
  readonly why: string;
}

/** Derived from the source data by a naive lookup over its keys, never from the tables or the code under test. */
const GEOGRAPHY_CASES = readCases("geography.cases.tsv");

function readCases(name: string): readonly GeographyCase[] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => {
    const [number, type, region, country, carrierName, area, zones, why, ...more] = line.split("\t");
    if (why === undefined || more.length > 0) throw new Error(`${name}: not eight columns: ${line}`);
    return {
      number: number!,
      type: type as NumberType,
      region: region!,
      country: country || null,
      carrier: carrierName || null,
      location: area || null,
      timeZones: zones === "" ? [] : zones!.split(" "),
      why,
    };
  });
}

const { PhoneNumberType, PhoneNumberUtil } = libphonenumber;
const util = PhoneNumberUtil.getInstance();
const typeNames = new Map(Object.entries(PhoneNumberType).map(([name, value]) => [value, name.toLowerCase()]));

const [carriers, locations, zonesByPrefix] = (["carrier.jsonl", "location.jsonl", "time-zones.jsonl"] as const).map(
  prefixTable,
) as [string, string, string];
const tables = openTables({ carrier: carriers, location: locations, timeZones: zonesByPrefix });

/** Google's own classification, so that an error in ours can't hide a wrong rule here. */
function assigned(e164: string): AssignedNumber {
  const parsed = util.parse(e164);
  expect(util.isValidNumber(parsed), `${e164} is valid`).toBe(true);
  const name = typeNames.get(util.getNumberType(parsed));
  const callingCode = String(parsed.getCountryCode());
  return {
    callingCode,
    e164: `+${callingCode}${util.getNationalSignificantNumber(parsed)}`,
    region: util.getRegionCodeForNumber(parsed) ?? null,
    type: NUMBER_TYPES.find((type) => type === name) ?? "unknown",
  };
}

function unknownCountry(region: string): never {
  throw new Error(`Asked for the name of ${region}`);
}

describe("numbers of every type", () => {
  it.each(GEOGRAPHY_CASES)("$number ($type, $region): $why", (expected) => {
    const subject = assigned(expected.number);
    expect(subject).toMatchObject({ type: expected.type, region: expected.region });
    const countryName = (region: string) => (region === expected.region ? expected.country : unknownCountry(region));
    expect({
      carrier: carrier(subject, tables),
      location: location(subject, tables, countryName),
      timeZones: timeZones(subject, tables),
    }).toEqual({ carrier: expected.carrier, location: expected.location, timeZones: expected.timeZones });
  });

  it("are at least 200, distinct, and of every type a valid number can have", () => {
    const numbers = new Set(GEOGRAPHY_CASES.map((entry) => entry.number));
    expect(numbers.size).toBe(GEOGRAPHY_CASES.length);
    expect(numbers.size).toBeGreaterThanOrEqual(200);
    const types = new Set(GEOGRAPHY_CASES.map((entry) => entry.type));
    expect([...types].toSorted()).toEqual(NUMBER_TYPES.filter((type) => type !== "unknown").toSorted());
  });
});

describe("the rules, with tables that have an entry for every number", () => {
  const calling = ["44", "52", "54", "55", "62", "86"];
  const entry = (text: (prefix: string) => string) =>
    encodePrefixTable(new Map(calling.flatMap((code) => [code, `${code}9`].map((key) => [key, text(key)]))), "test");
  const full = openTables({
    carrier: entry((prefix) => `carrier ${prefix}`),
    location: entry((prefix) => `area ${prefix}`),
    timeZones: entry((prefix) => `Zone/${prefix}&Zone/Other`),
  });
  const number = (type: NumberType, callingCode: string, region: string | null = "ZZ"): AssignedNumber => ({
    callingCode,
    e164: `+${callingCode}9123456789`,
    region,
    type,
  });
  const country = (region: string) => `country ${region}`;

  it.each(NUMBER_TYPES)("%s in a calling code whose mobile numbers have no area", (type) => {
    const subject = number(type, "44");
    const area = type === "fixed_line" || type === "fixed_line_or_mobile";
    const hasCarrier = type === "mobile" || type === "fixed_line_or_mobile" || type === "pager";
    const elsewhere = type === "unknown" ? null : "country ZZ";
    expect(carrier(subject, full)).toBe(hasCarrier ? "carrier 449" : null);
    expect(location(subject, full, country)).toBe(area ? "area 449" : elsewhere);
  });

  it.each(["52", "55", "62", "86"])("a mobile of +%s has an area", (callingCode) => {
    expect(location(number("mobile", callingCode), full, unknownCountry)).toBe(`area ${callingCode}9`);
  });

  it("a mobile of +54 drops its 9 for the area, but not for the carrier", () => {
    expect(location(number("mobile", "54"), full, unknownCountry)).toBe("area 54");
    expect(carrier(number("mobile", "54"), full)).toBe("carrier 549");
  });

  it("a number without a country never looks up a country name", () => {
    expect(location(number("mobile", "44", "001"), full, unknownCountry)).toBeNull();
    expect(location(number("toll_free", "44", null), full, unknownCountry)).toBeNull();
  });
});

describe("time zones", () => {
  const zones = openTables({
    carrier: carriers,
    location: locations,
    timeZones: encodePrefixTable(
      new Map([
        ["612", "Australia/Sydney"],
        ["618", "Australia/Adelaide&Australia/Perth"],
        ["90392", "Asia/Famagusta"],
        ["54261", "America/Argentina/Mendoza"],
      ]),
      "test",
    ),
  });
  const zonesOf = (type: NumberType, nationalNumber: string, region: string | null, callingCode = "61") =>
    timeZones({ callingCode, e164: `+${callingCode}${nationalNumber}`, region, type }, zones);

  it("of a landline are those of its area", () => {
    expect(zonesOf("fixed_line", "212345678", "AU")).toEqual(["Australia/Sydney"]);
    expect(zonesOf("fixed_line", "812345678", "AU")).toEqual(["Australia/Adelaide", "Australia/Perth"]);
  });

  it("of a number without an area are the country's", () => {
    const all = zonesOf("mobile", "212345678", "AU");
    expect(all).toEqual(expect.arrayContaining(["Australia/Sydney", "Australia/Darwin", "Australia/Perth"]));
    expect(zonesOf("fixed_line", "312345678", "AU")).toEqual(all);
  });

  it("of a mobile in a country that assigns them by area are those of its area, without the mobile token", () => {
    expect(zonesOf("mobile", "92611234567", "AR", "54")).toEqual(["America/Argentina/Mendoza"]);
  });

  it("of an area with another country's time are that country's", () => {
    expect(zonesOf("fixed_line", "3922281234", "TR", "90")).toEqual(["Asia/Famagusta"]);
    expect(zonesOf("fixed_line", "2123456789", "TR", "90")).toEqual(["Europe/Istanbul"]);
  });

  it("of a country without areas in the table are its own, whatever the table has", () => {
    expect(zonesOf("fixed_line", "212345678", "CX")).toEqual(["Indian/Christmas"]);
  });

  it.each([null, "001"])("without a country (%s) are empty", (region) => {
    expect(zonesOf("toll_free", "212345678", region)).toEqual([]);
  });

  it("of an invalid number are empty", () => {
    expect(zonesOf("unknown", "212345678", "AU")).toEqual([]);
  });

  it("modified by a caller don't affect the next result", () => {
    for (const region of ["AU", "CX"]) {
      zonesOf("mobile", "412345678", region).push("Changed/By_Caller");
      expect(zonesOf("mobile", "412345678", region)).not.toContain("Changed/By_Caller");
    }
  });
});

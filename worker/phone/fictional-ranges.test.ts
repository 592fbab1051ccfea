import { describe, expect, test } from "vitest";
import { FICTION_SOURCES, FICTIONAL_NUMBERS, type FictionSource, isReservedForFiction } from "./fictional-ranges.ts";

interface PublishedRange {
  readonly source: FictionSource;
  readonly callingCode: string;
  /** As published; a leading zero is the trunk prefix. */
  readonly first: string;
  readonly last: string;
}

function published(source: FictionSource, callingCode: string, lines: readonly string[]): PublishedRange[] {
  return lines.map((line) => {
    const [first = "", last = first] = line.split(" to ");
    return { source, callingCode, first, last };
  });
}

const UK_AREAS_WITH_496 = ["0113", "0114", "0115", "0116", "0117", "0118", "0121", "0131", "0141", "0151", "0161"];

// Written out a second time, in the publishers' notation, so that a mistake in the table shows.
const PUBLISHED: readonly PublishedRange[] = [
  ...published("unitedKingdom", "44", [
    ...UK_AREAS_WITH_496.map((area) => `${area} 496 0000 to ${area} 496 0999`),
    "020 7946 0000 to 020 7946 0999",
    "0191 498 0000 to 0191 498 0999",
    "028 9649 6000 to 028 9649 6999",
    "029 2018 0000 to 029 2018 0999",
    "01632 960000 to 01632 960999",
    "07700 900000 to 07700 900999",
    "08081 570000 to 08081 570999",
    "0909 8790000 to 0909 8790999",
    "03069 990000 to 03069 990999",
  ]),
  ...published("france", "33", [
    "01 99 00 00 00 to 01 99 00 99 99",
    "02 61 91 00 00 to 02 61 91 99 99",
    "03 53 01 00 00 to 03 53 01 99 99",
    "04 65 71 00 00 to 04 65 71 99 99",
    "05 36 49 00 00 to 05 36 49 99 99",
    "06 39 98 00 00 to 06 39 98 99 99",
  ]),
  ...published("australia", "61", [
    ...["02", "03", "07", "08"].flatMap((area) => [
      `${area} 5550 0000 to ${area} 5550 9999`,
      `${area} 7010 0000 to ${area} 7010 9999`,
    ]),
    "0491 570 006",
    "0491 570 110",
    "0491 570 156 to 0491 570 159",
    ...["570 313", "570 737", "571 266", "571 491", "571 804", "572 549", "572 665", "572 983", "573 770"].map(
      (subscriber) => `0491 ${subscriber}`,
    ),
    ...["573 087", "574 118", "574 632", "575 254", "575 789", "576 398", "576 801", "577 426", "577 644"].map(
      (subscriber) => `0491 ${subscriber}`,
    ),
    ...["578 957", "578 148", "578 888", "579 212", "579 760", "579 455"].map((subscriber) => `0491 ${subscriber}`),
    "1800 160 401",
    "1800 975 707 to 1800 975 711",
    "1300 975 707 to 1300 975 711",
  ]),
  ...published("sweden", "46", [
    "031-3900600 to 031-3900699",
    "040-6280400 to 040-6280499",
    "08-46500400 to 08-46500499",
    "0980-319200 to 0980-319299",
    "070-1740605 to 070-1740699",
  ]),
  ...published("ireland", "353", ["020 910 0000 to 020 919 9999"]),
  ...published("germany", "49", [
    "030 23125 000 to 030 23125 999",
    "069 90009 000 to 069 90009 999",
    "040 66969 000 to 040 66969 999",
    "0221 4710 000 to 0221 4710 999",
    "089 99998 000 to 089 99998 999",
    "0152 28817386",
    "0152 28895456",
    "0152 54599371",
    "0171 39200 00 to 0171 39200 99",
    "0172 9925904",
    "0172 9968532",
    "0172 9973185 to 0172 9973186",
    "0172 9980752",
    "0174 9091317",
    "0174 9464308",
    "0176 040690 00 to 0176 040690 99",
  ]),
];

function nationalNumber(written: string): string {
  return written.replace(/\D/g, "").replace(/^0/, "");
}

function reserved(callingCode: string, national: string): boolean {
  return isReservedForFiction({ callingCode, nationalNumber: national, extension: null });
}

function neighbour(national: string, step: 1 | -1): string {
  return String(Number(national) + step);
}

describe("isReservedForFiction", () => {
  test.each(PUBLISHED)("+$callingCode $first to $last is reserved, adjacent numbers are not", (range) => {
    const first = nationalNumber(range.first);
    const last = nationalNumber(range.last);
    expect(reserved(range.callingCode, first)).toBe(true);
    expect(reserved(range.callingCode, last)).toBe(true);
    expect(reserved(range.callingCode, neighbour(first, -1))).toBe(false);
    expect(reserved(range.callingCode, neighbour(last, 1))).toBe(false);
    expect(reserved(range.callingCode, `${first}0`)).toBe(false);
    expect(reserved(range.callingCode, first.slice(0, -1))).toBe(false);
  });

  test("the table has the published ranges and no others", () => {
    const listed = FICTIONAL_NUMBERS.filter(({ areaCode }) => areaCode === undefined).flatMap(
      ({ callingCode, source, ranges }) => ranges.map(([from, to = from]) => `${source} +${callingCode} ${from} ${to}`),
    );
    const expected = PUBLISHED.map(
      ({ source, callingCode, first, last }) =>
        `${source} +${callingCode} ${nationalNumber(first)} ${nationalNumber(last)}`,
    );
    expect(listed.toSorted()).toEqual(expected.toSorted());
  });

  test.each([
    ["unitedKingdom", 20_000],
    ["sweden", 495],
    ["germany", 5_210],
  ])("%s has as many numbers as published: %i", (source, count) => {
    const sizes = FICTIONAL_NUMBERS.filter((numbers) => numbers.source === source).flatMap(({ ranges }) =>
      ranges.map(([from, to = from]) => Number(to) - Number(from) + 1),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count);
  });

  test("every source is used", () => {
    expect(new Set(FICTIONAL_NUMBERS.map(({ source }) => source))).toEqual(new Set(Object.keys(FICTION_SOURCES)));
  });

  test.each([
    ["202", true], // District of Columbia
    ["212", true],
    ["416", true], // Toronto
    ["787", true], // Puerto Rico
    ["671", true], // Guam
    ["809", false], // Dominican Republic
    ["876", false], // Jamaica
    ["784", false], // St Vincent
    ["441", false], // Bermuda
    ["800", false], // toll free
    ["888", false],
    ["900", false], // premium rate
    ["500", false], // personal
    ["521", false],
    ["600", false],
    ["710", false],
  ])("555-01xx in area code %s: %s", (areaCode, expected) => {
    expect(reserved("1", `${areaCode}5550100`)).toBe(expected);
    expect(reserved("1", `${areaCode}5550198`)).toBe(expected);
    expect(reserved("1", `${areaCode}5550099`)).toBe(false);
    expect(reserved("1", `${areaCode}5550200`)).toBe(false);
    expect(reserved("1", `${areaCode}5560100`)).toBe(false);
  });

  test.each([
    ["1", "20255501001"],
    ["1", "202555010"],
    ["1", "1025550100"],
    ["1", "2025551212"],
    // A number of one country under another's calling code.
    ["7", "2025550100"],
    ["262", "639980000"],
    ["49", "1632960000"],
    ["61", "1900654321"],
    ["44", "2890180000"],
    ["55", "11987654321"],
    ["1", ""],
  ])("+%s %s is not reserved", (callingCode, national) => {
    expect(reserved(callingCode, national)).toBe(false);
  });
});

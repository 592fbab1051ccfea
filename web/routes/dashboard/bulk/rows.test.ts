import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import type { VerificationResult } from "../../../../contract/verification.ts";
import { SPECIMENS } from "../../../content/specimens.ts";
import { cellsOf, readCsv } from "./read-csv.ts";
import { readList } from "./read-list.ts";
import { guardCell, resultCsv } from "./result-csv.ts";
import { countriesIn, countRows, rowsOf, selectRows } from "./rows.ts";
import type { Verdict } from "./run.ts";

const BRAZIL: VerificationResult = {
  ...SPECIMENS[0],
  deliverability: { sms: "likely", voice: "likely", flags: ["repeated_digits", "trailing_zeros"] },
};
const INVALID: VerificationResult = {
  ...BRAZIL,
  valid: false,
  number: "+1202",
  local_format: null,
  international_format: null,
  country_code: "US",
  country_name: "United States",
  location: null,
  reason: "TOO_SHORT",
};
const VERDICTS: readonly (Verdict | null)[] = [
  { kind: "valid", result: BRAZIL },
  { kind: "invalid", result: INVALID },
  { kind: "failed", code: "REJECTED_FORMAT", message: "verification failed: Invalid number format (code: 7)" },
  null,
];
const ROWS = rowsOf(readList("(11) 98765-4321\n+1202\n+999\n(11) 98765-4321\n+44 20"), VERDICTS);
const ALL = { kind: "all", country: "", search: "" } as const;

function placesOf(view: Partial<Parameters<typeof selectRows>[1]>): number[] {
  return selectRows(ROWS, { ...ALL, ...view }).map((row) => row.place);
}

describe("rows", () => {
  test("are the list in its order, repeated entries included", () => {
    expect(ROWS.map(({ input, verdict }) => [input, verdict?.kind])).toStrictEqual([
      ["(11) 98765-4321", "valid"],
      ["+1202", "invalid"],
      ["+999", "failed"],
      ["(11) 98765-4321", "valid"],
      ["+44 20", undefined],
    ]);
    expect(countRows(ROWS)).toStrictEqual({ all: 5, valid: 2, invalid: 1, failed: 1, open: 1 });
    expect(countriesIn(ROWS)).toStrictEqual([
      { code: "BR", name: "Brazil" },
      { code: "US", name: "United States" },
    ]);
  });

  test.each([
    [{ kind: "valid" }, [1, 4]],
    [{ kind: "failed" }, [3]],
    [{ country: "US" }, [2]],
    [{ search: "são p" }, [1, 4]],
    [{ search: " tim " }, [1, 2, 4]],
    [{ search: "rejected" }, [3]],
    [{ search: "55 (11) 987" }, [1, 4]],
    [{ kind: "invalid", search: "tim" }, [2]],
    [{ country: "BR", search: "+1202" }, []],
  ] as const)("of %j", (view, places) => {
    expect(placesOf(view)).toStrictEqual(places);
  });
});

describe("the file", () => {
  const text = resultCsv(ROWS);
  /** Deliverability has its own columns. */
  const { deliverability: _, ...FLAT } = BRAZIL;
  const { data, errors } = Papa.parse<Record<string, string>>(text.slice(1), { header: true, skipEmptyLines: true });

  test("is CSV with a byte order mark, one line for each entry in order", () => {
    expect(text.startsWith("\uFEFFinput,outcome,number,")).toBe(true);
    expect(text.endsWith("\r\n")).toBe(true);
    expect(errors).toStrictEqual([]);
    expect(data.map(({ outcome }) => outcome)).toStrictEqual(["valid", "invalid", "failed", "valid", "not_checked"]);
  });

  test("has every field", () => {
    expect(data[0]).toStrictEqual({
      ...Object.fromEntries(Object.keys(data[0]!).map((name) => [name, ""])),
      ...Object.fromEntries(Object.entries(FLAT).map(([name, value]) => [name, value === null ? "" : String(value)])),
      input: "(11) 98765-4321",
      outcome: "valid",
      sms: "likely",
      voice: "likely",
      flags: "repeated_digits trailing_zeros",
    });
    expect(data[2]).toMatchObject({ error_code: "REJECTED_FORMAT", error: expect.stringContaining("(code: 7)") });
  });

  test("can be read again", () => {
    const again = readCsv(new TextEncoder().encode(resultCsv(rowsOf(readList("+1-202-555-0123\n=1+2025550123"), []))));
    expect(again.ok && cellsOf(again.file, 0)).toStrictEqual(["+1-202-555-0123", "=1+2025550123"]);
  });
});

test.each([
  ["+5511987654321", "+5511987654321"],
  ["+55 11 98765 4321", "+55 11 98765 4321"],
  ["+55", "+55"],
  ["(11) 98765-4321", "(11) 98765-4321"],
  ["+1-202-555-0123", "'+1-202-555-0123"],
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  ["+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"],
  ["@SUM(1)", "'@SUM(1)"],
  [" =1", "' =1"],
  ["\t=1", "'\t=1"],
  ["＝1", "'＝1"],
])("the cell %j is written as %j", (text, expected) => {
  expect(guardCell(text)).toBe(expected);
});

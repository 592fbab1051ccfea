import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import type { BatchItem, VerificationResult } from "../../../../contract/verification.ts";
import { encode } from "../../../../test/encode.ts";
import { REASONS } from "../../../../contract/reasons.ts";
import { verify } from "../../../../test/engine.ts";
import { SPECIMENS } from "../../../content/specimens.ts";
import { ANY_NUMBER } from "../../../lib/acceptance.ts";
import { countsIn } from "../../../../lists/concerns.ts";
import { openDesk, UNKEPT } from "./test/desk-rig.ts";
import type { TestDesk } from "./test/desk-rig.ts";
import { RESULT_COLUMNS } from "../../../../lists/write/result-columns.ts";
import { EVERYTHING } from "./view.ts";
import type { CheckStore, SavedCheck } from "./store.ts";
import type { Format } from "../../../../lists/write/write-table.ts";

/** An in-memory store that behaves like a browser's. */
function memoryStore(): CheckStore & { saved: SavedCheck | null } {
  return {
    saved: null,
    async begin(info, { rows, source }) {
      this.saved = structuredClone({ info, rows, source, results: [] });
    },
    async add(id, first, results) {
      if (this.saved?.info.id !== id) throw new Error("taken");
      expect(first).toBe(this.saved.results.length);
      this.saved = { ...this.saved, results: [...this.saved.results, ...structuredClone(results)] };
    },
    async change(id, before, after) {
      if (this.saved?.info.id !== id || this.saved.info.taken.length !== before.taken.length) throw new Error("taken");
      this.saved = { ...this.saved, info: structuredClone({ ...this.saved.info, ...after }) };
    },
    async load(account) {
      return this.saved?.info.account === account ? structuredClone(this.saved) : null;
    },
    async clear(id) {
      if (this.saved?.info.id === id) this.saved = null;
    },
  };
}

function valid(number: string): VerificationResult {
  return { ...SPECIMENS.BR, number, deliverability: { sms: "likely", voice: "likely", flags: ["toll_free"] } };
}

function invalid(number: string, reason: VerificationResult["reason"]): VerificationResult {
  return { ...verify("hello"), number, reason };
}

const CONTACTS = [
  "id,phone,name,number",
  '007,+5511987654321,"Ana, ""A""",=1+1',
  "008,,Bob,-5",
  "009,+5511987654321,Cy,x",
  "010,4.15556E+11,Di,x",
  "011,5511987654321,Ed,x",
  '012,\'+1202,"Fa\r\nfa",@x',
  "",
].join("\n");

/** A desk with a finished check of the contacts. */
async function checked(store: CheckStore = memoryStore(), given: File | string = new File([CONTACTS], "contacts.csv")) {
  const desk = openDesk(store);
  const summary = await desk.open(given);
  const results = [
    valid("+5511987654321"),
    invalid("5511987654321", "MISSING_COUNTRY_CODE"),
    invalid("+1202", "TOO_SHORT"),
  ];
  const work = await desk.check(results);
  return { desk, summary, work, sent: desk.sent };
}

async function download(desk: TestDesk, format: Format): Promise<string[][]> {
  const text = await (await desk.file(format, null)).text();
  return Papa.parse<string[]>(text.replace(/^\uFEFF/, "").trimEnd()).data;
}

const NOTHING_FOUND = {
  EMPTY: 0,
  NO_DIGITS: 0,
  FORMULA_ERROR: 0,
  SCIENTIFIC: 0,
  DATE: 0,
  TOO_LONG: 0,
  reformatted: 0,
  apostrophes: 0,
  needingCountry: 0,
};

/** The rows by column name. */
function named([head = [], ...rows]: string[][]): Record<string, string>[] {
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ""])));
}

describe("a summary", () => {
  test("counts rows and numbers, and reports what a spreadsheet did", async () => {
    const { summary, work, sent } = await checked();
    expect(summary).toMatchObject({
      columns: ["id", "phone", "name", "number"],
      reading: { header: 0, column: 1, countryColumn: null },
      others: [],
      rows: 6,
      numbers: 3,
      repeated: 1,
      findings: { ...NOTHING_FOUND, EMPTY: 1, SCIENTIFIC: 1, apostrophes: 1, needingCountry: 1 },
    });
    // The page's button, picker, and run all use the same count.
    expect(work).toMatchObject({ state: { numbers: 3 }, rows: 6, repeated: 1 });
    expect(sent).toStrictEqual(["+5511987654321", "5511987654321", "+1202"]);
  });

  test("adds up", async () => {
    const { summary } = await checked();
    expect(countsIn(summary)).toStrictEqual([
      "6 rows",
      "3 numbers to verify",
      "1 repeated, verified once",
      "1 skipped",
      "1 empty",
    ]);
  });

  test("reports every number that needs a country", async () => {
    const numbers = ["(212) 555-0123", "020 7946 0958", "00442079460958", "2125550123"];
    const read = ["+12125550123", "tel:+12125550123", "＋44 20 7946 0958", "wa.me/5511987654321", "4.1E+11", "no"];
    const { findings } = await openDesk(memoryStore()).open(["phone", ...numbers, ...read].join("\n"));
    expect(findings.needingCountry).toBe(numbers.length);
  });

  test("changes with the column and the header", async () => {
    const desk = openDesk(memoryStore());
    await desk.open(CONTACTS);
    expect(await desk.read({ column: 0 })).toMatchObject({ numbers: 6, repeated: 0, rows: 6 });
    expect(await desk.read({ hasHeader: false })).toMatchObject({
      rows: 7,
      columns: ["Column 1", "Column 2", "Column 3", "Column 4"],
    });
  });

  test("of a column without numbers starts no check", async () => {
    const desk = openDesk(memoryStore());
    await desk.open("phone,note\n+12025550123,\n");
    await desk.read({ column: 1 });
    await expect(desk.check([])).rejects.toThrow("No numbers in this column");
  });
});

describe("a check", () => {
  test("has every row, with the result of its number", async () => {
    const store = memoryStore();
    const { desk } = await checked(store);
    const state = { counts: { valid: 2, invalid: 2, not_sent: 2, not_checked: 0 }, isKept: true, checked: 3 };
    expect(await openDesk(store).restore("usr_1", 1)).toMatchObject({ state });
    const { rows, total, countries } = await desk.page(EVERYTHING, 0);
    expect(total).toBe(6);
    expect(rows.map(({ place, input, kind }) => [place, input, kind])).toStrictEqual([
      [1, "+5511987654321", "valid"],
      [2, "", "not_sent"],
      [3, "+5511987654321", "valid"],
      [4, "4.15556E+11", "not_sent"],
      [5, "5511987654321", "invalid"],
      [6, "'+1202", "invalid"],
    ]);
    expect(rows[3]?.detail).toMatch(/A spreadsheet shortened this number/);
    expect(rows[4]?.detail).toMatch(/may have removed its plus sign/);
    expect(countries).toStrictEqual([{ code: "BR", name: "Brazil" }]);
  });

  test.each([
    [{ kind: "valid" }, [1, 3]],
    [{ kind: "not_sent" }, [2, 4]],
    [{ country: "BR" }, [1, 3]],
    [{ search: "são p" }, [1, 3]],
    [{ search: "too_short" }, [6]],
    [{ search: "55 (11) 987" }, [1, 3, 5]],
    [{ search: "plus sign" }, [5]],
    [{ kind: "invalid", country: "BR" }, []],
  ] as const)("with filter %j shows %j", async (view, places) => {
    const { desk } = await checked();
    const { rows } = await desk.page({ ...EVERYTHING, ...view }, 0);
    expect(rows.map(({ place }) => place)).toStrictEqual(places);
  });

  test("survives a reload, for its own account only", async () => {
    const store = memoryStore();
    await checked(store);
    const after = openDesk(store);
    expect(await after.restore("usr_2", 1)).toBeNull();
    expect(await after.restore("usr_1", 1)).toMatchObject({
      id: "check",
      name: "contacts.csv",
      rows: 6,
      state: { checked: 3, isKept: true, phase: { name: "done" } },
    });
    expect(await download(after, "raw")).toStrictEqual(await download((await checked()).desk, "raw"));
    await after.forget();
    expect(await openDesk(store).restore("usr_1", 1)).toBeNull();
  });

  test("replaced by another leaves that alone", async () => {
    const store = memoryStore();
    const { desk } = await checked(store);
    const other = openDesk(store);
    await other.open(new File([CONTACTS], "others.csv"));
    await other.begin({
      id: "other",
      account: "usr_1",
      startedAt: 0,
      country: "",
      coversUnread: false,
      condition: ANY_NUMBER,
    });
    await desk.forget();
    expect(await openDesk(store).restore("usr_1", 1)).toMatchObject({ id: "other" });
  });

  test("works without browser storage, and says so", async () => {
    const { desk, work } = await checked(UNKEPT);
    expect(work.state.isKept).toBe(false);
    expect(await download(desk, "raw")).toHaveLength(7);
    expect(await openDesk(UNKEPT).restore("usr_1", 1)).toBeNull();
  });
});

describe("a suggestion", () => {
  const MEANT = "+5511987654321";
  const suggesting = (item: BatchItem) =>
    item === MEANT
      ? valid(MEANT)
      : {
          ...invalid(String(item), "MISSING_COUNTRY_CODE"),
          suggestion: { number: MEANT, reason: "MISSING_PLUS" } as const,
        };
  const LIST = "phone\n5511987654321\n5511 98765-4321\n055 11987654321\n";

  async function suggested(list = LIST) {
    const store = memoryStore();
    const desk = openDesk(store);
    await desk.open(list);
    await desk.check(suggesting);
    return { store, desk };
  }

  test("is accepted for all rows of a number, or for all, after it is said what that looks up", async () => {
    const { desk } = await suggested();
    expect(await desk.page({ ...EVERYTHING, only: "suggestion" }, 0)).toMatchObject({ suggestions: 3, total: 3 });
    expect(await desk.offer(1)).toStrictEqual({ rows: 2, numbers: 1 });
    expect(await desk.offer(null)).toStrictEqual({ rows: 3, numbers: 1 });
    await desk.accept(1);
    expect(desk.sent.slice(2)).toStrictEqual([MEANT]);
    const { rows, suggestions } = await desk.page(EVERYTHING, 0);
    expect(rows.map(({ kind }) => kind)).toStrictEqual(["valid", "valid", "invalid"]);
    expect(suggestions).toBe(1);
    // The list has that number by now.
    expect(await desk.offer(null)).toStrictEqual({ rows: 1, numbers: 0 });
    await desk.accept(null);
    expect(desk.sent).toHaveLength(3);
    const lines = named(await download(desk, "raw"));
    expect(lines.map(({ phone, outcome, number, note }) => [phone, outcome, number, note])).toStrictEqual([
      ["5511987654321", "valid", MEANT, "You accepted the suggestion."],
      ["5511 98765-4321", "valid", MEANT, "You accepted the suggestion."],
      ["055 11987654321", "valid", MEANT, "You accepted the suggestion."],
    ]);
  });

  test("that was accepted survives a reload", async () => {
    const { store, desk } = await suggested();
    await desk.accept(1);
    const after = openDesk(store);
    expect(await after.restore("usr_1", 1)).toMatchObject({
      state: { numbers: 3, checked: 3, counts: { valid: 2, invalid: 1, not_sent: 0, not_checked: 0 } },
    });
    expect(await download(after, "raw")).toStrictEqual(await download(desk, "raw"));
  });

  test("isn’t in the file that was downloaded before it was accepted", async () => {
    const { store, desk } = await suggested(`${LIST}${MEANT}\n`);
    await desk.noteSaved();
    expect(await desk.offer(1)).toStrictEqual({ rows: 2, numbers: 0 });
    await desk.accept(1);
    expect(await openDesk(store).restore("usr_1", 1)).toMatchObject({ state: { checked: 3, saved: 0 } });
  });

  test("accepted in another tab isn’t mixed with this one’s", async () => {
    const { store, desk } = await suggested();
    const other = openDesk(store);
    await other.restore("usr_1", 1);
    await other.take(1);
    await desk.take(3);
    expect(await openDesk(store).restore("usr_1", 1)).toMatchObject({ state: { numbers: 3 } });
    expect(store.saved!.info.taken).toStrictEqual([{ at: 0, number: MEANT }]);
  });
});

test("rows with the same number are found together, however they write it", async () => {
  const desk = openDesk(memoryStore());
  await desk.open("phone\n+5511987654321\n+551133334444\n+55.11.98765.4321\nx\n");
  await desk.check((item) => valid(item === "+551133334444" ? "+551133334444" : "+5511987654321"));
  const { rows, repeats } = await desk.page({ ...EVERYTHING, only: "repeated" }, 0);
  expect(repeats).toBe(2);
  expect(rows.map(({ place }) => place)).toStrictEqual([1, 3]);
});

test("how much was downloaded survives a reload", async () => {
  const store = memoryStore();
  const { desk } = await checked(store);
  await desk.noteSaved();
  expect(await openDesk(store).restore("usr_1", 1)).toMatchObject({ state: { saved: 3 } });
});

describe("the file", () => {
  test("for programs has every cell unchanged, and every field of the result", async () => {
    const { desk } = await checked();
    const lines = await download(desk, "raw");
    expect(lines.map((line) => line.slice(0, 4))).toStrictEqual(Papa.parse(CONTACTS.trimEnd()).data);
    const head = RESULT_COLUMNS.map((name) => (name === "number" ? "checkline_number" : name));
    expect(lines[0]?.slice(4)).toStrictEqual(["outcome", ...head, "note"]);
    const [first, blank, , scientific] = named(lines);
    expect(first).toMatchObject({
      id: "007",
      number: "=1+1",
      outcome: "valid",
      checkline_number: "+5511987654321",
      country_code: "BR",
      time_zones: "America/Sao_Paulo",
      deliverability_sms: "likely",
      deliverability_flags: "toll_free",
      note: "",
    });
    expect(blank).toMatchObject({ id: "008", outcome: "not_sent", valid: "" });
    expect(scientific).toMatchObject({
      phone: "4.15556E+11",
      outcome: "not_sent",
      note: expect.stringContaining("digits were lost"),
    });
  });

  const AS_WRITTEN = [
    '"Customers; November"',
    "",
    'Name;"Telefon";Note',
    '"Müller; Jürgen";"+5511987654321";"two\nlines"',
    "Ana;+12025550123;ext=5;  spaces ",
    "Bob;+491",
    "",
    "Cy;;'x",
  ];
  test("for programs ends rows as the file does, also after a line break within its first row", async () => {
    const desk = openDesk(memoryStore());
    await desk.open(new File(['"Phone\nnumber",Name\r\n+12025550123,Ana\r\n'], "list.csv"));
    await desk.check((number) => valid(String(number)));
    const written = await (await desk.file("raw", null)).text();
    expect(written.match(/\r\n/g)).toHaveLength(2);
    expect(written).toMatch(/^"Phone\nnumber",Name,/);
  });

  test.each([
    ["\r\n", "utf-8"],
    ["\n", "utf-8"],
    ["\r\n", "windows-1252"],
  ] as const)("for programs keeps rows as a text file writes them, with %j in %s", async (lineEnd, encoding) => {
    const text = AS_WRITTEN.join(lineEnd) + lineEnd;
    const bytes = encoding === "utf-8" ? new TextEncoder().encode(text) : encode(text, encoding);
    const store = memoryStore();
    const desk = openDesk(store);
    const { reading, rows } = await desk.open(new File([bytes], "list.csv"));
    expect({ reading, rows }).toStrictEqual({ reading: { header: 2, column: 1, countryColumn: null }, rows: 5 });
    await desk.check((number) => valid(String(number)));
    expect(desk.sent).toStrictEqual(["+5511987654321", "+12025550123;ext=5", "+491"]);
    const written = await (await desk.file("raw", null)).text();
    const after = openDesk(store);
    await after.restore("usr_1", 1);
    expect(await (await after.file("raw", null)).text()).toBe(written);
    let at = 0;
    const added = AS_WRITTEN.map((line) => {
      expect(written.slice(at, at + line.length)).toBe(line);
      const end = written.indexOf(lineEnd, at + line.length);
      const own = written.slice(at + line.length, end);
      at = end + lineEnd.length;
      return own;
    });
    expect(at).toBe(written.length);
    // Separators before our cells: shorter rows get those that they lack, and the title none.
    expect(added.map((own) => /^;*/.exec(own)![0].length)).toStrictEqual([0, 0, 1, 1, 1, 2, 3, 1]);
  });

  test("has the title above the header", async () => {
    const text = `${AS_WRITTEN.join("\n")}\n`;
    const { desk } = await checked(memoryStore(), text);
    const lines = await download(desk, "csv");
    expect(lines[0]).toStrictEqual(["Customers; November"]);
    expect(lines[2]?.slice(0, 4)).toStrictEqual(["Name", "Telefon", "Note", "outcome"]);
    const again = openDesk(memoryStore());
    const book = new File([await desk.file("xlsx", null)], "again.xlsx");
    expect(await again.open(book)).toMatchObject({ reading: { header: 2, column: 1 }, rows: 5, numbers: 3 });
    // Without a header, every row is data.
    expect(await again.read({ hasHeader: false })).toMatchObject({ reading: { header: null }, rows: 8 });
    expect(await again.read({ hasHeader: true })).toMatchObject({ reading: { header: 2 }, rows: 5 });
  });

  test("says why a cell was not sent, and what a spreadsheet changed", async () => {
    const desk = openDesk(memoryStore());
    const cells = [
      "#NAME?",
      "#WERT!",
      "#N/A",
      "#####",
      ":::",
      "n/a",
      "4.15556E+11",
      "",
      "6.28123456789E11",
      "1713369876.0",
    ];
    const { findings } = await desk.open(`id,phone\n${cells.map((cell) => `1,${cell}`).join("\n")}\n`);
    expect(findings).toStrictEqual({
      ...NOTHING_FOUND,
      EMPTY: 1,
      FORMULA_ERROR: 4,
      NO_DIGITS: 2,
      SCIENTIFIC: 1,
      reformatted: 2,
      needingCountry: 2,
    });
    await desk.check((number) => valid(String(number)));
    // The service reads these, and flags them.
    expect(desk.sent).toStrictEqual(["6.28123456789E11", "1713369876.0"]);
    const { rows } = await desk.page({ ...EVERYTHING, kind: "not_sent" }, 0);
    const wrong = "This is a spreadsheet’s error message, not a number. Format the column as text and re-enter it.";
    expect(rows.map(({ detail }) => detail)).toStrictEqual([
      ...Array.from({ length: 4 }, () => wrong),
      "No digits",
      "No digits",
      expect.stringMatching(/digits were lost/),
      "Empty",
    ]);
  });

  test("names line types as the rest of the site does, and says if one is unknown", async () => {
    const desk = openDesk(memoryStore());
    const numbers = ["+442079813000", "+12025551212", "+18005550199", "+5511987654321"];
    await desk.open(numbers.join("\n"));
    await desk.check(numbers.map((number) => verify(number)));
    const { rows } = await desk.page(EVERYTHING, 0);
    expect(rows.map(({ detail }) => detail.split(/[,.]/)[0])).toStrictEqual([
      "Landline",
      "Line type unknown",
      "Toll-free",
      "Mobile",
    ]);
    const found = await desk.page({ ...EVERYTHING, search: "landline" }, 0);
    expect(found.rows.map(({ input }) => input)).toStrictEqual(["+442079813000"]);
  });

  test("shows the numbers of a cell with several, and finds the row by them", async () => {
    const desk = openDesk(memoryStore());
    await desk.open("phone\n212 736 5000; 917 736 5000\n");
    await desk.check([verify("212 736 5000; 917 736 5000", "US")]);
    const { rows } = await desk.page({ ...EVERYTHING, search: "7365000" }, 0);
    expect(rows.map(({ detail }) => detail)).toStrictEqual([
      `${REASONS.MULTIPLE_NUMBERS.hint} +12127365000, +19177365000`,
    ]);
  });

  test("includes suggestions, for valid numbers too", async () => {
    const desk = openDesk(memoryStore());
    await desk.open("phone\n5511987654321\n+491\n");
    const suggestion = { number: "+5511987654321", reason: "MISSING_PLUS" } as const;
    await desk.check([
      { ...invalid("5511987654321", "MISSING_COUNTRY_CODE"), suggestion },
      { ...valid("+491"), suggestion },
    ]);
    const [first, second] = named(await download(desk, "raw"));
    expect(first).toMatchObject({ suggestion_number: "+5511987654321", suggestion_reason: "MISSING_PLUS" });
    expect(first!["note"]).toMatch(/^Add \+ and the calling code\. .*Did you mean \+5511987654321\?$/);
    expect(second!["note"]).toBe("Did you mean +5511987654321?");
    const { rows } = await desk.page({ ...EVERYTHING, search: "did you mean" }, 0);
    expect(rows).toHaveLength(2);
  });

  test("says which valid numbers are not accepted, and why", async () => {
    const desk = openDesk(memoryStore());
    await desk.open("phone\n+5511987654321\n+551133334444\n+1202\n");
    const verdict = (rejected_because: VerificationResult["rejected_because"]) => ({
      accepted: rejected_because === null,
      rejected_because,
    });
    await desk.check([
      { ...valid("+5511987654321"), ...verdict(null) },
      { ...valid("+551133334444"), ...verdict("OTHER_TYPE") },
      { ...invalid("+1202", "TOO_SHORT"), ...verdict("INVALID_NUMBER") },
    ]);
    const rows = named(await download(desk, "raw"));
    expect(rows.map((row) => [row["accepted"], row["rejected_because"], row["note"]])).toStrictEqual([
      ["true", "", ""],
      ["false", "OTHER_TYPE", "Not accepted: the number is another type."],
      ["false", "INVALID_NUMBER", expect.not.stringContaining("accepted")],
    ]);
  });

  test("for spreadsheets has nothing that one would evaluate or abbreviate", async () => {
    const { desk } = await checked();
    const lines = await download(desk, "csv");
    for (const cell of lines.flat()) expect(cell).not.toMatch(/^(?:[=+@]|0\d|\d{12})/);
    expect(lines[1]?.slice(0, 4)).toStrictEqual(["'007", "'+5511987654321", 'Ana, "A"', "'=1+1"]);
    // Read back, it is the same list, with the countries that were found.
    const again = await checked(memoryStore(), new File([await desk.file("csv", null)], "again.csv"));
    const found = { number: "+5511987654321", country: "BR" };
    expect(again.sent).toStrictEqual([found, "5511987654321", "+1202"]);
  });

  test("as a workbook has the same cells as text, and reads back unchanged", async () => {
    const { desk } = await checked();
    const book = new File([await desk.file("xlsx", null)], "results.xlsx");
    const again = openDesk(memoryStore());
    expect(await again.open(book)).toMatchObject({ sheets: ["Results"], sheet: "Results", rows: 6, numbers: 3 });
    await again.check((number) => valid(String(number)));
    const given = (await download(desk, "raw")).map((line) => line.slice(0, 4));
    expect((await download(again, "raw")).map((line) => line.slice(0, 4))).toStrictEqual(given);
  });

  test("of a view has its rows only", async () => {
    const { desk } = await checked();
    const text = await (await desk.file("raw", { ...EVERYTHING, kind: "valid" })).text();
    expect(named(Papa.parse<string[]>(text.trimEnd()).data).map(({ id }) => id)).toStrictEqual(["007", "009"]);
  });
});

describe("a workbook", () => {
  async function workbook(rows: (string | number | Date | null)[][]): Promise<File> {
    const { writeXlsx } = await import("hucre/xlsx");
    const bytes = await writeXlsx({
      sheets: [
        { name: "Empty", rows: [["nothing"]] },
        { name: "Two", rows },
      ],
    });
    return new File([bytes as Uint8Array<ArrayBuffer>], "book.xlsx");
  }

  test("keeps numbers, dates, and blank rows, and reports damaged cells", async () => {
    const desk = openDesk(memoryStore());
    const day = new Date(Date.UTC(2026, 0, 31));
    await desk.open(await workbook([["phone", "since", "total"], [5511987654321, day, 1.5], [], [day, null, -2]]));
    const summary = await desk.openSheet("Two");
    expect(summary).toMatchObject({
      sheets: ["Empty", "Two"],
      sheet: "Two",
      rows: 3,
      numbers: 1,
      findings: { EMPTY: 1, DATE: 1, needingCountry: 1 },
    });
    expect(summary.preview[0]).toStrictEqual(["5511987654321", "2026-01-31", "1.5"]);
    await desk.check([invalid("5511987654321", "MISSING_COUNTRY_CODE")]);
    const lines = await download(desk, "csv");
    expect(lines[3]?.slice(0, 4)).toStrictEqual(["2026-01-31", "", "-2", "not_sent"]);
    // Numbers and dates keep their types.
    const again = openDesk(memoryStore());
    await again.open(new File([await desk.file("xlsx", null)], "again.xlsx"));
    const { readXlsx } = await import("hucre/xlsx");
    const bytes = new Uint8Array(await (await desk.file("xlsx", null)).arrayBuffer());
    expect((await readXlsx(bytes)).sheets[0]?.rows[1]?.slice(0, 4)).toStrictEqual([5511987654321, day, 1.5, "invalid"]);
  });

  test("accepts texts that look like its own escapes, and rejects texts that are too long", async () => {
    const odd = ["_x000D_", "a\u0001b", "\uD800", " x ", "=1+1", "+55"];
    const { desk } = await checked(memoryStore(), `phone|odd\n${odd.map((text) => `+1202|${text}`).join("\n")}\n`);
    const again = openDesk(memoryStore());
    await again.open(new File([await desk.file("xlsx", null)], "again.xlsx"));
    await again.check((number) => valid(String(number)));
    const cells = (await download(again, "raw")).slice(1).map((line) => line[1]);
    expect(cells).toStrictEqual(odd.map((text) => text.replace("\uD800", "\uFFFD")));
    const long = await checked(memoryStore(), `phone|odd\n+1202|${"x".repeat(33_000)}\n`);
    await expect(long.desk.file("xlsx", null)).rejects.toThrow("Download a CSV file instead");
  });
});

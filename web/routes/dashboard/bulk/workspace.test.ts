import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import type { VerificationResult } from "../../../../contract/verification.ts";
import { encode } from "../../../../test/encode.ts";
import { REASONS } from "../../../../contract/reasons.ts";
import { verify } from "../../../../test/engine.ts";
import { SPECIMENS } from "../../../content/specimens.ts";
import { ANY_NUMBER } from "../../../lib/acceptance.ts";
import { UNKEPT } from "./test/file-builders.ts";
import { createWorkspace } from "./workspace.ts";
import type { Workspace } from "./workspace.ts";
import { RESULT_COLUMNS } from "../../../../lists/write/result-columns.ts";
import { EVERYTHING } from "./view.ts";
import type { CheckChoices, CheckInfo, CheckStore, SavedCheck } from "./store.ts";
import type { Format } from "./write-table.ts";

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
    async load(account) {
      return this.saved?.info.account === account ? structuredClone(this.saved) : null;
    },
    async clear(id) {
      if (this.saved?.info.id === id) this.saved = null;
    },
  };
}

const START: CheckChoices & Pick<CheckInfo, "id" | "account" | "startedAt"> = {
  id: "check",
  account: "usr_1",
  country: "",
  coversUnread: false,
  condition: ANY_NUMBER,
  startedAt: 0,
};

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

/** A workspace with a finished check of the contacts. */
async function checked(store: CheckStore = memoryStore(), given: File | string = new File([CONTACTS], "contacts.csv")) {
  const workspace = createWorkspace(store);
  const summary = await workspace.open(given);
  const work = await workspace.begin(START);
  const results = [
    valid("+5511987654321"),
    invalid("5511987654321", "MISSING_COUNTRY_CODE"),
    invalid("+1202", "TOO_SHORT"),
  ];
  const progress = await workspace.record(results.slice(0, work.numbers.length));
  return { workspace, summary, work, progress };
}

async function download(workspace: Workspace, format: Format): Promise<string[][]> {
  const text = await (await workspace.file(format, null)).text();
  return Papa.parse<string[]>(text.replace(/^\uFEFF/, "").trimEnd()).data;
}

const NOTHING_FOUND = {
  empty: 0,
  errors: 0,
  withoutDigits: 0,
  scientific: 0,
  reformatted: 0,
  dates: 0,
  apostrophes: 0,
  needingCountry: 0,
};

/** The rows by column name. */
function named([head = [], ...rows]: string[][]): Record<string, string>[] {
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ""])));
}

describe("a summary", () => {
  test("counts rows and numbers, and reports what a spreadsheet did", async () => {
    const { summary, work } = await checked();
    expect(summary).toMatchObject({
      name: "contacts.csv",
      columns: ["id", "phone", "name", "number"],
      reading: { header: 0, column: 1, countryColumn: null },
      others: [],
      rows: 6,
      numbers: 3,
      repeated: 1,
      findings: { ...NOTHING_FOUND, empty: 1, scientific: 1, apostrophes: 1, needingCountry: 1 },
    });
    // The page's button, picker, and run all use the same count.
    expect(work).toMatchObject({ numbers: ["+5511987654321", "5511987654321", "+1202"], rows: 6, repeated: 1 });
  });

  test("reports every number that needs a country", async () => {
    const numbers = ["(212) 555-0123", "020 7946 0958", "00442079460958", "2125550123"];
    const read = ["+12125550123", "tel:+12125550123", "＋44 20 7946 0958", "wa.me/5511987654321", "4.1E+11", "no"];
    const { findings } = await createWorkspace(memoryStore()).open(["phone", ...numbers, ...read].join("\n"));
    expect(findings.needingCountry).toBe(numbers.length);
  });

  test("changes with the column and the header", async () => {
    const workspace = createWorkspace(memoryStore());
    await workspace.open(CONTACTS);
    expect(await workspace.read({ column: 0 })).toMatchObject({ numbers: 6, repeated: 0, rows: 6 });
    expect(await workspace.read({ hasHeader: false })).toMatchObject({
      rows: 7,
      columns: ["Column 1", "Column 2", "Column 3", "Column 4"],
    });
  });

  test("of a column without numbers starts no check", async () => {
    const workspace = createWorkspace(memoryStore());
    await workspace.open("phone,note\n+12025550123,\n");
    await workspace.read({ column: 1 });
    await expect(workspace.begin(START)).rejects.toThrow("No numbers in this column");
  });
});

describe("a check", () => {
  test("has every row, with the result of its number", async () => {
    const { workspace, progress } = await checked();
    expect(progress).toStrictEqual({ counts: { valid: 2, invalid: 2, not_sent: 2, not_checked: 0 }, isKept: true });
    const { rows, total, countries } = await workspace.page(EVERYTHING, 0);
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
    const { workspace } = await checked();
    const { rows } = await workspace.page({ ...EVERYTHING, ...view }, 0);
    expect(rows.map(({ place }) => place)).toStrictEqual(places);
  });

  test("survives a reload, for its own account only", async () => {
    const store = memoryStore();
    await checked(store);
    const after = createWorkspace(store);
    expect(await after.restore("usr_2", 1)).toBeNull();
    expect(await after.restore("usr_1", 1)).toMatchObject({
      id: "check",
      name: "contacts.csv",
      checked: 3,
      rows: 6,
      isKept: true,
    });
    expect(await download(after, "raw")).toStrictEqual(await download((await checked()).workspace, "raw"));
    await after.forget();
    expect(await createWorkspace(store).restore("usr_1", 1)).toBeNull();
  });

  test("replaced by another is no longer stored, says so, and leaves the other alone", async () => {
    const store = memoryStore();
    const { workspace } = await checked(store);
    const other = createWorkspace(store);
    await other.open(new File([CONTACTS], "others.csv"));
    await other.begin({ ...START, id: "other" });
    expect(await workspace.record([])).toMatchObject({ isKept: false });
    await workspace.forget();
    expect(await createWorkspace(store).restore("usr_1", 1)).toMatchObject({ id: "other", checked: 0 });
  });

  test("works without browser storage, and says so", async () => {
    const { workspace, work, progress } = await checked(UNKEPT);
    expect([work.isKept, progress.isKept]).toStrictEqual([false, false]);
    expect(await download(workspace, "raw")).toHaveLength(7);
    expect(await createWorkspace(UNKEPT).restore("usr_1", 1)).toBeNull();
  });
});

describe("the file", () => {
  test("for programs has every cell unchanged, and every field of the result", async () => {
    const { workspace } = await checked();
    const lines = await download(workspace, "raw");
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
    const workspace = createWorkspace(memoryStore());
    await workspace.open(new File(['"Phone\nnumber",Name\r\n+12025550123,Ana\r\n'], "list.csv"));
    const { numbers } = await workspace.begin(START);
    await workspace.record(numbers.map((number) => valid(String(number))));
    const written = await (await workspace.file("raw", null)).text();
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
    const workspace = createWorkspace(store);
    const { reading, rows } = await workspace.open(new File([bytes], "list.csv"));
    expect({ reading, rows }).toStrictEqual({ reading: { header: 2, column: 1, countryColumn: null }, rows: 5 });
    const { numbers } = await workspace.begin(START);
    expect(numbers).toStrictEqual(["+5511987654321", "+12025550123;ext=5", "+491"]);
    await workspace.record(numbers.map((number) => valid(String(number))));
    const written = await (await workspace.file("raw", null)).text();
    const after = createWorkspace(store);
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
    const { workspace } = await checked(memoryStore(), text);
    const lines = await download(workspace, "csv");
    expect(lines[0]).toStrictEqual(["Customers; November"]);
    expect(lines[2]?.slice(0, 4)).toStrictEqual(["Name", "Telefon", "Note", "outcome"]);
    const again = createWorkspace(memoryStore());
    const book = new File([await workspace.file("xlsx", null)], "again.xlsx");
    expect(await again.open(book)).toMatchObject({ reading: { header: 2, column: 1 }, rows: 5, numbers: 3 });
    // Without a header, every row is data.
    expect(await again.read({ hasHeader: false })).toMatchObject({ reading: { header: null }, rows: 8 });
    expect(await again.read({ hasHeader: true })).toMatchObject({ reading: { header: 2 }, rows: 5 });
  });

  test("says why a cell was not sent, and what a spreadsheet changed", async () => {
    const workspace = createWorkspace(memoryStore());
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
    const { findings } = await workspace.open(`id,phone\n${cells.map((cell) => `1,${cell}`).join("\n")}\n`);
    expect(findings).toStrictEqual({
      ...NOTHING_FOUND,
      empty: 1,
      errors: 4,
      withoutDigits: 2,
      scientific: 1,
      reformatted: 2,
      needingCountry: 2,
    });
    const { numbers } = await workspace.begin(START);
    // The service reads these, and flags them.
    expect(numbers).toStrictEqual(["6.28123456789E11", "1713369876.0"]);
    const { rows } = await workspace.page({ ...EVERYTHING, kind: "not_sent" }, 0);
    const wrong = "This is a spreadsheet’s error message, not a number. Format the column as text and re-enter it.";
    expect(rows.map(({ detail }) => detail)).toStrictEqual([
      ...Array.from({ length: 4 }, () => wrong),
      "There are no digits in it.",
      "There are no digits in it.",
      expect.stringMatching(/digits were lost/),
      "No number.",
    ]);
  });

  test("names line types as the rest of the site does, and says if one is unknown", async () => {
    const workspace = createWorkspace(memoryStore());
    const numbers = ["+442079813000", "+12025551212", "+18005550199", "+5511987654321"];
    await workspace.open(numbers.join("\n"));
    await workspace.begin(START);
    await workspace.record(numbers.map((number) => verify(number)));
    const { rows } = await workspace.page(EVERYTHING, 0);
    expect(rows.map(({ detail }) => detail.split(/[,.]/)[0])).toStrictEqual([
      "Landline",
      "Line type unknown",
      "Toll-free",
      "Mobile",
    ]);
    const found = await workspace.page({ ...EVERYTHING, search: "landline" }, 0);
    expect(found.rows.map(({ input }) => input)).toStrictEqual(["+442079813000"]);
  });

  test("shows the numbers of a cell with several, and finds the row by them", async () => {
    const workspace = createWorkspace(memoryStore());
    await workspace.open("phone\n212 736 5000; 917 736 5000\n");
    await workspace.begin(START);
    await workspace.record([verify("212 736 5000; 917 736 5000", "US")]);
    const { rows } = await workspace.page({ ...EVERYTHING, search: "7365000" }, 0);
    expect(rows.map(({ detail }) => detail)).toStrictEqual([
      `${REASONS.MULTIPLE_NUMBERS.hint} +12127365000, +19177365000`,
    ]);
  });

  test("includes suggestions, for valid numbers too", async () => {
    const workspace = createWorkspace(memoryStore());
    await workspace.open("phone\n5511987654321\n+491\n");
    await workspace.begin(START);
    const suggestion = { number: "+5511987654321", reason: "MISSING_PLUS" } as const;
    await workspace.record([
      { ...invalid("5511987654321", "MISSING_COUNTRY_CODE"), suggestion },
      { ...valid("+491"), suggestion },
    ]);
    const [first, second] = named(await download(workspace, "raw"));
    expect(first).toMatchObject({ suggestion_number: "+5511987654321", suggestion_reason: "MISSING_PLUS" });
    expect(first!["note"]).toMatch(/^Add \+ and the calling code\. .*Did you mean \+5511987654321\?$/);
    expect(second!["note"]).toBe("Did you mean +5511987654321?");
    const { rows } = await workspace.page({ ...EVERYTHING, search: "did you mean" }, 0);
    expect(rows).toHaveLength(2);
  });

  test("says which valid numbers are not accepted, and why", async () => {
    const workspace = createWorkspace(memoryStore());
    await workspace.open("phone\n+5511987654321\n+551133334444\n+1202\n");
    const condition = { ...ANY_NUMBER, type: "mobile" } as const;
    expect(await workspace.begin({ ...START, condition })).toMatchObject({ condition });
    const verdict = (rejected_because: VerificationResult["rejected_because"]) => ({
      accepted: rejected_because === null,
      rejected_because,
    });
    await workspace.record([
      { ...valid("+5511987654321"), ...verdict(null) },
      { ...valid("+551133334444"), ...verdict("OTHER_TYPE") },
      { ...invalid("+1202", "TOO_SHORT"), ...verdict("INVALID_NUMBER") },
    ]);
    const rows = named(await download(workspace, "raw"));
    expect(rows.map((row) => [row["accepted"], row["rejected_because"], row["note"]])).toStrictEqual([
      ["true", "", ""],
      ["false", "OTHER_TYPE", "Not accepted: the number is another type."],
      ["false", "INVALID_NUMBER", expect.not.stringContaining("accepted")],
    ]);
  });

  test("for spreadsheets has nothing that one would evaluate or abbreviate", async () => {
    const { workspace } = await checked();
    const lines = await download(workspace, "csv");
    for (const cell of lines.flat()) expect(cell).not.toMatch(/^(?:[=+@]|0\d|\d{12})/);
    expect(lines[1]?.slice(0, 4)).toStrictEqual(["'007", "'+5511987654321", 'Ana, "A"', "'=1+1"]);
    // Read back, it is the same list, with the countries that were found.
    const again = await checked(memoryStore(), new File([await workspace.file("csv", null)], "again.csv"));
    const found = { number: "+5511987654321", country: "BR" };
    expect(again.work.numbers).toStrictEqual([found, "5511987654321", "+1202"]);
  });

  test("as a workbook has the same cells as text, and reads back unchanged", async () => {
    const { workspace } = await checked();
    const book = new File([await workspace.file("xlsx", null)], "results.xlsx");
    const again = createWorkspace(memoryStore());
    expect(await again.open(book)).toMatchObject({ sheets: ["Results"], sheet: "Results", rows: 6, numbers: 3 });
    await again.begin(START);
    const given = (await download(workspace, "raw")).map((line) => line.slice(0, 4));
    expect((await download(again, "raw")).map((line) => line.slice(0, 4))).toStrictEqual(given);
  });

  test("of a view has its rows only", async () => {
    const { workspace } = await checked();
    const text = await (await workspace.file("raw", { ...EVERYTHING, kind: "valid" })).text();
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
    const workspace = createWorkspace(memoryStore());
    const day = new Date(Date.UTC(2026, 0, 31));
    await workspace.open(await workbook([["phone", "since", "total"], [5511987654321, day, 1.5], [], [day, null, -2]]));
    const summary = await workspace.openSheet("Two");
    expect(summary).toMatchObject({
      sheets: ["Empty", "Two"],
      sheet: "Two",
      rows: 3,
      numbers: 1,
      findings: { empty: 1, dates: 1, needingCountry: 1 },
    });
    expect(summary.preview[0]).toStrictEqual(["5511987654321", "2026-01-31", "1.5"]);
    await workspace.begin(START);
    await workspace.record([invalid("5511987654321", "MISSING_COUNTRY_CODE")]);
    const lines = await download(workspace, "csv");
    expect(lines[3]?.slice(0, 4)).toStrictEqual(["2026-01-31", "", "-2", "not_sent"]);
    // Numbers and dates keep their types.
    const again = createWorkspace(memoryStore());
    await again.open(new File([await workspace.file("xlsx", null)], "again.xlsx"));
    const { readXlsx } = await import("hucre/xlsx");
    const bytes = new Uint8Array(await (await workspace.file("xlsx", null)).arrayBuffer());
    expect((await readXlsx(bytes)).sheets[0]?.rows[1]?.slice(0, 4)).toStrictEqual([5511987654321, day, 1.5, "invalid"]);
  });

  test("accepts texts that look like its own escapes, and rejects texts that are too long", async () => {
    const odd = ["_x000D_", "a\u0001b", "\uD800", " x ", "=1+1", "+55"];
    const { workspace } = await checked(memoryStore(), `phone|odd\n${odd.map((text) => `+1202|${text}`).join("\n")}\n`);
    const again = createWorkspace(memoryStore());
    await again.open(new File([await workspace.file("xlsx", null)], "again.xlsx"));
    await again.begin(START);
    const cells = (await download(again, "raw")).slice(1).map((line) => line[1]);
    expect(cells).toStrictEqual(odd.map((text) => text.replace("\uD800", "\uFFFD")));
    const long = await checked(memoryStore(), `phone|odd\n+1202|${"x".repeat(33_000)}\n`);
    await expect(long.workspace.file("xlsx", null)).rejects.toThrow("Download a CSV file instead");
  });
});

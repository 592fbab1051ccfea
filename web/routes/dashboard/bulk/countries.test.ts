import { describe, expect, test, vi } from "vitest";
import Papa from "papaparse";
import { COUNTRY_CSV, COUNTRY_LIST, COUNTRY_TABLE, WITHOUT_PLUS } from "../../../../test/country-list.ts";
import { FRESH_DAY, verify, verifyOn } from "../../../../test/engine.ts";
import { acceptance } from "../../../../contract/acceptance.ts";
import { ANY_NUMBER, conditionsOf, ROW_COUNTRY } from "../../../lib/acceptance.ts";
import { unreadIn } from "../../../../lists/concerns.ts";
import { xlsx } from "../../../../lists/test/xlsx.ts";
import type { CheckChoices, SavedCheck } from "./store.ts";
import { openDesk, UNKEPT } from "./test/desk-rig.ts";
import type { TestDesk } from "./test/desk-rig.ts";

/** Checks what is open as the page does, with the engine in place of the service. */
function check(desk: TestDesk, choices: Partial<CheckChoices> = {}) {
  const conditions = conditionsOf(choices.condition ?? ANY_NUMBER);
  return desk.check((item) => {
    const { number, ...own } = typeof item === "string" ? { number: item } : item;
    const result = verifyOn(number, own.country, FRESH_DAY);
    return { ...result, ...acceptance(result, { ...conditions, ...own }) };
  }, choices);
}

async function rowsOf(desk: TestDesk): Promise<Record<string, string>[]> {
  const text = await (await desk.file("raw", null)).text();
  return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
}

async function checkText(text: string, choices: Partial<CheckChoices> = {}) {
  const desk = openDesk();
  const summary = await desk.open(text);
  const work = await check(desk, choices);
  return { desk, summary, work, sent: desk.sent, rows: await rowsOf(desk) };
}

describe("a list of six countries", async () => {
  const book = new File([await xlsx(COUNTRY_TABLE)], "list.xlsx");
  test.each([
    ["CSV", new File([COUNTRY_CSV], "list.csv")],
    ["XLSX", book],
  ])("as %s has each number with its row's country", async (_, file) => {
    const desk = openDesk();
    const { reading, rows, unread, findings } = await desk.open(file);
    expect({ reading, rows }).toStrictEqual({ reading: { header: 0, column: 2, countryColumn: 1 }, rows: 400 });
    expect(unread).toStrictEqual({ rows: 3, texts: ["Untied Kingdom", "Grmany"], different: 2 });
    expect(findings).toMatchObject({ EMPTY: 1, needingCountry: 2 });
    await check(desk);
    const checked = await rowsOf(desk);
    const found = checked.map(({ valid, number, country_code }) =>
      valid === "true" ? { number, country: country_code } : null,
    );
    expect(found).toStrictEqual(
      COUNTRY_LIST.map(({ number }) => number && { number, country: verify(number).country_code }),
    );
    const lost = checked.find(({ Phone }) => Phone === WITHOUT_PLUS)!;
    expect(lost).toMatchObject({ country_code: "GB", line_type: "mobile" });
    expect(checked[50]).toMatchObject({ outcome: "not_sent", note: "Empty" });
    expect(checked[200]!["note"]).toContain("We can’t read the country “Untied Kingdom”.");
  });
});

describe("a country column", () => {
  const BRAZIL = "+5511987654321";
  const TEXT =
    "country,phone\nUK,07773 681930\nGrmany,0171 9840329\n,0171 9840330\nUntied,+447773681931\nBrasil,(11) 98765-4321\n";

  test.each([
    [{}, ["+447773681930", null, null, "+447773681931", BRAZIL]],
    [{ country: "DE" }, ["+447773681930", null, "+491719840330", "+447773681931", BRAZIL]],
    [
      { country: "DE", coversUnread: true },
      ["+447773681930", "+491719840329", "+491719840330", "+447773681931", BRAZIL],
    ],
  ])("with %j reads %j", async (choices, numbers) => {
    const { rows, summary } = await checkText(TEXT, choices);
    expect(summary.unread).toStrictEqual({ rows: 2, texts: ["Grmany", "Untied"], different: 2 });
    expect(rows.map(({ valid, number }) => (valid === "true" ? number : null))).toStrictEqual(numbers);
  });

  test.each([
    ["Country/Region", "GB", 0],
    ["Shipping Country", "United Kingdom", 0],
    ["Land", "Deutschland", 0],
    ["Ländercode", "DE", 0],
    ["País", "Brasil", 0],
    ["Pays", "France", 0],
    ["国", "日本", 0],
    ["国家", "中国", 0],
    ["Страна", "Россия", 0],
    ["Ülke", "Türkiye", 0],
    ["ISO", "GBR", 0],
    ["country_iso2", "gb", 0],
    ["ISO Alpha-3", "BRA", 0],
    ["countryCode", "BR", 0],
    ["Country code", "+44", 0],
    ["Dial code", "44", 0],
    ["Phone Country", "United Kingdom (+44)", 0],
    ["Nationality", "GB", 0],
    ["Region", "United Kingdom", 0],
    // Other things in a column that may be called so, and countries in one that isn't.
    ["Land", "12 ha", null],
    ["Language", "de", null],
    ["State", "CA", null],
    ["Region", "CA", null],
    ["Country of birth", "GB", null],
    ["Country ID", "44", null],
    ["Landline", "020 7946 0018", null],
  ])("%s with %s is one: %j", async (head, cell, place) => {
    const { reading } = await openDesk().open(`${head}\tMobile\n${cell}\t07773 681930\n${cell}\t07773 681931`);
    expect(reading).toStrictEqual({ header: 0, column: 1, countryColumn: place });
  });

  test("that we can’t read is named before the check", async () => {
    const { reading, unreadColumn } = await openDesk().open("Land;Handy\n12 ha;0171 1234567\n7 ha;0171 1234568\n");
    expect(reading.countryColumn).toBeNull();
    expect(unreadColumn).toStrictEqual({ name: "Land", texts: ["12 ha", "7 ha"] });
  });

  test("are quoted if they can’t be read, and how many more there are", async () => {
    const cells = ["GB", "GB", "GB", "GB", "GB", "a", "b", "c", "d", "d"];
    const { unread } = await openDesk().open(
      `Country;Mobile\n${cells.map((cell) => `${cell};07773 681930\n`).join("")}`,
    );
    expect(unreadIn(unread)).toBe("5 rows have a country we can’t read: “a”, “b”, “c”, and 1 more.");
  });

  test("can be chosen and left out", async () => {
    const desk = openDesk();
    expect((await desk.open(TEXT)).reading.countryColumn).toBe(0);
    expect(await desk.read({ countryColumn: null })).toMatchObject({ unread: { rows: 0 }, numbers: 5 });
    await check(desk);
    expect(desk.sent[0]).toBe("07773 681930");
    expect((await desk.read({ countryColumn: 1 })).unread.rows).toBe(5);
    // Without its header, a table is read anew.
    expect((await desk.read({ hasHeader: false })).reading.countryColumn).toBeNull();
    expect((await desk.read({ hasHeader: true })).reading.countryColumn).toBe(0);
  });

  test("one number with two countries is checked with each, with one country once", async () => {
    const { work, sent } = await checkText(
      "country,phone\nGB,020 7946 0018\nUK,020 7946 0018\nBR,020 7946 0018\n,020 7946 0018\n",
    );
    expect(sent).toStrictEqual([
      { number: "020 7946 0018", country: "GB" },
      { number: "020 7946 0018", country: "BR" },
      "020 7946 0018",
    ]);
    expect(work.repeated).toBe(1);
  });

  test("one number in several writings is checked once with a country", async () => {
    const { summary, sent, rows } = await checkText(
      "country,phone\n,+55 11 98765-4321\n,+5511987654321\nUS,(212) 736-5000\nUS,2127365000\nGB,2127365000\nUS,212.736.5000\n",
    );
    expect(summary).toMatchObject({ numbers: 4, repeated: 2 });
    expect(sent).toStrictEqual([
      "+55 11 98765-4321",
      { number: "(212) 736-5000", country: "US" },
      { number: "2127365000", country: "GB" },
      { number: "212.736.5000", country: "US" },
    ]);
    expect(rows.map(({ number }) => number).slice(0, 4)).toStrictEqual([
      "+5511987654321",
      "+5511987654321",
      "+12127365000",
      "+12127365000",
    ]);
  });

  test("is the same after a reload in a browser with other languages", async () => {
    let saved: SavedCheck | null = null;
    const store = {
      ...UNKEPT,
      begin: async (info: SavedCheck["info"], { rows, source }: Pick<SavedCheck, "rows" | "source">) => {
        saved = structuredClone({ info, rows, source, results: [] });
      },
      load: async () => saved,
    };
    const before = openDesk(store, (text) => (text === "Kongo" ? "CD" : null));
    await before.open("country,phone\nKongo,0991234567\n");
    await check(before);
    expect(before.sent).toStrictEqual([{ number: "0991234567", country: "CD" }]);
    const after = openDesk(store, () => null);
    expect(await after.restore("usr_1", 1)).toMatchObject({ state: { numbers: 1 } });
    await after.start();
    await vi.waitFor(() => expect(after.sent).toStrictEqual(before.sent));
  });
});

test("the row's country and a type decide what is accepted", async () => {
  const text = [
    "country,phone",
    "GB,07773 681930",
    "GB,020 7946 0018",
    "GB,+491719840329",
    "GB,02",
    ",+491719840329",
    "BR,(11) 98765-4321",
  ].join("\n");
  const { rows } = await checkText(text, {
    country: "",
    condition: { ...ANY_NUMBER, type: "mobile", country: ROW_COUNTRY },
  });
  expect(rows.map(({ accepted, rejected_because }) => [accepted, rejected_because])).toStrictEqual([
    ["true", ""],
    ["false", "OTHER_TYPE"],
    ["false", "OTHER_COUNTRY"],
    ["false", "INVALID_NUMBER"],
    ["true", ""],
    ["true", ""],
  ]);
  const chosen = await checkText(text, { country: "GB", condition: { ...ANY_NUMBER, country: ROW_COUNTRY } });
  expect(chosen.rows.map(({ accepted }) => accepted)).toStrictEqual([
    "true",
    "true",
    "false",
    "false",
    "false",
    "true",
  ]);
});

test("an unassigned range is rejected beside the row's country, and its columns say why", async () => {
  const condition = { ...ANY_NUMBER, country: ROW_COUNTRY, rejectsUnassigned: true };
  const { rows } = await checkText("country,phone\nUS,(448) 772-8519\nUS,(212) 555-1212\nCA,(448) 772-8519\n", {
    condition,
  });
  expect(conditionsOf(condition)).toStrictEqual({ reject_unallocated: true });
  expect(
    rows.map(({ valid, allocation_status, accepted, rejected_because }) => [
      valid,
      allocation_status,
      accepted,
      rejected_because,
    ]),
  ).toStrictEqual([
    ["true", "unassigned", "false", "NOT_ALLOCATED"],
    ["true", "unknown", "true", ""],
    ["true", "unassigned", "false", "OTHER_COUNTRY"],
  ]);
  expect(rows[0]!["note"]).toContain("Not accepted: the number’s range isn’t assigned to anyone.");
});

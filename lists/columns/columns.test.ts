import { describe, expect, test } from "vitest";
import { looksLikePhone } from "../cells.ts";
import type { Cell } from "../cells.ts";
import { bestColumn, phoneColumns } from "./columns.ts";
import { headerAt, namesOf } from "./header.ts";
import { namesPhone } from "./header-words.ts";

/** A column's cells, made from the row's place. */
type Column = (at: number) => Cell;

const PHONE: Column = (at) => `+4930901${820 + at * 3}`;
const HALF: Column = (at) => (at % 2 === 0 ? "" : PHONE(at));
const PLAIN: Column = (at) => String(4930901820 + at * 37);
const ID: Column = (at) => String(10_004_711 + at * 3);

function rowsOf(columns: readonly Column[], header?: readonly string[]): Cell[][] {
  const rows = Array.from({ length: 30 }, (_, at) => columns.map((column) => column(at)));
  return header === undefined ? rows : [[...header], ...rows];
}

/** The name of the column that is chosen, or its place without a header. */
function chosen(rows: readonly (readonly Cell[])[]): string {
  const header = headerAt(rows);
  return namesOf(rows, header)[bestColumn(rows, header)]!;
}

describe("a header", () => {
  test.each([
    [
      "words above numbers",
      [
        ["name", "phone"],
        ["Ana", "+12025550123"],
      ],
      0,
    ],
    [
      "no row of data",
      [
        ["Ana", "+12025550123"],
        ["Bob", "+12025550124"],
      ],
      null,
    ],
    ["nothing above numbers", [["name"], ["Ana"]], null],
    ["a word above shortened numbers", [["phone"], ["4.15556E+11"]], 0],
    ["a word above errors", [["phone"], ["#NAME?"]], 0],
    [
      "names with digits",
      [
        ["Phone 1", "Phone 2"],
        ["+12025550123", ""],
      ],
      0,
    ],
    ["below a title", [["Export of 26.11.2026", ""], [], ["name", "phone"], ["Ana", "+12025550123"]], 2],
    ["below a title, in one column", [["My customers"], [""], ["Phone"], ["+12025550123"]], 2],
    [
      "below a title, without a phone",
      [
        ["My customers", "", ""],
        ["name", "number", "city"],
        ["Ana", "+12025550123", "Rome"],
      ],
      1,
    ],
    [
      "not below rows of data",
      [
        ["Ana", "+12025550123", ""],
        ["Bob", "Phone Shop", "Rome"],
      ],
      null,
    ],
    [
      "below a title that names a phone",
      [
        ["Phone list", ""],
        ["Name", "Number"],
        ["Ana", "+12025550123"],
      ],
      1,
    ],
    [
      "with one name",
      [
        ["", "phone"],
        ["0", "+12025550123"],
      ],
      0,
    ],
    ["of nothing", [], null],
  ] as const)("%s", (_, rows, expected) => {
    expect(headerAt(rows)).toBe(expected);
  });

  test("names the columns, with places where it has none", () => {
    expect(
      namesOf(
        [
          ["", "a"],
          ["1", "2", "3"],
        ],
        0,
      ),
    ).toStrictEqual(["Column 1", "a", "Column 3"]);
  });

  test.each([
    "Phone",
    "phone_number",
    "PhoneNumber",
    "PHONE1",
    "Mobile No.",
    "Cell",
    "Tel",
    "Tel.-Nr.",
    "Telefonnummer",
    "Handy",
    "Rufnummer",
    "Mobilnummer",
    "Téléphone",
    "Portable",
    "Teléfono móvil",
    "Celular",
    "Telefone",
    "Telemóvel",
    "Cellulare",
    "Telefoonnummer",
    "Mobiel",
    "Telefon komórkowy",
    "Numer telefonu",
    "Mobilní telefon",
    "Telefonszám",
    "Puhelinnumero",
    "Cep Telefonu",
    "Τηλέφωνο",
    "Κινητό",
    "Телефон",
    "Мобильный",
    "Мобільний",
    "电话号码",
    "手机",
    "電話番号",
    "携帯",
    "휴대폰 번호",
    "전화번호",
    "هاتف",
    "رقم الجوال",
    "טלפון נייד",
    "मोबाइल नंबर",
    "फ़ोन",
    "เบอร์โทร",
    "Số điện thoại",
    "No. HP",
    "WhatsApp",
    "msisdn",
    "E.164",
    "Contact Number",
    "Customer phone",
    "Billing Phone",
  ])("%s names phone numbers", (header) => {
    expect(namesPhone(header)).toBe(true);
  });

  test.each([
    "id",
    "Number",
    "Order number",
    "Account Number",
    "Customer",
    "Hotel",
    "Excel",
    "Immobilien-Nr.",
    "Telex",
    "phone_number_id",
    "phone_verified_at",
    "Business Fax",
    "Title",
  ])("%s doesn’t", (header) => {
    expect(namesPhone(header)).toBe(false);
  });
});

describe("the column with phone numbers", () => {
  const compactDate: Column = (at) => String(20_261_101 + (at % 28));
  const address: Column = (at) => `70.61.11.${200 + at}`;
  const code: Column = (at) => {
    const digits = String(400_638_133_300 + at * 17);
    const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
    return digits + ((10 - (sum % 10)) % 10);
  };
  const decimal: Column = (at) => `52.5200${10 + at}`;
  const pin: Column = (at) => String(110_001 + at * 7);
  test.each<[readonly string[], readonly Column[], string]>([
    [["Customer ID", "Phone"], [ID, HALF], "Phone"],
    [["Order number", "Phone"], [ID, PLAIN], "Phone"],
    [["Employee", "DID"], [(at) => String(100_001 + at ** 2), (at) => String(2_127_365_000 + at)], "DID"],
    [["Account Number", "Mobile"], [PLAIN, PLAIN], "Mobile"],
    [["IBAN", "Postcode", "Phone"], [() => "DE89370400440532013000", pin, HALF], "Phone"],
    [["id", "created", "phone"], [ID, compactDate, HALF], "phone"],
    [["ip_address", "phone_number"], [address, HALF], "phone_number"],
    [["lat", "lng", "Tel"], [decimal, decimal, HALF], "Tel"],
    [["ean", "Handy"], [code, HALF], "Handy"],
    [["phone_id", "phone"], [PLAIN, HALF], "phone"],
    [["Phone type", "Phone"], [() => "mobile", HALF], "Phone"],
    [["Phone", "Mobile"], [PHONE, HALF], "Mobile"],
    [["Phone", "Mobile"], [PHONE, (at) => (at === 3 ? PHONE(at) : "")], "Phone"],
    [["Fax", "Phone"], [PHONE, HALF], "Phone"],
    // No header says which.
    [["Number", "Contact"], [ID, HALF], "Contact"],
    [["Order", "To"], [PLAIN, (at) => (at % 2 === 0 ? "" : PLAIN(at))], "To"],
    [["A", "B"], [address, PLAIN], "B"],
    [["A", "B"], [code, PLAIN], "B"],
    [["A", "B"], [decimal, PLAIN], "B"],
    [["A", "B"], [compactDate, PLAIN], "B"],
    [["A", "B"], [() => new Date(0), PLAIN], "B"],
    [["A", "B"], [(at) => `${26 - (at % 20)}/11/2026 10:15`, PLAIN], "B"],
    [["A", "B"], [(at) => `01310-${100 + at}`, PLAIN], "B"],
    [["A", "B"], [(at) => String(1_000_000_001 + at), PLAIN], "B"],
    // Other numbers are better than none.
    [["Order number", "Name"], [PLAIN, () => "Ana"], "Order number"],
  ])("of %j", (header, columns, expected) => {
    expect(chosen(rowsOf(columns, header))).toBe(expected);
  });

  test.each<[string, readonly Column[], string]>([
    ["ids and half of the numbers", [ID, HALF], "Column 2"],
    ["dates of many kinds", [(at) => `2026-11-${10 + (at % 20)}`, PLAIN], "Column 2"],
    ["numbers alone", [PLAIN], "Column 1"],
    // Four groups of two digits are a number, and so are a few of other things.
    ["Danish numbers with dots", [ID, (at) => `20.12.34.${10 + at}`], "Column 2"],
    [
      "numbers that happen to look like a code",
      [(at) => (at === 0 ? "4006381333931" : PLAIN(at)), () => "x"],
      "Column 1",
    ],
    [
      "ids, and numbers of which some lost their zero",
      [(at) => String(7_288_608_810 + at * 72_437), (at) => `${at % 3 === 0 ? "" : "0"}${8_029_199_101 - at * 31_987}`],
      "Column 2",
    ],
    ["numbers with fractions", [() => "1.5", (at) => `${PLAIN(at)}.0`], "Column 2"],
  ])("without a header, of %s", (_, columns, expected) => {
    expect(chosen(rowsOf(columns))).toBe(expected);
  });

  test("is found where it begins only far below", () => {
    const late: Column = (at) => (at < 9_000 ? "" : PHONE(at));
    const rows = Array.from({ length: 10_000 }, (_, at) => [ID(at), late(at)]);
    expect(chosen([["ID", "Note"], ...rows])).toBe("Note");
  });

  test("comes first of all columns with phone numbers", () => {
    const rows = rowsOf([PHONE, HALF, HALF, ID], ["Phone", "Mobile", "Home phone", "id"]);
    expect(phoneColumns(rows, 0)).toStrictEqual([1, 0, 2]);
  });
});

test.each([
  ["+55 (11) 98765-4321", true],
  ["0034912345678", true],
  ["tel:+1-202-555-0123;ext=5", true],
  ["2026-01-31", false],
  ["31/01/2026", false],
  ["12345", false],
  ["ana123456@example.com", false],
])("%s looks like a phone number: %s", (text, expected) => {
  expect(looksLikePhone(text)).toBe(expected);
});

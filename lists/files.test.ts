import { expect, test } from "vitest";
import type { BatchItem } from "../contract/verification.ts";
import { encode } from "../test/encode.ts";
import { headerAt } from "./columns/header.ts";
import { createCountryReader } from "./columns/read-country.ts";
import { readFile } from "./read/read-file.ts";
import { createSheet } from "./sheet.ts";
import { readingOf, summaryOf } from "./summary.ts";
import { xlsx } from "./test/xlsx.ts";

interface Expected {
  readonly column: string;
  /** What is sent, in order. */
  readonly sent: readonly BatchItem[];
  readonly skipped?: number;
  readonly others?: readonly string[];
}

const readCountry = createCountryReader();

/** Reads a file up to what would be sent. */
async function read(name: string, content: string | Uint8Array): Promise<Required<Expected>> {
  const found = await readFile(typeof content === "string" ? new TextEncoder().encode(content) : content, name);
  const reading = readingOf(found, headerAt(found.rows), readCountry);
  const { columns, others } = summaryOf(found, reading, readCountry);
  const sheet = createSheet(found, reading, { country: "", coversUnread: false, readCountry, expectsCountry: false });
  return { column: columns[reading.column]!, sent: sheet.items, skipped: sheet.counts().not_sent, others };
}

/** Rows with a separator and line ends, as exports have them: a cell that contains either is quoted. */
function table(rows: readonly (readonly string[])[], separator = ",", lineEnd = "\r\n"): string {
  const quoted = (cell: string) =>
    /["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return rows.map((row) => row.map(quoted).join(separator) + lineEnd).join("");
}

const GOOGLE = table([
  [
    "First Name",
    "Last Name",
    "E-mail 1 - Label",
    "E-mail 1 - Value",
    "Phone 1 - Label",
    "Phone 1 - Value",
    "Phone 2 - Label",
    "Phone 2 - Value",
  ],
  ["Ana", "Silva", "* Home", "ana@example.com", "Mobile", "+55 11 98765-4321 ::: +55 11 98765-4322", "", ""],
  ["Bob", "Stone", "", "", "Work", "(202) 555-0123", "Home", "202-555-0124"],
  ["Cy", "", "", "", "", "", "", ""],
]);

const OUTLOOK = table([
  [
    "First Name",
    "Last Name",
    "Business Fax",
    "Business Phone",
    "Home Phone",
    "Mobile Phone",
    "Home Postal Code",
    "Birthday",
  ],
  ["Ana", "Silva", "+55 11 3333-0000", "+55 11 3333-4444", "", "+55 11 98765-4321", "01310-100", "0/0/00"],
  ["Bob", "Stone", "", "+1 202-555-0100", "+1 202-555-0101", "+1 202-555-0102", "20500-0003", "1/31/1980"],
  ["Cy", "Young", "", "+1 202-555-0103", "", "", "", "0/0/00"],
]);

const HUBSPOT = table([
  [
    "Record ID",
    "First Name",
    "Last Name",
    "Email",
    "Phone Number",
    "Mobile Phone Number",
    "Contact owner",
    "Create Date",
  ],
  ["12345678901", "Ana", "Silva", "ana@example.com", "+551133334444", "", "", "2026-11-26 10:15"],
  ["12345678902", "Bob", "Stone", "bob@example.com", "+12025550100", "", "", "2026-11-26 10:16"],
  ["12345678903", "Cy", "Young", "cy@example.com", "+12025550101", "+12025550102", "", "2026-11-26 10:17"],
]);

const SALESFORCE = table([
  ["Contact ID", "Account Name", "Account Number", "Phone", "Fax", "Mailing Zip/Postal Code"],
  ["0035g00000AbCdE", "Acme, Inc.", "4711000001", "(202) 555-0123", "(202) 555-0199", "20500"],
  ["0035g00000AbCdF", "Beta", "4711000002", "", "(202) 555-0198", "90210-1234"],
  ["0035g00000AbCdG", "Gamma", "4711000003", "(202) 555-0125 x12", "", "10001"],
]);

const SHOPIFY = table([
  [
    "Name",
    "Email",
    "Financial Status",
    "Total",
    "Lineitem sku",
    "Billing Zip",
    "Billing Phone",
    "Shipping Phone",
    "Id",
    "Phone",
  ],
  [
    "#1001",
    "a@example.com",
    "paid",
    "19.90",
    "4006381333931",
    "'10115",
    "'+4930901820",
    "'+4930901820",
    "5551234567890",
    "",
  ],
  ["#1002", "b@example.com", "paid", "29.90", "4006381333931", "'80331", "'+491701234567", "", "5551234567891", ""],
]);

const WOOCOMMERCE = table([
  ["order_id", "order_number", "order_date", "customer_ip_address", "billing_postcode", "billing_phone", "order_total"],
  ["10000481", "10000481", "2026-11-26 10:15:00", "203.0.113.7", "110001", "9876543210", "1999.00"],
  ["10000482", "10000482", "2026-11-26 10:16:00", "203.0.113.8", "400001", "", "2999.00"],
  ["10000483", "10000483", "2026-11-26 10:17:00", "203.0.113.9", "560001", "98765 43211", "99.00"],
]);

const CHATWOOT = table([
  ["id", "first_name", "last_name", "email", "gender", "ip_address", "identifier", "phone_number", "company"],
  ["1", "Clarice", "Uzzell", "cuzzell0@example.com", "Female", "70.61.11.201", "bb4e11cd", "+918080808283", "Cogidoo"],
  [
    "2",
    "Marieann",
    "Creegan",
    "mcreegan1@example.com",
    "Female",
    "168.186.4.241",
    "e60bab4c",
    "+918080808284",
    "Meevee",
  ],
  ["3", "Nancey", "Windibank", "nwindibank2@example.com", "Female", "73.44.41.59", "f793e813", "", "Meezzy"],
  ["4", "Sibel", "Stennine", "sstennine3@example.com", "Female", "115.249.27.155", "d6e35b3f", "", "Digitube"],
]);

const VCARDS = [
  "BEGIN:VCARD",
  "VERSION:3.0",
  "FN:Ana Silva",
  "N:Silva;Ana;;;",
  "item1.TEL;type=CELL;type=pref:+55 11 98765-4321",
  "TEL;TYPE=WORK,VOICE:+55 11 3333-4444",
  "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQ",
  " AASABIAAD/4QBYRXhpZg==",
  "END:VCARD",
  "BEGIN:VCARD",
  "VERSION:2.1",
  "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BC=",
  "rgen;;;",
  "TEL;CELL:0171 1234567",
  "END:VCARD",
  "BEGIN:VCARD",
  "VERSION:4.0",
  "FN:Cy",
  'TEL;VALUE=uri;TYPE="cell,voice":tel:+1-202-555-0123;ext=5',
  "END:VCARD",
  "BEGIN:VCARD",
  "VERSION:4.0",
  "FN:Nobody",
  "END:VCARD",
  "",
].join("\r\n");

const RUSSIAN = table(
  [
    ["Имя", "ИНН", "Телефон"],
    ["Иван Петров", "7707083893", "+7 916 123-45-67"],
    ["Ольга Смирнова", "7707083894", "8 (903) 765-43-21"],
  ],
  ";",
);
const POLISH = table(
  [
    ["Imię", "NIP", "Numer telefonu"],
    ["Łukasz Wójcik", "5260001246", "601 123 456"],
    ["Małgorzata Dąbrowska", "5260001247", ""],
  ],
  ";",
);
const JAPANESE = table([
  ["氏名", "郵便番号", "電話番号"],
  ["山田太郎", "1500001", "０９０１２３４５６７８"],
  ["佐藤花子", "1500002", "03-1234-5678"],
]);
const CHINESE = table([
  ["姓名", "编号", "手机号码"],
  ["张伟", "20261101", "13812345678"],
  ["王芳", "20261102", "13912345678"],
  ["李娜", "20261103", ""],
]);
const KOREAN = table([
  ["이름", "우편번호", "휴대폰"],
  ["김민수", "061234", "010-1234-5678"],
  ["이영희", "061235", "010-2222-3333"],
]);
const GERMAN = table(
  [
    ["Kd-Nr.", "Name", "PLZ", "Umsatz", "Rufnummer"],
    ["10004711", "Jürgen Müller", "10115", "1234,50", "030/901820"],
    ["10004712", "Bärbel Groß", "80331", "99,00", ""],
  ],
  ";",
);

test.each<[string, string, string | Uint8Array, Expected]>([
  [
    "Google Contacts, with the better filled of two",
    "contacts.csv",
    GOOGLE,
    {
      column: "Phone 1 - Value",
      sent: ["+55 11 98765-4321 ::: +55 11 98765-4322", "(202) 555-0123"],
      skipped: 1,
      others: ["Phone 2 - Value"],
    },
  ],
  [
    "Outlook, with mobile numbers before others",
    "contacts.csv",
    OUTLOOK,
    {
      column: "Mobile Phone",
      sent: ["+55 11 98765-4321", "+1 202-555-0102"],
      skipped: 1,
      others: ["Business Phone", "Home Phone"],
    },
  ],
  [
    "HubSpot, with the only filled one",
    "hubspot.csv",
    HUBSPOT,
    {
      column: "Phone Number",
      sent: ["+551133334444", "+12025550100", "+12025550101"],
      others: ["Mobile Phone Number"],
    },
  ],
  [
    "Salesforce, beside account numbers",
    "report.csv",
    SALESFORCE,
    { column: "Phone", sent: ["(202) 555-0123", "(202) 555-0125 x12"], skipped: 1 },
  ],
  [
    "Shopify, beside article codes and order ids",
    "orders_export.csv",
    SHOPIFY,
    { column: "Billing Phone", sent: ["+4930901820", "+491701234567"], others: ["Shipping Phone"] },
  ],
  [
    "WooCommerce, beside order numbers and postal codes",
    "orders.csv",
    WOOCOMMERCE,
    { column: "billing_phone", sent: ["9876543210", "98765 43211"], skipped: 1 },
  ],
  [
    "Chatwoot, half empty beside IP addresses",
    "contacts.csv",
    CHATWOOT,
    { column: "phone_number", sent: ["+918080808283", "+918080808284"], skipped: 2 },
  ],
  [
    "vCards of three versions",
    "contacts.vcf",
    VCARDS,
    {
      column: "phone",
      sent: ["+55 11 98765-4321", "+55 11 3333-4444", "0171 1234567", "+1-202-555-0123;ext=5"],
      skipped: 1,
    },
  ],
  [
    "members of a WhatsApp group",
    "group.txt",
    "Ana, +55 11 98765-4321, +55 21 98765-4322, Você",
    { column: "phone", sent: ["+55 11 98765-4321", "+55 21 98765-4322"], skipped: 2 },
  ],
  [
    "members without names",
    "group.txt",
    "+55 11 98765-4321, +55 21 98765-4322, You",
    { column: "phone", sent: ["+55 11 98765-4321", "+55 21 98765-4322"], skipped: 1 },
  ],
  [
    "a chat",
    "chat.txt",
    "26/11/2026 12:30 - +55 11 98765-4321: Oi, tudo bem?\n26/11/2026, 12:31 - +55 21 98765-4322: Tudo\n[26/11/2026, 12:32:10] \u202A+1 (202) 555-0123\u202C: Hi, all\n",
    { column: "phone", sent: ["+55 11 98765-4321", "+55 21 98765-4322", "+1 (202) 555-0123"] },
  ],
  [
    "names and numbers",
    "list.txt",
    "Customers\n1. Ana Silva: +55 11 98765-4321\n2) Bob – (202) 555-0123 ext. 5\n• 0171 1234567 Jürgen\n+44 20 7946 0018 / +44 20 7946 0019\nCy\n",
    {
      column: "phone",
      sent: ["+55 11 98765-4321", "(202) 555-0123 ext. 5", "0171 1234567", "+44 20 7946 0018", "+44 20 7946 0019"],
      skipped: 2,
    },
  ],
  [
    "lines of several numbers",
    "list.txt",
    "+551198765432, +551198765433\n+551198765434\n+551198765435, +551198765436, +551198765437\n",
    {
      column: "Column 1",
      sent: ["+551198765432", "+551198765433", "+551198765434", "+551198765435", "+551198765436", "+551198765437"],
    },
  ],
  [
    "a title and a blank row above the header",
    "export.csv",
    table([
      ["Customers of November 2026", "", ""],
      ["Created 26.11.2026", "", ""],
      ["", "", ""],
      ["Customer", "Customer no.", "Telephone"],
      ["Ana", "10000001", "+5511987654321"],
      ["Bob", "10000002", "+12025550123"],
    ]),
    { column: "Telephone", sent: ["+5511987654321", "+12025550123"] },
  ],
  [
    "headers with digits only",
    "export.csv",
    table([
      ["Phone 1", "Phone 2"],
      ["+5511987654321", ""],
      ["+12025550123", "+12025550124"],
    ]),
    { column: "Phone 1", sent: ["+5511987654321", "+12025550123"], others: ["Phone 2"] },
  ],
  [
    "Excel in German, Windows-1252",
    "Kunden.csv",
    encode(GERMAN, "windows-1252"),
    { column: "Rufnummer", sent: ["030/901820"], skipped: 1 },
  ],
  [
    "Russian, Windows-1251",
    "клиенты.csv",
    encode(RUSSIAN, "windows-1251"),
    { column: "Телефон", sent: ["+7 916 123-45-67", "8 (903) 765-43-21"] },
  ],
  [
    "Polish, Windows-1250",
    "klienci.csv",
    encode(POLISH, "windows-1250"),
    { column: "Numer telefonu", sent: ["601 123 456"], skipped: 1 },
  ],
  [
    "Japanese, Shift_JIS, with full-width digits",
    "list.csv",
    encode(JAPANESE, "shift_jis"),
    { column: "電話番号", sent: ["０９０１２３４５６７８", "03-1234-5678"] },
  ],
  [
    "Chinese, GBK",
    "list.csv",
    encode(CHINESE, "gbk"),
    { column: "手机号码", sent: ["13812345678", "13912345678"], skipped: 1 },
  ],
  [
    "Korean, EUC-KR",
    "list.csv",
    encode(KOREAN, "euc-kr"),
    { column: "휴대폰", sent: ["010-1234-5678", "010-2222-3333"] },
  ],
  [
    "tabs",
    "rows.tsv",
    table(
      [
        ["Order no", "Tel."],
        ["2000000001", "+5511987654321"],
        ["2000000002", ""],
      ],
      "\t",
      "\n",
    ),
    { column: "Tel.", sent: ["+5511987654321"], skipped: 1 },
  ],
  [
    "an extension with a semicolon between semicolons",
    "list.csv",
    "name;phone;note\r\nAna;+12025550123;ext=12;new\r\nBob;+12025550124;old\r\n",
    { column: "phone", sent: ["+12025550123;ext=12", "+12025550124"] },
  ],
  [
    "pandas, with fractions",
    "frame.csv",
    table(
      [
        ["", "id", "mobile"],
        ["0", "4000000001", "1713369876.0"],
        ["1", "4000000002", ""],
        ["2", "4000000003", "1713369877.0"],
      ],
      ",",
      "\n",
    ),
    { column: "mobile", sent: ["1713369876.0", "1713369877.0"], skipped: 1 },
  ],
  [
    "errors, other text, and two lines in a cell",
    "broken.csv",
    'phone\n#NAME?\n#WERT!\n####\n:::\nn/a\n"+5511987654321\n+5511987654322"\n4.15556E+11\n',
    { column: "phone", sent: ["+5511987654321\n+5511987654322"], skipped: 6 },
  ],
  [
    "codes beside a column of errors",
    "broken.csv",
    table([
      ["code", "phone"],
      ["10000001", "#NAME?"],
      ["10000007", "#NAME?"],
      ["10000005", "+12025550123"],
    ]),
    { column: "phone", sent: ["+12025550123"], skipped: 2 },
  ],
  [
    "places and bullets",
    "list.txt",
    "1. 0171 1234567\n2. 0171 1234568\n3. 0171 1234569 / 030 901820\n- 0171 1234570\n",
    { column: "Column 1", sent: ["0171 1234567", "0171 1234568", "0171 1234569", "030 901820", "0171 1234570"] },
  ],
  [
    "area codes that look like places",
    "list.txt",
    "202) 555-0123\n305. 555 0124\n",
    { column: "Column 1", sent: ["202) 555-0123", "305. 555 0124"] },
  ],
  [
    "addressees",
    "list.txt",
    "Ana <+5511987654321>; Bob <+12025550123>; Cy <cy@example.com>",
    { column: "phone", sent: ["+5511987654321", "+12025550123"], skipped: 1 },
  ],
  [
    "letters in numbers",
    "list.txt",
    "1-800-FLOWERS\n+1 202 555 0123\n112\n",
    { column: "Column 1", sent: ["1-800-FLOWERS", "+1 202 555 0123", "112"] },
  ],
  [
    "lines with different ends",
    "two exports.csv",
    'name,phone\r\nAna,+5511987654321\nBob,"+12025550123"\r\nCy,"+12025550124"\n',
    { column: "phone", sent: ["+5511987654321", "+12025550123", "+12025550124"] },
  ],
  [
    "texts as Excel formulas",
    "list.csv",
    'name,phone\nAna,"=""0171 1234567"""\nBob,="0171 1234568"\n',
    { column: "phone", sent: ["0171 1234567", "0171 1234568"] },
  ],
])("a file of %s", async (_, name, content, expected) => {
  expect(await read(name, content)).toStrictEqual({ skipped: 0, others: [], ...expected });
});

test("a workbook with a title, order numbers as numbers, and a half-empty column of numbers as numbers", async () => {
  const book = await xlsx([
    ["Orders", null, null, null],
    [],
    ["Order no", "Date", "Amount", "Telefone celular"],
    [2_000_000_001, new Date(Date.UTC(2026, 0, 31)), 19.9, 5511987654321],
    [2_000_000_002, new Date(Date.UTC(2026, 1, 1)), 29.9, null],
    [2_000_000_003, new Date(Date.UTC(2026, 1, 2)), 5, "(11) 98765-4322"],
  ]);
  expect(await read("orders.xlsx", book)).toStrictEqual({
    column: "Telefone celular",
    sent: ["5511987654321", "(11) 98765-4322"],
    skipped: 1,
    others: [],
  });
});

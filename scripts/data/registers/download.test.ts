import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RegisterCountry } from "../../../contract/registers.ts";
import { openRegister } from "../../../worker/phone/allocation.ts";
import { READERS } from "./compile.ts";
import { notDue } from "./due.ts";
import { type Compiled, compileDownloads, type LastTable } from "./registers.ts";

/** What the publishers' servers answer, by the end of the address. */
interface Answer {
  readonly body: string | Uint8Array;
  /** "2026-08-19"; undefined if the server doesn't say. */
  readonly modified?: string;
  readonly status?: number;
}
let answers: Map<string, Answer | "hangs up">;
let asked: string[];
let directory: string;

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  const file = basename(request.url!);
  asked.push(file);
  const answer = answers.get(file);
  if (answer === undefined) return response.writeHead(404).end("<html>Not found</html>");
  if (answer === "hangs up") return request.socket.destroy();
  const { body, modified, status = 200 } = answer;
  const dated = modified === undefined ? {} : { "Last-Modified": new Date(modified).toUTCString() };
  return response.writeHead(status, dated).end(body);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => server.close());

/** Calls the test's server in place of the publishers'. */
const fetchHere = ((url: string, init: RequestInit) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(url).pathname}`, init)) as typeof fetch;

const RUSSIA = "DEF-9xx.csv";
/** Codes of Russia with as many rows, all of one holder apart from the first ones. */
function russia(rows: number, others = 0): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const code = 900 + Math.floor(row / 50);
    const from = (row % 50) * 20_000;
    const [first, last] = [from, from + 9_999].map((number) => String(number).padStart(7, "0"));
    return `${code};${first};${last};${row < others ? "B" : "A"}`;
  });
  return ["\uFEFFАВС/ DEF;От;До;Оператор", ...lines].join("\n");
}
const CODES = "CoCodeAssignment_Utilized_AllStates_Public.zip";
const BLOCKS = "ThousandsBlockAssignment_All_Augmented.zip";
const zip = (text: string) => zipSync({ "report.txt": Buffer.from(text) });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "registers-download-"));
  asked = [];
  const codes = [
    "State\tNPA-NXX\tCompany\tUse\tAssignDate\tPooled Code\tFile Updated 08/19/2026",
    "NJ\t201-200\tACME\tAS\t\tN\t",
    "NJ\t201-201\tACME\tAS\t02/21/2006\tY\t",
  ];
  const ofcom = "NMS Number Block: Number Block,Block Status,CP Name\n7400 0,Allocated,EE\n";
  const files = {
    US: {
      [CODES]: { body: zip(codes.join("\n")) },
      [BLOCKS]: { body: zip("NPA\tNXX\tX\tCompany\n201\t201\t3\tTELNYX LLC"), modified: "2026-08-18" },
    },
    CA: {
      "COCodeStatus_ALL.zip": { body: zip("NPA,CO Code (NXX),Status,Company\n,,2026-08-19,\n416,200,In Service,Bell") },
    },
    MX: {},
    FR: {
      "MAJNUM.csv": {
        body: Buffer.from("Tranche_Debut;Tranche_Fin;Mnémo;Territoire\n0142000000;0142999999;FRTE;Métropole", "latin1"),
        modified: "2026-08-12",
      },
      "GELNUM.csv": { body: "EZABPQM;Type\n0428734;Numéros polyvalents", modified: "2026-08-05" },
      "MAJRIO.csv": { body: "Code Attributaire;Attributaire\nFRTE;Orange", modified: "2026-08-12" },
      "identifiants_CE.csv": {
        body: "IDENTITE_OPERATEUR;CODE_OPERATEUR;DATE_DECLARATION_OPERATEUR\nOrange;FRTE;02/12/2021 00:00",
        modified: "2026-08-12",
      },
    },
    GB: Object.fromEntries(
      ["3", "5", "7", "8", "9"].map((digit) => [
        `s${digit}.csv`,
        { body: ofcom.replace("7400 0", `${digit}400 0`), modified: "2026-08-12" },
      ]),
    ),
    RU: { [RUSSIA]: { body: russia(200), modified: "2026-08-19" } },
  } satisfies Record<RegisterCountry, Readonly<Record<string, Answer>>>;
  answers = new Map(Object.values(files).flatMap((of) => Object.entries<Answer>(of)));
});
afterEach(() => rmSync(directory, { recursive: true }));

const none = (): undefined => undefined;
const refresh = (last: (file: string) => LastTable | undefined) => compileDownloads(directory, last, fetchHere);
/** What a run leaves for the next one. */
function lastOf({ tables }: Compiled): (file: string) => LastTable | undefined {
  return (file) => {
    const table = tables.get(file);
    return table && { date: table.date, rows: table.rows, table: Buffer.from(table.bytes).toString() };
  };
}

test("downloads every register that has an address, with its own date or the server's", async () => {
  const { tables, waiting, rejected } = await refresh(none);
  expect(rejected).toEqual([]);
  expect(waiting).toEqual(["allocation-mx.jsonl: no address to download it from"]);
  expect(asked.toSorted()).toEqual([...answers.keys()].toSorted());
  expect(Array.from(tables, ([file, { date, rows }]) => [file, date, rows])).toEqual([
    ["allocation-us.jsonl", "2026-08-19", 3],
    ["allocation-ca.jsonl", "2026-08-19", 1],
    ["allocation-fr.jsonl", "2026-08-12", 1],
    ["allocation-gb.jsonl", "2026-08-12", 5],
    ["allocation-ru.jsonl", "2026-08-19", 200],
  ]);
  const { find } = openRegister(Buffer.from(tables.get("allocation-us.jsonl")!.bytes).toString());
  expect(find("12012013234")).toMatchObject({ holder: "TELNYX LLC", holder_as_of: "2026-08-18" });
});

test("has https addresses, of the files that each reader reads", () => {
  for (const { addresses } of Object.values(READERS)) {
    for (const url of Object.values(addresses)) expect(new URL(url).protocol).toBe("https:");
  }
});

describe("keeps the old table, and goes on with the others, for", () => {
  const NEWER = "2026-10-01";
  test.each<[what: string, file: string, answer: Answer | "hangs up", message: RegExp]>([
    ["an HTML answer", RUSSIA, { body: "<!DOCTYPE html><p>Sorry", modified: NEWER }, /is HTML, not data$/],
    ["HTML instead of a zip", CODES, { body: "\n<html>Blocked</html>", modified: NEWER }, /^allocation-us.* is HTML/],
    ["an older date", RUSSIA, { body: russia(200), modified: "2026-08-18" }, /of 2026-08-18, older than the last one/],
    ["a changed header", RUSSIA, { body: russia(200).replace("До", "По"), modified: NEWER }, /no column До; there are/],
    ["a tenth fewer rows", RUSSIA, { body: russia(179), modified: NEWER }, /179 rows, more than a tenth fewer/],
    ["a file without a date", RUSSIA, { body: russia(200) }, /its name has no date/],
    ["an error", RUSSIA, { body: "Forbidden", status: 403 }, /DEF-9xx\.csv: status 403$/],
    ["a broken connection", RUSSIA, "hangs up", /DEF-9xx\.csv: /],
    ["one of its files missing", BLOCKS, { body: "", status: 500 }, /^allocation-us.*Augmented\.zip: status 500$/],
    [
      "overlapping ranges of two holders",
      RUSSIA,
      { body: `${russia(200)}\n900;0005000;0006000;B`, modified: NEWER },
      /overlap, but are of different holders$/,
    ],
  ])("%s", async (_, file, answer, message) => {
    const before = await refresh(none);
    answers.set(file, answer);
    const codes = answers.get("COCodeStatus_ALL.zip") as Answer;
    answers.set("COCodeStatus_ALL.zip", {
      ...codes,
      body: zip("NPA,CO Code (NXX),Status,Company\n,,2026-09-19,\n416,200,In Service,Bell"),
    });
    const after = await refresh(lastOf(before));
    expect(after.rejected).toEqual([expect.stringMatching(message)]);
    expect([...after.tables.keys()]).toEqual(["allocation-ca.jsonl"]);
  });
});

test("a register that was left out of the build isn't downloaded", async () => {
  const leftOut = { date: "", rows: 0, table: "" };
  const { tables, waiting } = await refresh((file) => (file === "allocation-ru.jsonl" ? leftOut : undefined));
  expect(waiting).toContain("allocation-ru.jsonl: left out of this build");
  expect(asked).not.toContain(RUSSIA);
  expect(tables.has("allocation-ru.jsonl")).toBe(false);
});

describe("a newer register is taken", () => {
  async function fileOf(modified: string, others: number): Promise<string> {
    answers.set(RUSSIA, { body: russia(200, others), modified });
    return Buffer.from((await refresh(none)).tables.get("allocation-ru.jsonl")!.bytes).toString();
  }

  // 401 rows: each range, what is unassigned after it, and the end.
  test.each([
    ["2026-08-19", 0, "of 2026-08-19, with 0.00 % of its rows changed; waits for 2026-09-19 or 1 %"],
    ["2026-08-26", 3, "of 2026-08-26, with 0.75 % of its rows changed; waits for 2026-09-19 or 1 %"],
    ["2026-08-26", 5, null],
    ["2026-09-18", 3, "of 2026-09-18, with 0.75 % of its rows changed; waits for 2026-09-19 or 1 %"],
    ["2026-09-19", 0, null],
  ])("on %s, with %i other ranges: %s", async (modified, others, waits) => {
    expect(notDue(await fileOf("2026-08-19", 0), await fileOf(modified, others))).toBe(waits);
  });

  test("later: until then, its old table stays", async () => {
    const before = await refresh(none);
    answers.set(RUSSIA, { body: russia(200, 3), modified: "2026-08-26" });
    const { tables, waiting } = await refresh(lastOf(before));
    expect(tables.size).toBe(0);
    expect(waiting.at(-1)).toMatch(/^allocation-ru\.jsonl: of 2026-08-26, with 0\.75 % of its rows changed; waits/);
  });
});

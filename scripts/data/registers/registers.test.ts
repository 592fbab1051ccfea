import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { REGISTER_COUNTRIES, registerFile, type RegisterCountry } from "../../../contract/registers.ts";
import { openRegister } from "../../../worker/phone/allocation.ts";
import { COMMITTED } from "../../data.ts";
import { prefixesOf } from "../encode.ts";
import { WIDTH } from "../plan-ranges.ts";
import { compileRegister, monthsAfter, prefixTableOf, READERS } from "./compile.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "registers-test-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function put(name: string, content: string | Uint8Array): void {
  writeFileSync(join(directory, name), content);
}

function compile(country: RegisterCountry, last?: { date: string; rows: number }) {
  const compiled = compileRegister(country, directory, last);
  if (compiled === null) return null;
  const { find } = openRegister(Buffer.from(compiled.bytes).toString());
  return { ...compiled, find: (digits: string) => find(digits) };
}

const CODES_HEADER =
  "State\tNPA-NXX\tOCN \tCompany     \tRateCenter\tEffectiveDate\tUse\tAssignDate   \tInitial/Growth\tPooled Code \tIn Service  \tFile Updated 07/06/2026";
function codes(...rows: [code: string, company: string, use: string, assigned: string, pooled: string][]): string {
  const lines = rows.map(
    ([code, company, use, assigned, pooled]) =>
      `NJ   \t${code}\t1234\t"${company}"        \tHOBOKEN   \t      \t${use} \t${assigned}\tI    \t${pooled}   \tYes      \t`,
  );
  return [CODES_HEADER, ...lines].join("\r\n");
}
const CODES = codes(
  ["201-200", "ACME WIRELESS, LLC - NJ", "AS", "", "N"],
  ["201-201", "ACME WIRELESS, LLC - NJ", "AS", "02/21/2006", "Y"],
  ["201-202", "ACME WIRELESS, LLC - NJ", "AS", "03/07/2023", "Y"],
  ["201-555", "MULTIPLE OCN LISTING", "UA", "", ""],
);
const BLOCKS = ["201201\tNOBODY", "2012013\tCELLCO PARTNERSHIP DBA VERIZON WIRELESS - NJ", "2012023\tONVOY, LLC - NJ"];

describe("the United States", () => {
  beforeEach(() => {
    put("nanpa-codes-2026-07-06.zip", zipSync({ "codes.txt": Buffer.from(CODES) }));
    put("nanp-blocks-2023-03-07.tsv.gz", gzipSync(`${BLOCKS.join("\n")}\n`));
  });

  it("have the status of codes, and holders of codes that aren't pooled and of blocks", () => {
    const { find, date, rows, unassigned_until } = compile("US")!;
    expect([date, rows, unassigned_until]).toEqual(["2026-07-06", 6, "2027-01-06"]);
    const acme = { status: "assigned", holder: "ACME WIRELESS, LLC", holder_as_of: "2026-07-06", carrier: null };
    expect(find("12012001234")).toMatchObject(acme);
    expect(find("12012013234")).toEqual({
      status: "assigned",
      holder: "CELLCO PARTNERSHIP DBA VERIZON WIRELESS",
      holder_as_of: "2023-03-07",
      carrier: "Verizon",
      line_type: "mobile",
    });
    const nobodys = { status: "assigned", holder: null, holder_as_of: null, carrier: null, line_type: null };
    expect(find("12012014234")).toEqual(nobodys);
    // The code was assigned on the day of the blocks, so the block was another code's.
    expect(find("12012023234")).toEqual(nobodys);
    expect(find("12015551212")).toMatchObject({ status: "unknown", holder: null });
    expect(find("12012031234")).toMatchObject({ status: "unassigned" });
    expect(find("12022001234")).toBeNull();
  });

  it("can do without blocks", () => {
    rmSync(join(directory, "nanp-blocks-2023-03-07.tsv.gz"));
    expect(compile("US")!.find("12012013234")).toMatchObject({ status: "assigned", holder: null });
  });

  it.each([
    ["\t", "Company"],
    [",", "COMPANY "],
  ])("prefer NANPA's own blocks, by the columns of its report (%j, %j)", (delimiter, company) => {
    const rows = [
      ["State", "NPA", "NXX", "X", "OCN", company, "RateCenter", "EffectiveDate"],
      ["NJ", "201", "202", "3", "1234", '"TELNYX LLC"', "HOBOKEN", "01/02/2024"],
    ];
    put("nanpa-blocks-2026-07-06.txt", rows.map((row) => row.join(delimiter)).join("\n"));
    expect(compile("US")!.find("12012023234")).toMatchObject({ holder: "TELNYX LLC", holder_as_of: "2026-07-06" });
    expect(compile("US")!.find("12012013234")).toMatchObject({ holder: null });
  });

  it.each([
    ["HTML", "<!DOCTYPE html><title>Sorry</title>", /nanpa-codes-2026-07-06.zip is HTML/],
    ["another header", CODES.replace("NPA-NXX", "Code"), /no column NPA-NXX; there are State, Code/],
    ["a header without a day", CODES.replace("File Updated", "Updated"), /no "File Updated"/],
    ["a new use", CODES.replace("UA ", "XX "), /Use XX is neither AS nor UA/],
    ["an odd code", CODES.replace("201-200", "101-200"), /101-200 isn't a code/],
    ["a code of two holders", `${CODES}\r\n${codes(["201-200", "B", "AS", "", "N"]).split("\r\n")[1]}`, /overlap/],
  ])("are rejected for %s", (_, text, message) => {
    put("nanpa-codes-2026-07-06.zip", zipSync({ "codes.txt": Buffer.from(text) }));
    expect(() => compile("US")).toThrow(message);
  });

  it("are rejected if they're older or a tenth shorter than the last ones", () => {
    expect(() => compile("US", { date: "2026-07-07", rows: 6 })).toThrow("older than the last one, of 2026-07-07");
    expect(() => compile("US", { date: "2026-07-06", rows: 7 })).toThrow("6 rows, more than a tenth fewer");
    expect(compile("US", { date: "2026-07-06", rows: 6 })).not.toBeNull();
  });

  it("are rejected for a block of two holders", () => {
    put("nanp-blocks-2023-03-07.tsv.gz", gzipSync([...BLOCKS, "2012013\tONVOY, LLC"].join("\n")));
    expect(() => compile("US")).toThrow("2012013 is both CELLCO PARTNERSHIP DBA VERIZON WIRELESS's and ONVOY, LLC's");
  });
});

it.each([
  ["2026-07-06", 6, "2027-01-06"],
  ["2026-08-31", 6, "2027-02-28"],
  ["2027-11-30", 3, "2028-02-29"],
])("%s and %d months make %s", (day, months, until) => {
  expect(monthsAfter(day, months)).toBe(until);
});

describe("Canada", () => {
  const HEADER = '"NPA","CO Code (NXX)","Status","Pooled","Exchange Area","Province","Company","OCN","Remarks"';

  it("has the status of every code", () => {
    const rows = ["In Service", "Assigned", "Available", "Plant Test"].map(
      (status, i) => `416,20${i},"${status}","N","Toronto","ON","Bell Mobility","1234",`,
    );
    put("cnac-codes-2025-09-12.csv", [HEADER, ",,,,,,,2025-09-12", ...rows].join("\n"));
    const { find, unassigned_until } = compile("CA")!;
    expect(unassigned_until).toBe("2025-12-12");
    expect([0, 1, 2, 3, 4].map((code) => find(`141620${code}1234`)?.status)).toEqual([
      "assigned",
      "assigned",
      "unassigned",
      "unknown",
      undefined,
    ]);
    expect(find("14162001234")).toMatchObject({ holder: "Bell Mobility", line_type: "mobile" });
    expect(find("14162031234")).toMatchObject({ holder: null });
  });

  it("is rejected without its day", () => {
    put("cnac-codes-2025-09-12.csv", `${HEADER}\n416,200,"In Service","N","Toronto","ON","Bell","1234",`);
    expect(() => compile("CA")).toThrow("its first row has no day");
  });
});

describe("Mexico", () => {
  const rows = (...lines: string[]) => ["from\tto\ttype\tholder\tbrand", ...lines].join("\n");
  const TELCEL = "RADIOMOVIL DIPSA, S.A. DE C.V.";

  it("has the regulator's line type, and covers area codes of two and three digits", () => {
    put(
      "ift-ranges-2026-08.tsv",
      rows(`5512340000\t5512349999\tmobile\t${TELCEL}\t`, `2221000000\t2221000127\tfixed\tX\t`),
    );
    const { find, date } = compile("MX")!;
    expect(date).toBe("2026-08-01");
    expect(find("525512345678")).toMatchObject({ carrier: "Telcel", line_type: "mobile", status: "assigned" });
    expect(find("522221000127")).toMatchObject({ holder: "X", carrier: null, line_type: "fixed" });
    expect([find("522221000128"), find("525500000000")].map((holding) => holding?.status)).toEqual([
      "unassigned",
      "unassigned",
    ]);
    expect(find("523310000000")).toBeNull();
  });

  it.each([
    [
      "overlapping ranges",
      rows(`5512340000\t5512349999\tmobile\tA\t`, `5512345000\t5512345999\tmobile\tB\t`),
      /overlap/,
    ],
    [
      "a range after one within another's",
      rows(
        `5512340000\t5512349999\tmobile\tA\t`,
        `5512341000\t5512341999\tmobile\tA\t`,
        `5512345000\t5512345999\tmobile\tB\t`,
      ),
      /overlap/,
    ],
    ["a new type", rows(`5512340000\t5512349999\tvoip\tA\t`), /type voip is neither fixed nor mobile/],
    ["a range that ends before it starts", rows(`5512349999\t5512340000\tfixed\tA\t`), /isn't a range/],
    ["a range of nobody", rows(`5512340000\t5512349999\tfixed\t\t`), /of nobody isn't a range/],
  ])("is rejected for %s", (_, text, message) => {
    put("ift-ranges-2026-08.tsv", text);
    expect(() => compile("MX")).toThrow(message);
  });

  it("is read from the newest file, whether its name has a day or not", () => {
    put("ift-ranges-2026-08.tsv", rows(`5512340000\t5512349999\tmobile\tA\t`));
    put("ift-ranges-2026-08-19.tsv", rows(`5512340000\t5512349999\tmobile\tB\t`));
    expect(compile("MX")!.date).toBe("2026-08-19");
  });

  it("is rejected if its file has no date", () => {
    put("ift-ranges-new.tsv", rows(`5512340000\t5512349999\tmobile\tA\t`));
    expect(() => compile("MX")).toThrow("its name has no date");
  });
});

describe("France", () => {
  const HEADER = "EZABPQM;Tranche_Debut;Tranche_Fin;Mnémo;Territoire;Date_Attribution";
  function files(...rows: string[]): void {
    put("arcep-MAJNUM-2026-04.csv", Buffer.from([HEADER, ...rows].join("\n"), "latin1"));
    put(
      "arcep-identifiants_CE-2021.csv",
      "IDENTITE_OPERATEUR;CODE_OPERATEUR;DATE_DECLARATION_OPERATEUR\nOrange;FRTE;01/01/2017 00:00\nJaguar network;JAG;02/12/2021 00:00\n",
    );
    put("arcep-MAJRIO-2026-04.csv", "Ressource;Code Attributaire;Attributaire\nGZ;JAG;Free Pro\n");
    frozen("2026-04");
  }
  function frozen(month: string): void {
    const header = `EZABPQM;Type;"Ouverture des demandes d'attribution"`;
    const rows = [
      "04455;Numéros polyvalents;23/04/2026",
      "07890;Numéros mobiles;19/10/2026",
      "04411;Code point sémaphore national;19/10/2026",
      "0C;Préfixe RIO des numéros géographiques, polyvalents et spéciaux;19/10/2026",
    ];
    put(`arcep-GELNUM-${month}.csv`, Buffer.from([header, ...rows].join("\n"), "latin1"));
  }

  it("has names for operators' codes, and the calling codes of its territories", () => {
    files(
      "0142;0142000000;0142999999;FRTE;Métropole;01/01/2017",
      "0143;0143000000;0143999999;QQQQ;Métropole;01/01/2017",
      "069001;0690010000;0690019999;FRTE;Guadeloupe, St Martin et St Barthélemy;01/01/2017",
      "0700000;07000000000000;07000009999999;FRTE;Métropole;01/01/2017",
      "3000;3000;3000;FRTE;National;01/01/2017",
    );
    const { find } = compile("FR")!;
    expect(find("33142123456")).toMatchObject({ holder: "Orange", carrier: "Orange", line_type: null });
    expect(find("33143123456")).toMatchObject({ status: "assigned", holder: null, holder_as_of: null });
    expect(find("590690012345")).toMatchObject({ holder: "Orange" });
    expect(find("590690022345")).toBeNull();
    // Not France's own, and not free either.
    expect(find("33690012345")).toBeNull();
    expect(find("33700000012")).toBeNull();
    expect(find("33144123456")).toMatchObject({ status: "unassigned" });
    expect(find("33800123456")).toBeNull();
  });

  it("has the names of each list with its date, the current one's first", () => {
    files(
      "0142;0142000000;0142999999;FRTE;Métropole;01/01/2017",
      "0143;0143000000;0143999999;JAG;Métropole;01/01/2017",
    );
    const { find } = compile("FR")!;
    expect(find("33142123456")).toMatchObject({ holder: "Orange", holder_as_of: "2021-12-02" });
    expect(find("33143123456")).toMatchObject({ holder: "Free Pro", holder_as_of: "2026-04-01" });
  });

  it("has frozen ranges as unknown, until and after they reopen, and no other codes", () => {
    files("0142;0142000000;0142999999;FRTE;Métropole;01/01/2017");
    const { find } = compile("FR")!;
    const status = (digits: string) => find(digits)?.status;
    expect([status("33445512345"), status("33789012345")]).toEqual(["unknown", "unknown"]);
    expect([status("33445412345"), status("33441112345")]).toEqual(["unassigned", "unassigned"]);
  });

  it("is rejected without frozen ranges of the same month, and if one of them is assigned", () => {
    files("0142;0142000000;0142999999;FRTE;Métropole;01/01/2017");
    frozen("2026-05");
    expect(() => compile("FR")).toThrow("arcep-GELNUM-2026-05.csv isn't of the same month as arcep-MAJNUM-2026-04.csv");
    rmSync(join(directory, "arcep-GELNUM-2026-05.csv"));
    rmSync(join(directory, "arcep-GELNUM-2026-04.csv"));
    expect(compile("FR")).toBeNull();
    files("0445;0445000000;0445999999;FRTE;Métropole;01/01/2017");
    expect(() => compile("FR")).toThrow("overlap");
  });

  it("is rejected for a new territory", () => {
    files("0142;0142000000;0142999999;FRTE;Atlantide;01/01/2017");
    expect(() => compile("FR")).toThrow("Atlantide is a new territory");
  });
});

it("the United Kingdom has only Free as unassigned", () => {
  const header = "NMS Number Block: Number Block,Block Status,CP Name,Non Geo Number Length,Allocation Date";
  const statuses = [
    "Allocated",
    "Allocated(Closed Range)",
    "Free",
    "Protected",
    "Quarantined",
    "Reserved",
    "Designated",
  ];
  for (const list of ["S3", "S5", "S8", "S9"]) put(`ofcom-${list}-2025-10.csv`, header);
  expect(compile("GB")).toBeNull();
  put(
    "ofcom-S7-2025-09.csv",
    [header, ...statuses.map((status, i) => `7400 ${i},${status},EE Limited,10,`)].join("\n"),
  );
  const { find, date } = compile("GB")!;
  expect(date).toBe("2025-09-01");
  expect(statuses.map((_, i) => find(`447400${i}12345`)?.status)).toEqual([
    "assigned",
    "assigned",
    "unassigned",
    "unknown",
    "unknown",
    "unknown",
    "unknown",
  ]);
  expect(find("447400012345")?.holder).toBe("EE Limited");
  expect(find("447400312345")?.holder).toBeNull();
});

it("Russia's mobiles have a holder, or are unassigned within a listed code", () => {
  put(
    "minsifry-DEF-9xx-2026-08-19.csv",
    '\uFEFFАВС/ DEF;От;До;Емкость;Оператор\n916;0000000;1999999;2000000;ПАО "МТС"\n',
  );
  const { find } = compile("RU")!;
  expect(find("79161234567")).toMatchObject({ carrier: "MTS", line_type: null });
  expect(find("79162000000")).toMatchObject({ status: "unassigned" });
  expect(find("79172000000")).toBeNull();
});

it("a missing register is none", () => {
  for (const country of REGISTER_COUNTRIES) expect(compile(country)).toBeNull();
});

const FILES = process.env.NUMBERING_REGISTERS;

// They're large, and their terms unknown, so they aren't committed; the manifest's digests guard the tables otherwise.
describe.skipIf(FILES === undefined)("the registers in NUMBERING_REGISTERS", () => {
  it.each(REGISTER_COUNTRIES)(
    "%s is what the table has, on both sides of its rows",
    { timeout: 300_000 },
    (country) => {
      const committed = readFileSync(join(COMMITTED, registerFile(country)), "utf8");
      expect(Buffer.from(compileRegister(country, FILES!, undefined)!.bytes).toString() === committed).toBe(true);
      const { ranges, covers } = READERS[country].read(FILES!)!;
      const { find } = openRegister(committed);
      const starts = prefixesOf(prefixTableOf(committed));
      const every = Math.ceil(starts.length / 60);
      const sample = starts.filter((_, i) => i % every === 0).map((start) => Number(start.padEnd(WIDTH, "0")));
      for (const digits of sample.flatMap((start) => [String(start - 1), String(start)])) {
        const range = ranges.find(
          ({ from, to }) => from.padEnd(WIDTH, "0") <= digits && digits <= to.padEnd(WIDTH, "9"),
        );
        const free = covers.some((prefix) => digits.startsWith(prefix)) ? "unassigned" : undefined;
        const holding = find(digits);
        expect(holding?.status, digits).toBe(range === undefined ? free : (range.status ?? undefined));
        expect(holding?.holder ?? null, digits).toBe(range?.holder ?? null);
      }
    },
  );
});

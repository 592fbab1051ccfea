import { type SourceFile, dateOf, findSource, readRows, textOf } from "./source.ts";
import { type RegisterRange, type RegisterReader, without } from "./register.ts";

interface Blocks {
  readonly asOf: string;
  readonly rows: number;
  /** Holders by the seven digits of a block. */
  readonly holders: ReadonlyMap<string, string>;
}

/**
 * NANPA's central office codes, and the blocks of a thousand numbers of its pooled codes: its own or, without that file,
 * those of 2023. A code's status is that of the codes, and what an area code doesn't list is unassigned. A pooled code's
 * own holder says nothing about the holders of its ten blocks.
 */
export const unitedStates: RegisterReader = {
  addresses: {
    "nanpa-codes": "https://reports.nanpa.com/public/CoCodeAssignment_Utilized_AllStates_Public.zip",
    "nanpa-blocks": "https://reports.nanpa.com/public/ThousandsBlockAssignment_All_Augmented.zip",
  },
  read(directory) {
    const file = findSource(directory, "nanpa-codes");
    if (file === null) return null;
    const codes = readRows(file, {
      delimiter: "\t",
      encoding: "latin1",
      columns: ["NPA-NXX", "Company", "Use", "AssignDate", "Pooled Code"],
    });
    const blocks = readBlocks(directory);
    const ranges = codes.flatMap((row): RegisterRange[] => {
      const code = row["NPA-NXX"].replace("-", "");
      if (!/^[2-9]\d{5}$/.test(code)) throw new Error(`${file.name}: ${row["NPA-NXX"]} isn't a code`);
      const prefix = `1${code}`;
      if (row.Use === "UA") return [without(prefix, "unknown")];
      if (row.Use !== "AS") throw new Error(`${file.name}: Use ${row.Use} is neither AS nor UA`);
      const pooled = row["Pooled Code"];
      if (pooled === "N") return [{ from: prefix, to: prefix, status: "assigned", holder: withoutState(row.Company) }];
      if (pooled !== "Y") throw new Error(`${file.name}: Pooled Code ${pooled} is neither Y nor N`);
      // The oldest codes have no date.
      const assigned = row.AssignDate === "" ? "" : isoDay(row.AssignDate);
      if (blocks === null || assigned >= blocks.asOf) return [without(prefix, "assigned")];
      return Array.from({ length: 10 }, (_, block) => {
        const holder = blocks.holders.get(`${code}${block}`) ?? null;
        const range = { ...without(`${prefix}${block}`, "assigned"), holder };
        return holder === null ? range : { ...range, holderAsOf: blocks.asOf };
      });
    });
    return {
      asOf: updatedOn(file),
      rows: codes.length + (blocks?.rows ?? 0),
      covers: [...new Set(codes.map((row) => `1${row["NPA-NXX"].slice(0, 3)}`))],
      ranges,
    };
  },
};

/** The day in the last cell of the header: "File Updated 07/06/2026". */
function updatedOn(file: SourceFile): string {
  const day = /File Updated (\d\d\/\d\d\/\d{4})/.exec(textOf(file, "latin1").slice(0, 1_000))?.[1];
  if (day === undefined) throw new Error(`${file.name}: no "File Updated" in its header`);
  return isoDay(day);
}

function isoDay(day: string): string {
  const match = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(day);
  if (match === null) throw new Error(`${JSON.stringify(day)} isn't a day`);
  return `${match[3]}-${match[1]}-${match[2]}`;
}

/** "ONVOY, LLC" for "ONVOY, LLC - NJ": the state isn't part of the name. */
function withoutState(company: string): string {
  return company.replace(/ - [A-Z]{2}$/, "").trim();
}

/** NANPA's own report of blocks or, without it, the one of 2023 that Number::Phone for Perl carries. */
function readBlocks(directory: string): Blocks | null {
  const official = findSource(directory, "nanpa-blocks");
  if (official !== null) return readOfficialBlocks(official);
  const file = findSource(directory, "nanp-blocks");
  return file === null ? null : readCarriedBlocks(file);
}

/**
 * `ThousandsBlockAssignment_All_Augmented`. Written from the columns it's known to have, and not yet tried on a whole
 * file: compare the figures of the first run with the last ones.
 */
function readOfficialBlocks(file: SourceFile): Blocks {
  const [header = ""] = textOf(file, "latin1").split("\n", 1);
  const delimiter = header.includes("\t") ? "\t" : ",";
  const rows = readRows(file, { delimiter, encoding: "latin1", columns: ["NPA", "NXX", "X", "Company"] });
  const holders = rows.map(({ NPA, NXX, X, Company }) => [`${NPA}${NXX}${X}`, withoutState(Company)] as const);
  return blocksOf(
    file,
    holders.filter(([, holder]) => holder !== ""),
  );
}

/** Lines of a block, or of a code that wasn't pooled, and its holder: `2012030<TAB>ONVOY, LLC - NJ`. */
function readCarriedBlocks(file: SourceFile): Blocks {
  const lines = textOf(file, "utf-8").trimEnd().split("\n");
  const rows = lines.map((line): [string, string] => {
    const [prefix = "", company = "", ...more] = line.split("\t");
    if (!/^\d{6,7}$/.test(prefix) || company === "" || more.length > 0) {
      throw new Error(`${file.name}: expected a prefix and a company, found ${JSON.stringify(line)}`);
    }
    return [prefix, withoutState(company)];
  });
  return blocksOf(
    file,
    rows.filter(([prefix]) => prefix.length === 7),
  );
}

function blocksOf(file: SourceFile, rows: readonly (readonly [string, string])[]): Blocks {
  const holders = new Map<string, string>();
  for (const [block, holder] of rows) {
    const other = holders.get(block);
    if (other !== undefined && other !== holder) {
      throw new Error(`${file.name}: ${block} is both ${other}'s and ${holder}'s`);
    }
    if (!/^[2-9]\d{6}$/.test(block)) throw new Error(`${file.name}: ${block} isn't a block`);
    holders.set(block, holder);
  }
  return { asOf: dateOf(file), rows: rows.length, holders };
}

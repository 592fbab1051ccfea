import { dateOf, findSource, readRows } from "./source.ts";
import type { RegisterRange, RegisterReader } from "./register.ts";

/** Ofcom's lists of numbers starting with 3, 5, 7, 8, and 9. Its list of landlines, S1, isn't used. */
const LISTS = ["S3", "S5", "S7", "S8", "S9"];
const FOLDER =
  "https://www.ofcom.org.uk/siteassets/resources/documents/phones-telecoms-and-internet/information-for-industry/numbering/regular-updates/telephone-numbers";

export const unitedKingdom: RegisterReader = {
  addresses: Object.fromEntries(LISTS.map((list) => [`ofcom-${list}`, `${FOLDER}/${list.toLowerCase()}.csv`])),
  read(directory) {
    const files = LISTS.flatMap((list) => findSource(directory, `ofcom-${list}`) ?? []);
    if (files.length < LISTS.length) return null;
    const rows = files.flatMap((file) =>
      readRows(file, {
        delimiter: ",",
        encoding: "latin1",
        columns: ["NMS Number Block: Number Block", "Block Status", "CP Name"],
      }).map((row): RegisterRange => {
        const block = `44${row["NMS Number Block: Number Block"].replaceAll(" ", "")}`;
        if (!/^44\d{3,10}$/.test(block)) throw new Error(`${file.name}: ${block} isn't a block`);
        const status = STATUSES[row["Block Status"]] ?? "unknown";
        return { from: block, to: block, status, holder: status === "assigned" ? row["CP Name"] || null : null };
      }),
    );
    // As old as its oldest list.
    return { asOf: files.map(dateOf).toSorted()[0]!, rows: rows.length, covers: [], ranges: rows };
  },
};

/** Any other, protected, designated, reserved, or quarantined, isn't free. */
const STATUSES: Readonly<Record<string, RegisterRange["status"]>> = {
  Allocated: "assigned",
  "Allocated(Closed Range)": "assigned",
  Free: "unassigned",
};

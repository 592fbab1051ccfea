import { findSource, readRows } from "./source.ts";
import type { RegisterRange, RegisterReader } from "./register.ts";

/** The Canadian Numbering Administrator's central office codes: every code of every area code, with its status. Only Available is unassigned. */
export const canada: RegisterReader = {
  addresses: { "cnac-codes": "https://cnac.ca/data/COCodeStatus_ALL.zip" },
  read(directory) {
    const file = findSource(directory, "cnac-codes");
    if (file === null) return null;
    const [dated, ...codes] = readRows(file, {
      delimiter: ",",
      encoding: "latin1",
      columns: ["NPA", "CO Code (NXX)", "Status", "Company"],
    });
    // The first row has only the day.
    const asOf = Object.values(dated ?? {}).find((cell) => /^\d{4}-\d\d-\d\d$/.test(cell));
    if (asOf === undefined) throw new Error(`${file.name}: its first row has no day`);
    const ranges = codes.map((row): RegisterRange => {
      const code = `1${row.NPA}${row["CO Code (NXX)"]}`;
      if (!/^1[2-9]\d{5}$/.test(code)) throw new Error(`${file.name}: ${code} isn't a code`);
      const status = STATUSES[row.Status] ?? "unknown";
      return { from: code, to: code, status, holder: status === "assigned" ? row.Company || null : null };
    });
    return { asOf, rows: codes.length, covers: [], ranges };
  },
};

/** Any other, such as reserved and test codes, is neither in use nor free. */
const STATUSES: Readonly<Record<string, RegisterRange["status"]>> = {
  "In Service": "assigned",
  Assigned: "assigned",
  Available: "unassigned",
};

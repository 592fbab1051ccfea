import { dateOf, findSource, readRows } from "./source.ts";
import type { RegisterRange, RegisterReader } from "./register.ts";

/** The mobile part of Russia's register: codes 900 to 999. What a code doesn't list is unassigned. */
export const russia: RegisterReader = {
  addresses: { "minsifry-DEF-9xx": "https://opendata.digital.gov.ru/downloads/DEF-9xx.csv" },
  read(directory) {
    const file = findSource(directory, "minsifry-DEF-9xx");
    if (file === null) return null;
    const rows = readRows(file, {
      delimiter: ";",
      encoding: "utf-8",
      columns: ["АВС/ DEF", "От", "До", "Оператор"],
    });
    const ranges = rows.map((row): RegisterRange => {
      const [from, to] = [row.От, row.До].map((digits) => `7${row["АВС/ DEF"]}${digits}`) as [string, string];
      if (![from, to].every((number) => /^79\d{9}$/.test(number)) || from > to || row.Оператор === "") {
        throw new Error(`${file.name}: ${from} to ${to} isn't a range`);
      }
      return { from, to, status: "assigned", holder: row.Оператор };
    });
    const covers = Array.from(new Set(rows.map((row) => row["АВС/ DEF"])), (code) => `7${code}`);
    return { asOf: dateOf(file), rows: rows.length, covers, ranges };
  },
};

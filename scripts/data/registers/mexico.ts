import type { LineType } from "../../../contract/result-values.ts";
import { dateOf, findSource, readRows } from "./source.ts";
import type { RegisterRange, RegisterReader } from "./register.ts";

/** Area codes of two digits: Guadalajara, Mexico City, and Monterrey. All others have three. */
const SHORT_AREA_CODES = ["33", "55", "56", "81"];

/**
 * Mexico's Plan Nacional de Numeración, with the regulator's own word for fixed and mobile numbers. What an area code
 * doesn't list is unassigned.
 */
export const mexico: RegisterReader = {
  // Its website answers a form only, in other columns.
  addresses: {},
  read(directory) {
    const file = findSource(directory, "ift-ranges");
    if (file === null) return null;
    const rows = readRows(file, {
      delimiter: "\t",
      encoding: "utf-8",
      columns: ["from", "to", "type", "holder"],
    });
    const ranges = rows.map(({ from, to, type, holder }): RegisterRange => {
      if (![from, to].every((number) => /^\d{10}$/.test(number)) || from > to || holder === "") {
        throw new Error(`${file.name}: ${from} to ${to} of ${holder || "nobody"} isn't a range`);
      }
      const lineType = LINE_TYPES[type];
      if (lineType === undefined) throw new Error(`${file.name}: type ${type} is neither fixed nor mobile`);
      return { from: `52${from}`, to: `52${to}`, status: "assigned", holder, lineType };
    });
    const areaCodes = rows.map(
      ({ from }) => SHORT_AREA_CODES.find((code) => from.startsWith(code)) ?? from.slice(0, 3),
    );
    return {
      asOf: dateOf(file),
      rows: rows.length,
      covers: Array.from(new Set(areaCodes), (code) => `52${code}`),
      ranges,
    };
  },
};

const LINE_TYPES: Readonly<Record<string, LineType>> = { fixed: "fixed", mobile: "mobile" };

import type { CheckStore } from "../store.ts";
import type { Cell } from "../../../../../lists/cells.ts";

const closed = () => Promise.reject(new Error("closed"));
/** The store of a browser that keeps nothing. */
export const UNKEPT: CheckStore = { begin: closed, add: closed, load: closed, clear: closed };

/** A workbook with one sheet. */
export async function xlsx(rows: Cell[][], name = "Sheet"): Promise<Uint8Array<ArrayBuffer>> {
  const { writeXlsx } = await import("hucre/xlsx");
  return (await writeXlsx({ sheets: [{ name, rows }] })) as Uint8Array<ArrayBuffer>;
}

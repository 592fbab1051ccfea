import type { Cell } from "../cells.ts";

/** A workbook with one sheet. */
export async function xlsx(rows: Cell[][], name = "Sheet"): Promise<Uint8Array<ArrayBuffer>> {
  const { writeXlsx } = await import("hucre/xlsx");
  return (await writeXlsx({ sheets: [{ name, rows }] })) as Uint8Array<ArrayBuffer>;
}

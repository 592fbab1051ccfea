import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "results");

/** The middle value of a list that is not empty. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Prints a benchmark's rows and writes them to bench/results/NAME.json. */
export async function writeResult(name: string, rows: readonly object[]): Promise<void> {
  console.table(rows);
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, `${name}.json`), `${JSON.stringify(rows, null, 2)}\n`);
}

import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { exportLines } from "../../worker/backup/export.ts";
import { noRows } from "../../worker/backup/format.ts";
import type { RowCounts, RowType } from "../../worker/backup/format.ts";
import { importLines } from "../../worker/backup/import.ts";
import type { Database } from "../../worker/db.ts";

async function* serialize(documents: AsyncIterable<object>, counts: RowCounts): AsyncGenerator<string> {
  for await (const document of documents) {
    const { type } = document as { type: string };
    if (Object.hasOwn(counts, type)) counts[type as RowType] += 1;
    yield `${JSON.stringify(document)}\n`;
  }
}

/** A file that nobody else may read and that was not there before. */
async function createSecretFile(path: string) {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Error(`${path} is there already, and an export overwrites nothing.`, { cause: error });
  }
}

/**
 * Writes a backup of every account to a new file, which only its owner may read. It is deleted when the export fails.
 * @returns how many rows of each type it has
 */
export async function exportToFile(db: Database, path: string, now: number): Promise<RowCounts> {
  const file = await createSecretFile(path);
  const counts = noRows();
  try {
    await pipeline(Readable.from(serialize(exportLines(db, now), counts)), file.createWriteStream({ flush: true }));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return counts;
}

/** The lines of a file, ended by line feeds only: a name may hold what other readers take for the end of a line. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of createReadStream(path, { encoding: "utf8" })) {
    const lines = (rest + String(piece)).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Imports a backup from a file, as `importLines` does. */
export async function importFromFile(
  db: Database,
  path: string,
  options: { readonly now: number; readonly toContinue: boolean },
): Promise<RowCounts> {
  return importLines(db, () => linesOf(path), options);
}

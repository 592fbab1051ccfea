import type { D1PreparedStatement } from "@cloudflare/workers-types";
import type { Database } from "../db.ts";
import { failureText } from "../log.ts";
import { BackupError, columnsOf, noRows, ROW_TYPES, TABLES } from "./format.ts";
import type { BackupRow, RowCounts, RowType } from "./format.ts";
import { checkFile, chunksOf } from "./read.ts";
import type { NumberedRow, OpenLines } from "./read.ts";

/** How many rows a table has. */
async function countRows(db: Database, type: RowType): Promise<number> {
  return (await db.$client.prepare(`SELECT count(*) AS count FROM ${TABLES[type].table}`).first<number>("count"))!;
}

/** How many of these rows the database has as the file has them. */
async function countAlike(db: Database, type: RowType, rows: readonly BackupRow[]): Promise<number> {
  const { table, primaryKey } = TABLES[type];
  // An import raises the session epoch itself.
  const columns = columnsOf(type).filter((column) => column !== "session_epoch");
  const isKey = (column: string) => primaryKey.some((name) => name === column);
  const alike = columns.map((column) => `stored.${column} ${isKey(column) ? "=" : "IS"} value ->> '${column}'`);
  const query = `
    SELECT count(*) AS count FROM json_each(?1) CROSS JOIN ${table} AS stored WHERE ${alike.join(" AND ")}`;
  return (await db.$client.prepare(query).bind(JSON.stringify(rows)).first<number>("count"))!;
}

/** @throws BackupError when the database has accounts. */
async function requireEmpty(db: Database): Promise<void> {
  if ((await countRows(db, "account")) === 0) return;
  throw new BackupError(
    "The database has accounts already, and an import goes into an empty one. If an import of this very file broke off, take it up with --continue.",
  );
}

/** @throws BackupError, naming the table, when the database has a row that the file has not, or has otherwise. */
async function requirePartOf(db: Database, open: OpenLines): Promise<void> {
  const alike = noRows();
  for await (const chunk of chunksOf(open())) {
    for (const [type, rows] of byType(chunk)) alike[type] += await countAlike(db, type, rows);
  }
  for (const type of ROW_TYPES) {
    if ((await countRows(db, type)) === alike[type]) continue;
    throw new BackupError(
      `The table ${TABLES[type].table} has rows that the file has not, or has otherwise, so nothing was written. --continue goes on with the file that the import began with. Is this another one, or was the database in use?`,
    );
  }
}

/** The rows of a chunk, by type, in the order in which they can be written. */
function byType(chunk: readonly NumberedRow[]): (readonly [RowType, readonly BackupRow[]])[] {
  return ROW_TYPES.map(
    (type) => [type, chunk.filter(({ row }) => row.type === type).map(({ row }) => row)] as const,
  ).filter(([, rows]) => rows.length > 0);
}

function insertInto(db: Database, type: RowType, rows: readonly BackupRow[]): D1PreparedStatement {
  const { table, primaryKey } = TABLES[type];
  const columns = columnsOf(type);
  // Where the primary key is there, an earlier run has written the row. Any other conflict is an error.
  const query = `
    INSERT INTO ${table} (${columns.join(", ")})
    SELECT ${columns.map((column) => `value ->> '${column}'`).join(", ")} FROM json_each(?1) WHERE true
    ON CONFLICT (${primaryKey.join(", ")}) DO NOTHING`;
  return db.$client.prepare(query).bind(JSON.stringify(rows));
}

/** Writes rows that follow each other in the file: all of them or none. */
async function write(db: Database, chunk: readonly NumberedRow[]): Promise<void> {
  const statements = byType(chunk).map(([type, rows]) => insertInto(db, type, rows));
  try {
    await db.$client.batch(statements);
  } catch (error) {
    const [first, last] = [chunk[0]!.line, chunk.at(-1)!.line];
    throw new BackupError(
      `Lines ${first} to ${last} were not written, and none after them: ${failureText(error)}\nWhat stands before them is in the database. Import the same file again with --continue.`,
      { cause: error },
    );
  }
}

/** Higher than any epoch that the account has had, also since the backup was made: it ends every session. */
function endSessions(row: BackupRow, now: number): BackupRow {
  if (row.type !== "account") return row;
  return { ...row, session_epoch: Math.max(row.session_epoch + 1, Math.floor(now / 1000)) };
}

async function writeAll(db: Database, open: OpenLines, now: number): Promise<RowCounts> {
  const counts = noRows();
  for await (const chunk of chunksOf(open())) {
    await write(
      db,
      chunk.map((next) => ({ ...next, row: endSessions(next.row, now) })),
    );
    for (const { row } of chunk) counts[row.type] += 1;
  }
  return counts;
}

/** @throws BackupError when the database has not as many rows as the file. */
async function compareCounts(db: Database, counts: RowCounts): Promise<void> {
  for (const type of ROW_TYPES) {
    const found = await countRows(db, type);
    if (found !== counts[type]) {
      throw new BackupError(
        `Everything was written, but the table ${TABLES[type].table} has ${found} rows where the file has ${counts[type]}. Was the database in use, or is a row in the file twice?`,
      );
    }
  }
}

/**
 * Writes a backup into a database without accounts. The whole file is checked before the first row is written; then a thousand rows
 * at a time are written, all or none of them. After a break the same file can be imported again with `toContinue`: what is there
 * already has to be as the file has it, and stays. Sessions end; keys are left to `syncOutbox`, which tells KV of each.
 * @param now milliseconds since the Unix epoch
 * @returns how many rows of each type the file has
 * @throws BackupError
 */
export async function importLines(
  db: Database,
  open: OpenLines,
  { now, toContinue = false }: { readonly now: number; readonly toContinue?: boolean },
): Promise<RowCounts> {
  await checkFile(open());
  await (toContinue ? requirePartOf(db, open) : requireEmpty(db));
  const counts = await writeAll(db, open, now);
  await compareCounts(db, counts);
  return counts;
}

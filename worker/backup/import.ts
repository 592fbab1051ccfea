import type { D1PreparedStatement } from "@cloudflare/workers-types";
import type { Database } from "../db.ts";
import { failureText } from "../log.ts";
import { BackupError, columnsOf, noRows, readHeader, readLine, ROW_TYPES, TABLES } from "./format.ts";
import type { BackupRow, RowCounts, RowType } from "./format.ts";

/** Rows that are written together, and characters of JSON: D1 takes 2 MB as a parameter, and a character is 3 bytes at most. */
const CHUNK_ROWS = 1_000;
const CHUNK_LENGTH = 500_000;
/** Accounts of the database that are looked at together. */
const PAGE = 5_000;

/** Opens the lines of a file at its beginning: it is read twice. */
export type OpenLines = () => AsyncIterable<string>;

interface NumberedRow {
  readonly line: number;
  readonly row: BackupRow;
  readonly length: number;
}

/** The rows of a file; every line is checked on the way. */
async function* readRows(lines: AsyncIterable<string>): AsyncGenerator<NumberedRow> {
  const counts = noRows();
  let line = 0;
  let ended = false;
  for await (const text of lines) {
    line += 1;
    if (ended) throw new BackupError(`Line ${line}: there is something behind the end line.`);
    if (line === 1) {
      readHeader(text);
      continue;
    }
    const read = readLine(text, line);
    if (read.type !== "end") {
      counts[read.type] += 1;
      yield { line, row: read, length: text.length };
      continue;
    }
    ended = true;
    const wrong = ROW_TYPES.filter((type) => counts[type] !== read.rows[type]);
    if (wrong.length > 0) {
      throw new BackupError(`Line ${line}: the file has not as many lines as its end says of: ${wrong.join(", ")}.`);
    }
  }
  if (!ended) throw new BackupError(`The file breaks off after line ${line}: a whole backup has an end line.`);
}

/** The ids of a file's accounts. @throws BackupError at the first line that cannot be imported. */
async function checkFile(open: OpenLines): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { line, row } of readRows(open())) {
    if (row.type !== "account") {
      if (!ids.has(row.user_id)) throw new BackupError(`Line ${line}: this ${row.type} stands before its account.`);
    } else {
      if (ids.has(row.id)) throw new BackupError(`Line ${line}: there is an account of the same id before.`);
      ids.add(row.id);
    }
  }
  return ids;
}

/** @throws BackupError when the database has accounts, or, to be continued, any that are not in the file. */
async function checkDatabase(db: Database, ids: ReadonlySet<string>, toContinue: boolean): Promise<void> {
  const query = db.$client.prepare("SELECT id FROM users WHERE id > ?1 ORDER BY id LIMIT ?2");
  let after = "";
  for (;;) {
    const { results } = await query.bind(after, PAGE).all<{ id: string }>();
    if (results.length > 0 && !toContinue) {
      throw new BackupError(
        "The database has accounts already, and an import goes into an empty one. If an import of this very file broke off, take it up with --continue.",
      );
    }
    if (results.some(({ id }) => !ids.has(id))) {
      throw new BackupError("The database has accounts that are not in the file: this is no import to be continued.");
    }
    const last = results.at(-1);
    if (last === undefined || results.length < PAGE) return;
    after = last.id;
  }
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
  const statements = ROW_TYPES.flatMap((type) => {
    const rows = chunk.filter(({ row }) => row.type === type).map(({ row }) => row);
    return rows.length === 0 ? [] : [insertInto(db, type, rows)];
  });
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
  let chunk: NumberedRow[] = [];
  let length = 0;
  for await (const next of readRows(open())) {
    if (chunk.length === CHUNK_ROWS || length + next.length > CHUNK_LENGTH) {
      await write(db, chunk);
      [chunk, length] = [[], 0];
    }
    chunk.push({ ...next, row: endSessions(next.row, now) });
    length += next.length;
    counts[next.row.type] += 1;
  }
  if (chunk.length > 0) await write(db, chunk);
  return counts;
}

/** @throws BackupError when the database has not as many rows as the file. */
async function compareCounts(db: Database, counts: RowCounts): Promise<void> {
  for (const type of ROW_TYPES) {
    const found = await db.$client
      .prepare(`SELECT count(*) AS count FROM ${TABLES[type].table}`)
      .first<number>("count");
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
 * already stays as it is. Sessions end; keys are left to `syncOutbox`, which tells KV of each.
 * @param now milliseconds since the Unix epoch
 * @returns how many rows of each type the file has
 * @throws BackupError
 */
export async function importLines(
  db: Database,
  open: OpenLines,
  { now, toContinue = false }: { readonly now: number; readonly toContinue?: boolean },
): Promise<RowCounts> {
  const ids = await checkFile(open);
  await checkDatabase(db, ids, toContinue);
  const counts = await writeAll(db, open, now);
  await compareCounts(db, counts);
  return counts;
}

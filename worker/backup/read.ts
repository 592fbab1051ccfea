import { BackupError, noRows, readHeader, readLine, ROW_TYPES, TABLES } from "./format.ts";
import type { BackupRow } from "./format.ts";

/** Rows that are handled together, and characters of JSON: D1 takes 2 MB as a parameter, and a character is 3 bytes at most. */
const CHUNK_ROWS = 1_000;
const CHUNK_LENGTH = 500_000;

/** Opens the lines of a file at its beginning: it is read more than once. */
export type OpenLines = () => AsyncIterable<string>;

export interface NumberedRow {
  /** Its number in the file, from 1. */
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

/** The rows of a file in its order, as many at a time as D1 takes. */
export async function* chunksOf(lines: AsyncIterable<string>): AsyncGenerator<readonly NumberedRow[]> {
  let chunk: NumberedRow[] = [];
  let length = 0;
  for await (const next of readRows(lines)) {
    if (chunk.length === CHUNK_ROWS || length + next.length > CHUNK_LENGTH) {
      yield chunk;
      [chunk, length] = [[], 0];
    }
    chunk.push(next);
    length += next.length;
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * What no other row of the file may have, by column. Not of usage, of which there is the most and whose rows are counted at the end of
 * an import.
 */
function uniqueValues(row: BackupRow): readonly (readonly [column: string, value: string])[] {
  if (row.type === "usage") return [];
  const { primaryKey, unique } = TABLES[row.type];
  const values = row as unknown as Readonly<Record<string, string | null>>;
  return [...primaryKey, unique].flatMap((column) => {
    const value = column === null ? null : values[column];
    return value === null ? [] : [[column!, value!] as const];
  });
}

/** Reads a file to its end. @throws BackupError at the first line that cannot be imported. */
export async function checkFile(lines: AsyncIterable<string>): Promise<void> {
  const accounts = new Set<string>();
  const seen = new Map<string, number>();
  for await (const { line, row } of readRows(lines)) {
    if (row.type === "account") accounts.add(row.id);
    else if (!accounts.has(row.user_id)) {
      throw new BackupError(`Line ${line}: this ${row.type} stands before its account.`);
    }
    for (const [column, value] of uniqueValues(row)) {
      const name = `${row.type} ${column} ${value}`;
      const first = seen.get(name);
      if (first !== undefined)
        throw new BackupError(`Line ${line}: this ${row.type} has the ${column} of line ${first}.`);
      seen.set(name, line);
    }
  }
}

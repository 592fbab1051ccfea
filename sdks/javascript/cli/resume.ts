import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { resultRows } from "../../../lists/read/open-rows.ts";
import type { ListRow, OpenedList } from "../../../lists/read/open-rows.ts";
import { Unusable } from "../../../lists/unusable.ts";
import type { Layout } from "../../../lists/write/layout.ts";
import { InputError } from "./failure.ts";

/** The largest incomplete row at a result's end, in bytes. */
const MOST_INCOMPLETE = 4_000_000;

/** What an interrupted result has. */
interface Progress {
  /** The length of its complete rows from its start, in bytes; 0 if not even its header is complete. */
  readonly bytes: number;
  /** The list's row after those; null if there is none. */
  readonly next: ListRow | null;
}

/** The complete rows of a result, up to one that ends within a cell, a character, or without a line end. */
async function* completeRows(rows: AsyncIterator<ListRow>): AsyncGenerator<ListRow> {
  for (;;) {
    const { done, value } = await rows.next().catch((error: unknown) => {
      if (error instanceof Unusable) return { done: true, value: undefined } as const;
      throw error;
    });
    if (done === true || value.lineEnd === "") return;
    yield value;
  }
}

/**
 * Compares a result with its list, whose rows it reads as far as the result has them.
 * @param top what a result of the list begins with
 * @param width how many columns the list has
 * @param done called with each row that the result has, and our cells there
 * @throws InputError if it is the result of something else
 */
export async function progressOf(
  path: string,
  top: string,
  layout: Layout,
  { newline, rows }: OpenedList,
  width: number,
  done: (row: ListRow, cells: readonly string[]) => void,
): Promise<Progress> {
  const other = new InputError(`${path} isn’t a result of this list with these columns. Choose another --out.`);
  const handle = await open(path);
  const own = (row: ListRow) => layout.own(row) + layout.separator;
  /** Whether the file has this text at a position, or as much of it as there is before its end. */
  async function has(text: string, position: number): Promise<boolean> {
    const expected = Buffer.from(text);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(expected.length), 0, expected.length, position);
    return buffer.subarray(0, bytesRead).equals(expected.subarray(0, bytesRead));
  }
  try {
    const { size } = await handle.stat();
    if (!(await has(top, 0))) throw other;
    let bytes = Buffer.byteLength(top);
    if (size < bytes) return { bytes: 0, next: null };
    const marks = { separator: layout.separator, newline };
    for await (const { text, lineEnd, cells } of completeRows(
      resultRows(createReadStream(path, { start: bytes }), marks),
    )) {
      const { value } = await rows.next();
      if (value === undefined || !text.startsWith(own(value))) throw other;
      bytes += Buffer.byteLength(text + lineEnd);
      done(value, cells.slice(width) as string[]);
    }
    const next = (await rows.next()).value ?? null;
    const isCutOff = next !== null && size - bytes < MOST_INCOMPLETE && (await has(own(next), bytes));
    if (size > bytes && !isCutOff) throw other;
    return { bytes, next };
  } finally {
    await handle.close();
  }
}

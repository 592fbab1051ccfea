import type { Cell } from "../cells.ts";
import { Unusable } from "../unusable.ts";
import { plainText } from "../write/layout.ts";
import type { WrittenRow } from "../write/layout.ts";
import { fieldsOf } from "../../contract/csv.ts";
import { checkSize, isDocument, isWorkbook, readWorkbook, UNREADABLE } from "./read-file.ts";
import { formOf, readText, START } from "./read-text.ts";
import { createRowReader } from "./rows.ts";
import type { Marks } from "./rows.ts";
import type { Table } from "./table.ts";

/** The most characters of a row, so that a missing quotation mark doesn't read the whole file into memory. */
const MOST_CHARACTERS = 1_000_000;

/** A row of a list, with what ended it: nothing at a text's end without one. */
export interface ListRow extends WrittenRow {
  readonly lineEnd: string;
}

/** A list whose rows can be read once. Of a table in a text file, no more than a row at a time is in memory. */
export interface OpenedList extends Marks {
  /** What its text begins with, before the first row: a mark of UTF-8, and Excel's line about the separator. */
  readonly prefix: string;
  /** The first row's line end. */
  readonly lineEnd: string;
  readonly rows: AsyncGenerator<ListRow>;
}

/** Items read ahead, then the others. */
export async function* chain<Item>(first: Iterable<Item>, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* first;
  yield* rest;
}

/** The encoding and mark of a file that starts with these bytes. */
function encodingOf([first, second, third]: Uint8Array): { readonly encoding: string; readonly hasMark: boolean } {
  if (first === 0xff && second === 0xfe) return { encoding: "utf-16le", hasMark: false };
  if (first === 0xfe && second === 0xff) return { encoding: "utf-16be", hasMark: false };
  return { encoding: "utf-8", hasMark: first === 0xef && second === 0xbb && third === 0xbf };
}

function decoderFor(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false });
  } catch {
    throw new Unusable(`There is no encoding “${encoding}”. Try utf-8, utf-16le, windows-1252, or shift_jis.`);
  }
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = decoderFor(encoding);
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Unusable(
      `The file isn’t ${encoding.toUpperCase()}. Save it as “CSV UTF-8”, or pass its encoding, such as --encoding windows-1252.`,
    );
  }
}

async function* rowsOf(texts: AsyncIterable<string>, marks: Marks): AsyncGenerator<ListRow> {
  const read = createRowReader(marks);
  let unread = 0;
  for await (const text of texts) {
    unread += text.length;
    for (const row of read(text, false)) {
      unread = 0;
      yield row;
    }
    if (unread > MOST_CHARACTERS) {
      throw new Unusable("A row is longer than a million characters. A quotation mark may never be closed.");
    }
  }
  yield* read("", true);
}

/** A table in memory as a list: what isn't in a text file is written as CSV. */
function listOf({ rows }: Table): OpenedList {
  const text = (cells: readonly Cell[]) => fieldsOf(cells.map(plainText));
  async function* all(): AsyncGenerator<ListRow> {
    for (const cells of rows) yield { text: text(cells), lineEnd: "\n", cells };
  }
  return { prefix: "", separator: ",", newline: "\n", lineEnd: "\n", rows: all() };
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    checkSize(size);
    parts.push(part);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The rows of a text of which all is known, such as a result. @throws Unusable when it ends within quotation marks */
export function resultRows(bytes: AsyncIterable<Uint8Array>, marks: Marks): AsyncGenerator<ListRow> {
  return rowsOf(decoded(bytes, "utf-8"), marks);
}

/**
 * Opens a list of any kind.
 * @param encoding as `TextDecoder` names it; by default UTF-8, or UTF-16 with its mark
 * @param sheet the name of a workbook's sheet; null for its first
 * @throws Unusable, here and while reading
 */
export async function openRows(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  { encoding: given, sheet = null }: { readonly encoding?: string | undefined; readonly sheet?: string | null } = {},
): Promise<OpenedList> {
  const source = bytes[Symbol.asyncIterator]();
  const first = (await source.next()) as IteratorResult<Uint8Array, undefined>;
  const start = first.value ?? new Uint8Array();
  const all = chain(first.done === true ? [] : [start], { [Symbol.asyncIterator]: () => source });
  if (isWorkbook(start)) {
    if (given !== undefined) throw new Unusable("--encoding is for text files; a workbook has none.");
    return listOf(await readWorkbook(await whole(all), sheet));
  }
  if (sheet !== null) throw new Unusable("--sheet is for workbooks; this file has no sheets.");
  if (isDocument(start, name)) throw new Unusable(UNREADABLE);
  const { encoding, hasMark } = encodingOf(start);
  const texts = decoded(all, given ?? encoding);
  let text = "";
  let isWhole = false;
  while (text.length < START && !isWhole) {
    const { done, value } = await texts.next();
    if (done === true) isWhole = true;
    else text += value;
  }
  if (text.includes("\0")) {
    throw new Unusable("This isn’t a text file, or it is UTF-16 without a mark. Try --encoding utf-16le.");
  }
  const form = formOf(text.slice(0, START), isWhole && text.length <= START);
  if (form.kind !== "rows") {
    for await (const more of texts) {
      text += more;
      checkSize(text.length);
    }
    return listOf(readText(text));
  }
  const { separatorLine, separator, newline } = form;
  const rows = rowsOf(chain([text.slice(separatorLine.length)], texts), form);
  const { value: top } = (await rows.next()) as IteratorResult<ListRow, undefined>;
  const lineEnd = top?.lineEnd || "\n";
  return {
    prefix: (hasMark ? "\uFEFF" : "") + separatorLine,
    separator,
    newline,
    lineEnd,
    rows: chain(top === undefined ? [] : [top], rows),
  };
}

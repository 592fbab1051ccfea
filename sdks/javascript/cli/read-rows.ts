import Papa from "papaparse";
import {
  newlineIn,
  NO_SEPARATOR,
  SEPARATOR_LINE,
  separatorOf,
  withoutParameters,
  withParameters,
} from "../../../lists/read/separator.ts";
import { InputError } from "./failure.ts";

/** The most characters of a row, so that a missing quotation mark doesn't read the whole file into memory. */
const MOST_CHARACTERS = 1_000_000;
/** How much of a file decides on its separator and line ends, in characters. */
const START = 100_000;

/** A row of a text file. */
export interface Row {
  /** As it is written, without its line end. */
  readonly text: string;
  /** Empty if the file ends without one. */
  readonly lineEnd: string;
  readonly cells: readonly string[];
  /** From 1, in the file. */
  readonly place: number;
}

/** An opened text file: its rows can be read once. */
export interface TextFile {
  /** UTF-8 with its mark, by which Excel recognizes it. */
  readonly hasMark: boolean;
  /** Excel's line that names the separator, with its line end; empty without one. */
  readonly separatorLine: string;
  readonly separator: string;
  /** What ends a row; a carriage return may precede it. */
  readonly newline: "\n" | "\r";
  /** The first row's line end. */
  readonly lineEnd: string;
  readonly rows: AsyncGenerator<Row>;
}

/** The encoding and mark of a file that starts with these bytes. @throws InputError for a workbook */
function encodingOf(start: Uint8Array): { readonly encoding: string; readonly hasMark: boolean } {
  const [first, second, third, fourth] = start;
  const isZip = first === 0x50 && second === 0x4b && third === 3 && fourth === 4;
  if (isZip || (first === 0xd0 && second === 0xcf)) {
    throw new InputError("This is a workbook, not a text file. Save it as “CSV UTF-8”.");
  }
  if (first === 0xff && second === 0xfe) return { encoding: "utf-16le", hasMark: false };
  if (first === 0xfe && second === 0xff) return { encoding: "utf-16be", hasMark: false };
  return { encoding: "utf-8", hasMark: first === 0xef && second === 0xbb && third === 0xbf };
}

function decoderFor(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false });
  } catch {
    throw new InputError(`There is no encoding “${encoding}”. Try utf-8, utf-16le, windows-1252, or shift_jis.`);
  }
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = decoderFor(encoding);
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InputError(
      `The file isn’t ${encoding.toUpperCase()}. Save it as “CSV UTF-8”, or pass its encoding, such as --encoding windows-1252.`,
    );
  }
}

/** Each line with its line end. */
async function* linesOf(texts: AsyncIterable<string>, newline: "\n" | "\r"): AsyncGenerator<string> {
  let text = "";
  for await (const more of texts) {
    text += more;
    let from = 0;
    for (let at = text.indexOf(newline); at !== -1; at = text.indexOf(newline, from)) {
      yield text.slice(from, at + 1);
      from = at + 1;
    }
    text = text.slice(from);
    if (text.length > MOST_CHARACTERS) throw new InputError("A line is longer than a million characters.");
  }
  if (text !== "") yield text;
}

interface Parsed {
  readonly cells: readonly string[];
  /** A quotation mark is still open. */
  readonly isOpen: boolean;
  /** The parser searched for a closing quotation mark beyond the end of the cell. */
  readonly isMisquoted: boolean;
}

function parse(text: string, delimiter: string): Parsed {
  const { data, errors } = Papa.parse<string[]>(withoutParameters(text), { delimiter, newline: "\n" });
  return {
    cells: data.length === 0 ? [""] : data[0]!.map(withParameters),
    isOpen: errors.some(({ code }) => code === "MissingQuotes"),
    isMisquoted: errors.some(({ code }) => code === "InvalidQuotes"),
  };
}

async function* rowsOf(lines: AsyncIterable<string>, separator: string): AsyncGenerator<Row> {
  let written = "";
  let place = 1;
  let isOpen = false;
  const unclosed = () => new InputError(`A quotation mark in row ${place} is never closed.`);
  for await (const line of lines) {
    written += line;
    if (written.length > MOST_CHARACTERS) throw unclosed();
    // Only a quotation mark closes one.
    if (isOpen && !line.includes('"')) continue;
    const text = written.replace(/(?:\r?\n|\r)$/, "");
    const parsed = parse(text, separator);
    ({ isOpen } = parsed);
    if (isOpen) continue;
    if (parsed.isMisquoted && parsed.cells.some((cell) => /[\r\n]/.test(cell))) {
      throw new InputError(`A quotation mark in row ${place} isn’t closed where its cell ends.`);
    }
    yield { text, lineEnd: written.slice(text.length), cells: parsed.cells, place };
    written = "";
    place += 1;
  }
  if (isOpen) throw unclosed();
}

/** Items read ahead, then the others. */
export async function* chain<Item>(first: Iterable<Item>, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* first;
  yield* rest;
}

/** The rows of a result, of which everything is known. @throws InputError when it ends within a row's quotation marks */
export function resultRows(
  bytes: AsyncIterable<Uint8Array>,
  { separator, newline }: Pick<TextFile, "separator" | "newline">,
): AsyncGenerator<Row> {
  return rowsOf(linesOf(decoded(bytes, "utf-8"), newline), writtenSeparator(separator));
}

/**
 * Opens a text file, holding no more of it in memory than a row and what the source reads at a time.
 * @param given the encoding, as `TextDecoder` names it; by default UTF-8, or UTF-16 with its mark
 * @throws InputError, here and while reading
 */
export async function openRows(bytes: AsyncIterable<Uint8Array>, given: string | undefined): Promise<TextFile> {
  const source = bytes[Symbol.asyncIterator]();
  const first = (await source.next()) as IteratorResult<Uint8Array, undefined>;
  const all = chain(first.value === undefined ? [] : [first.value], { [Symbol.asyncIterator]: () => source });
  const { encoding, hasMark } = encodingOf(first.value ?? new Uint8Array());
  const texts = decoded(all, given ?? encoding);
  let start = "";
  while (start.length < START) {
    const { done, value } = await texts.next();
    if (done === true) break;
    start += value;
  }
  if (start.includes("\0")) {
    throw new InputError("This isn’t a text file, or it is UTF-16 without a mark. Try --encoding utf-16le.");
  }
  const [separatorLine = "", named] = SEPARATOR_LINE.exec(start) ?? [];
  const body = start.slice(separatorLine.length);
  const separator = named ?? separatorOf(withoutParameters(body));
  const newline = newlineIn(start);
  const lineEnd = /\r\n|\r|\n/.exec(start)?.[0] ?? "\n";
  const rows = rowsOf(linesOf(chain([body], texts), newline), separator);
  return { hasMark, separatorLine, separator, newline, lineEnd, rows };
}

/** What separates cells in a result. */
export function writtenSeparator(separator: string): string {
  return separator === NO_SEPARATOR ? "," : separator;
}

/** Cells as a part of a row. */
export function fieldsOf(cells: readonly unknown[], separator: string): string {
  return Papa.unparse([cells.map((cell) => (cell === null ? "" : String(cell)))], { delimiter: separator });
}

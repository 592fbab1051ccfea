const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_64_LOCATOR = 0x07064b50;
const ZIP64_EXTRA = 1;
/** A 32-bit field whose value is in a ZIP64 record. */
const ELSEWHERE = 0xffff_ffff;
const DEFLATED = 8;
/** The packed size of nothing. */
const EMPTY = 2;
/** The most that deflate shrinks anything. */
const MOST_DEFLATED = 1032;
/** Where the end record can begin: it is 22 bytes, then a comment of up to 65,535. */
const END_BYTES = 22;
const LONGEST_END = END_BYTES + 65_535;

function position64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

/** The number of entries in a zip file's directory, and where it begins. @throws Error if there is none */
function directoryOf(view: DataView): { count: number; at: number } {
  let end = view.byteLength - END_BYTES;
  while (view.getUint32(end, true) !== END) {
    end -= 1;
    if (end < view.byteLength - LONGEST_END) throw new Error("There is no end record.");
  }
  const count = view.getUint16(end + 10, true);
  const at = view.getUint32(end + 16, true);
  const isElsewhere = count === 0xffff || at === ELSEWHERE || view.getUint32(end + 12, true) === ELSEWHERE;
  if (!isElsewhere) return { count, at };
  if (view.getUint32(end - 20, true) !== END_64_LOCATOR) throw new Error("There is no ZIP64 locator.");
  const record = position64(view, end - 12);
  return { count: position64(view, record + 32), at: position64(view, record + 48) };
}

/** The size in a directory entry's ZIP64 record, its first field. @throws Error if there is none */
function size64(view: DataView, from: number, length: number): number {
  for (let at = from; at + 4 <= from + length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) === ZIP64_EXTRA) return position64(view, at + 4);
  }
  throw new Error("An entry has no size.");
}

/** An entry of a zip file. Sizes and places are in bytes. */
export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  readonly packed: number;
  readonly isDeflated: boolean;
  /** Where its local header begins. */
  readonly at: number;
}

/**
 * A zip file's entries, with their unpacked sizes as its directory states them: the reader of workbooks rejects an
 * entry that is larger. One without a size counts as the most that it can contain.
 * @throws Error for what isn't a zip file
 */
export function entriesOf(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { count, at: start } = directoryOf(view);
  const entries: ZipEntry[] = [];
  for (let at = start; entries.length < count;) {
    if (view.getUint32(at, true) !== ENTRY) throw new Error("The directory is broken.");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const [packed, stated] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    const extra = at + 46 + nameLength!;
    let size = stated === ELSEWHERE ? size64(view, extra, extraLength!) : stated;
    // Zero means unknown to the reader, which then takes the packed size from elsewhere in the file if that is zero too.
    const isDeflated = view.getUint16(at + 10, true) === DEFLATED;
    if (size === 0 && isDeflated && packed !== EMPTY) {
      size = MOST_DEFLATED * (packed || bytes.length);
    }
    const name = new TextDecoder().decode(bytes.subarray(at + 46, extra));
    entries.push({
      name,
      size: Math.max(size, packed === ELSEWHERE ? 0 : packed),
      packed,
      isDeflated,
      at: view.getUint32(at + 42, true),
    });
    at = extra + extraLength! + commentLength!;
  }
  return entries;
}

/** What an entry has, unpacked, in parts. Nothing if it is elsewhere than its directory says, which its reader rejects. */
export async function* unpacked(bytes: Uint8Array, { at, packed, isDeflated }: ZipEntry): AsyncGenerator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const from = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const content = bytes.slice(from, from + packed);
  if (!isDeflated) return yield content;
  const reader = new Blob([content]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

import { brotliDecompressSync } from "node:zlib";

/**
 * The binary table of longest-prefix matches that `npm run data` writes and this module reads.
 *
 * A prefix covers an interval of positions. A position is a digit string written in base 11, `width` places long: symbol
 * 0 means "the number ends here" and 1 to 10 are the digits, so a number shorter than a prefix lies before that prefix's
 * interval and cannot hit it, which padding with zeros would allow. Intervals are disjoint, in order and without holes;
 * neighbours with one text are merged.
 *
 * The first SHARD_PLACES places are an interval's place, and a shard has the intervals of some places in a row. Each shard is compressed
 * apart and opened when a number is first looked up in it; of an opened one, the blocks of BLOCK_INTERVALS that numbers are in are read.
 *
 * Layout, little endian: u32 magic, u8 format, u8 width, u16 bytes of the data version, u32 bytes in all, u16 number of shards, u16 number
 * of steps; the data version; the steps, f64: how far an interval may start from the one before it; for each shard u16 its first
 * place, u32 its bytes and u32 those of its content; then the shards, compressed with Brotli. A shard's content is u32 intervals, u32
 * bytes of starts, u32 bytes of values, u32 texts, u32 bytes of endings, and
 * - for each block f64 where it starts, u32 the byte of its first start, u32 that of its first value, u32 texts used before it
 * - starts: per interval the number of its step in a byte, or OTHER_STEP and the step, seven bits a byte
 * - values: per interval 0 for no text, 1 for the next text that was not used before, else 2 + the number of a text
 * - how texts end: per text in a byte the number of its ending, or 0 for none
 * - endings (", Bavaria"), each with TEXT_END after it, in UTF-8
 * - texts without their endings, in the order in which the intervals first use them, each with TEXT_END after it
 */
export const TABLE_MAGIC = 0x54504c43; // "CLPT"
export const TABLE_FORMAT = 3;
export const HEADER_BYTES = 16;
export const SHARD_ENTRY_BYTES = 10;
export const SHARD_HEADER_BYTES = 20;
export const BLOCK_HEAD_BYTES = 20;
export const SHARD_PLACES = 2;
export const BLOCK_INTERVALS = 512;
/** In place of a step's number. */
export const OTHER_STEP = 255;
/** Bytes from here on are the first of two, and LONG_VALUE of three. */
export const TWO_BYTE_VALUES = 224;
export const LONG_VALUE = 255;
export const TEXT_END = "\0";
/** 11^15 is the last power of 11 that a double holds exactly, and E.164 numbers have at most 15 digits. */
export const MAX_PREFIX_DIGITS = 15;

export interface PrefixTable {
  /** The libphonenumber release that the texts are from, for example "9.0.27". */
  readonly version: string;
  /** Digits of the longest prefix. Digits of a number beyond it do not matter. */
  readonly width: number;
  /**
   * The text of the longest prefix that `digits` starts with; null when no prefix fits or the one that fits has no text.
   * Throws a RangeError when one of the digits that matter is not 0 to 9, and an Error when the table is damaged.
   */
  lookup(digits: string): string | null;
}

/** Intervals in a row. */
interface Block {
  /** Positions in the shard. */
  readonly starts: Float64Array;
  /** The number of the text plus one, 0 for none. */
  readonly values: Uint32Array;
}

interface Shard {
  /** Positions in the shard. */
  readonly blockStarts: Float64Array;
  /** Those that have been read. */
  readonly blocks: readonly Block[];
  readonly texts: readonly string[];
  readBlock(index: number): Block;
  readText(number: number): string;
}

interface Packed {
  readonly firstPlace: number;
  readonly bytes: Uint8Array;
  readonly contentBytes: number;
}

interface Header {
  readonly width: number;
  readonly dataVersion: string;
  readonly steps: Float64Array;
  /** By their first places, in order. */
  readonly shards: readonly Packed[];
}

/** Where digits are in a table of this width: an integer from 0 to 11^width - 1. Digits beyond the width are dropped. */
export function toPosition(digits: string, width: number): number {
  const given = Math.min(digits.length, width);
  let position = 0;
  for (let i = 0; i < given; i++) {
    const digit = digits.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) throw new RangeError("A prefix lookup takes digits only");
    position = position * 11 + digit + 1;
  }
  return given < width ? position * 11 ** (width - given) : position;
}

/** Opens a table that `npm run data` wrote. Throws an Error that says what is wrong with any other buffer. */
export function openPrefixTable(buffer: ArrayBuffer): PrefixTable {
  const { width, dataVersion, steps, shards } = readHeader(buffer);
  const shardPositions = 11 ** (width - SHARD_PLACES);
  const opened: Shard[] = [];

  // By place, the shard that it is in; -1 before the first.
  const shardOf = new Int16Array(11 ** SHARD_PLACES).fill(-1);
  for (const [index, { firstPlace }] of shards.entries()) shardOf.fill(index, firstPlace);

  return {
    version: dataVersion,
    width,
    lookup(digits) {
      const position = toPosition(digits, width);
      const index = shardOf[Math.floor(position / shardPositions)]!;
      if (index < 0) return null;
      const shard = opened[index] ?? (opened[index] = openShard(shards[index]!, steps));
      const inShard = position - shards[index]!.firstPlace * shardPositions;
      const blockIndex = lastAtOrBefore(shard.blockStarts, inShard);
      const { starts, values } = shard.blocks[blockIndex] ?? shard.readBlock(blockIndex);
      const value = values[lastAtOrBefore(starts, inShard)]!;
      return value === 0 ? null : (shard.texts[value - 1] ?? shard.readText(value - 1));
    },
  };
}

/** The shortest digits of each interval of a table, in order: what `lookup` says changes at these and nowhere else. For scripts. */
export function boundariesOf(buffer: ArrayBuffer): string[] {
  const { width, steps, shards } = readHeader(buffer);
  const boundaries: string[] = [];
  let text: string | null = null;
  for (const packed of shards) {
    const shard = openShard(packed, steps);
    for (const index of shard.blockStarts.keys()) {
      const { starts, values } = shard.readBlock(index);
      for (const [interval, start] of starts.entries()) {
        const value = values[interval]!;
        // A shard begins where the one before it ends, with the same text perhaps.
        const found = value === 0 ? null : shard.readText(value - 1);
        if (found !== text) boundaries.push(toPrefix(packed.firstPlace * 11 ** (width - SHARD_PLACES) + start, width));
        text = found;
      }
    }
  }
  return boundaries;
}

/** The digits at a position; the opposite of toPosition. */
function toPrefix(position: number, width: number): string {
  let digits = "";
  for (let rest = position, place = 11 ** (width - 1); rest > 0; place /= 11) {
    digits += Math.floor(rest / place) - 1;
    rest %= place;
  }
  return digits;
}

function readHeader(buffer: ArrayBuffer): Header {
  if (buffer.byteLength < HEADER_BYTES) throw damaged(`${buffer.byteLength} bytes are too few for a header`);
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== TABLE_MAGIC) throw damaged("it does not start with CLPT");
  const format = view.getUint8(4);
  if (format !== TABLE_FORMAT) throw damaged(`its format is ${format}, this reader knows ${TABLE_FORMAT}`);
  const total = view.getUint32(8, true);
  if (total !== buffer.byteLength) throw damaged(`${total} bytes were written, ${buffer.byteLength} are there`);
  const width = view.getUint8(5);
  if (width < SHARD_PLACES || width > MAX_PREFIX_DIGITS) throw damaged(`prefixes of ${width} digits`);
  const stepsAt = HEADER_BYTES + view.getUint16(6, true);
  const directory = stepsAt + view.getUint16(14, true) * Float64Array.BYTES_PER_ELEMENT;
  const count = view.getUint16(12, true);
  let end = directory + count * SHARD_ENTRY_BYTES;
  if (end > total) throw damaged("a section reaches past its end");
  const dataVersion = new TextDecoder().decode(new Uint8Array(buffer, HEADER_BYTES, stepsAt - HEADER_BYTES));
  // A copy, because numbers of a view begin at a multiple of their bytes. Machines that run JavaScript are little endian.
  const steps = new Float64Array(buffer.slice(stepsAt, directory));
  const shards: Packed[] = [];
  for (let entry = directory; shards.length < count; entry += SHARD_ENTRY_BYTES) {
    const firstPlace = view.getUint16(entry, true);
    const bytes = view.getUint32(entry + 2, true);
    if (firstPlace >= 11 ** SHARD_PLACES || firstPlace <= (shards.at(-1)?.firstPlace ?? -1))
      throw damaged(`a shard at ${firstPlace}`);
    if (end + bytes > total) throw damaged("a section reaches past its end");
    shards.push({
      firstPlace,
      bytes: new Uint8Array(buffer, end, bytes),
      contentBytes: view.getUint32(entry + 6, true),
    });
    end += bytes;
  }
  if (end !== total) throw damaged("the sections do not fill it");
  return { width, dataVersion, steps, shards };
}

function unpack({ bytes, contentBytes }: Packed): Uint8Array {
  let content: Uint8Array;
  try {
    // Without maxOutputLength: given the exact length, workerd refuses some shards ("Memory limit exceeded").
    content = brotliDecompressSync(bytes);
  } catch (cause) {
    throw damaged("a shard cannot be unpacked", cause);
  }
  if (content.length !== contentBytes) throw damaged("a shard has another length");
  if (contentBytes < SHARD_HEADER_BYTES) throw damaged("a shard is too short");
  return content;
}

// Numbers are written out rather than read through functions: this runs once, before anything is compiled.
function openShard(packed: Packed, steps: Float64Array): Shard {
  const content = unpack(packed);
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const intervals = view.getUint32(0, true);
  const textCount = view.getUint32(12, true);
  const blockCount = Math.ceil(intervals / BLOCK_INTERVALS);
  const startsAt = SHARD_HEADER_BYTES + blockCount * BLOCK_HEAD_BYTES;
  const valuesAt = startsAt + view.getUint32(4, true);
  const endsAt = valuesAt + view.getUint32(8, true);
  const endingsAt = endsAt + textCount;
  const textsAt = endingsAt + view.getUint32(16, true);
  // Each interval has a byte of values at least.
  if (textsAt > content.length || intervals > endsAt - valuesAt) throw damaged("a shard is miscounted");
  const blockStarts = new Float64Array(blockCount);
  for (let block = 0; block < blockCount; block++)
    blockStarts[block] = view.getFloat64(SHARD_HEADER_BYTES + block * BLOCK_HEAD_BYTES, true);
  if (blockStarts[0] !== 0) throw damaged("a shard's blocks are miscounted");
  const endings = textsIn(content.subarray(endingsAt, textsAt));
  const names = textsIn(content.subarray(textsAt));
  if (names.length !== textCount) throw damaged("its texts are miscounted");
  const blocks: Block[] = [];
  const texts: string[] = [];

  function readBlock(index: number): Block {
    const head = SHARD_HEADER_BYTES + index * BLOCK_HEAD_BYTES;
    const count = Math.min(BLOCK_INTERVALS, intervals - index * BLOCK_INTERVALS);
    const starts = new Float64Array(count);
    const values = new Uint32Array(count);
    const first = blockStarts[index]!;
    let start = first;
    let at = startsAt + view.getUint32(head + 8, true);
    for (let interval = 0; interval < count; interval++) {
      let step = steps[content[at]!]!;
      if (content[at++] === OTHER_STEP) {
        step = 0;
        for (let scale = 1, byte = 128; byte > 127; scale *= 128) {
          byte = content[at++]!;
          step += (byte & 127) * scale;
        }
      }
      // The first of a block is where its head says.
      if (interval > 0) start += step;
      starts[interval] = start;
    }
    let used = view.getUint32(head + 16, true);
    at = valuesAt + view.getUint32(head + 12, true);
    for (let interval = 0; interval < count; interval++) {
      let value = content[at++]!;
      if (value === LONG_VALUE) value = content[at++]! * 256 + content[at++]!;
      else if (value >= TWO_BYTE_VALUES) value = TWO_BYTE_VALUES + (value - TWO_BYTE_VALUES) * 256 + content[at++]!;
      if (value === 1) used++;
      const number = value === 0 ? 0 : value === 1 ? used : value - 1;
      if (number > used) throw damaged("an interval points outside the table");
      values[interval] = number;
    }
    if (!(start >= first) || used > textCount || at > endsAt) throw damaged("a block is miscounted");
    return (blocks[index] = { starts, values });
  }

  return {
    blockStarts,
    blocks,
    texts,
    readBlock,
    readText: (number) => (texts[number] = names[number]! + (endings[content[endsAt + number]! - 1] ?? "")),
  };
}

function textsIn(bytes: Uint8Array): string[] {
  try {
    const texts = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).split(TEXT_END);
    // After the last end.
    texts.pop();
    return texts;
  } catch (cause) {
    throw damaged("a text is not UTF-8", cause);
  }
}

function lastAtOrBefore(starts: Float64Array, target: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= target) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function damaged(what: string, cause?: unknown): Error {
  return new Error(`Not a usable prefix table: ${what}`, { cause });
}

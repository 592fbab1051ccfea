import { brotliDecompressSync } from "node:zlib";

/**
 * The binary table of longest-prefix matches that `npm run data` writes and this module reads.
 *
 * A prefix covers an interval of positions. A position is a digit string written in base 11, `width` places long: symbol
 * 0 means "the number ends here" and 1 to 10 are the digits, so a number shorter than a prefix lies before that prefix's
 * interval and cannot hit it, which padding with zeros would allow. Intervals are disjoint, in order and without holes;
 * neighbours with one text are merged.
 *
 * The first SHARD_PLACES places say in which shard an interval is. Each shard is compressed apart and opened when a number is first
 * looked up in it: an isolate needs few of them before it is recycled.
 *
 * Layout, little endian: u32 magic, u8 format, u8 width, u16 bytes of the data version, u32 bytes in all, u16 number of shards; the
 * data version; for each shard u16 its place, u32 its bytes and u32 those of its content; then the shards, compressed with Brotli.
 * A shard's content is u32 intervals, u32 bytes of positions, u32 bytes of values, and
 * - positions: per interval a varint: its first position in the shard less that of the interval before
 * - values: per interval a varint: 0 for no text, 1 for the next text that was not used before, else 2 + the number of a text
 * - texts, in the order in which the intervals first use them, each with TEXT_END after it, in UTF-8
 */
export const TABLE_MAGIC = 0x54504c43; // "CLPT"
export const TABLE_FORMAT = 2;
export const HEADER_BYTES = 14;
export const SHARD_ENTRY_BYTES = 10;
export const SHARD_HEADER_BYTES = 12;
export const SHARD_PLACES = 2;
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

/** The intervals of a shard: where each starts, and its text. */
interface Shard {
  readonly starts: Float64Array;
  /** The number of the text in `texts` plus one, 0 for none. */
  readonly values: Uint32Array;
  readonly texts: readonly string[];
}

interface Packed {
  readonly bytes: Uint8Array;
  readonly contentBytes: number;
}

interface Header {
  readonly width: number;
  readonly dataVersion: string;
  /** By their places. */
  readonly shards: ReadonlyMap<number, Packed>;
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
  const { width, dataVersion, shards } = readHeader(buffer);
  const shardPositions = 11 ** (width - SHARD_PLACES);
  const opened: Shard[] = [];

  function open(place: number): Shard | null {
    const packed = shards.get(place);
    return packed === undefined ? null : (opened[place] = openShard(packed));
  }

  return {
    version: dataVersion,
    width,
    lookup(digits) {
      const position = toPosition(digits, width);
      const place = Math.floor(position / shardPositions);
      const shard = opened[place] ?? open(place);
      if (shard === null) return null;
      const { starts, values, texts } = shard;
      const value = values[lastAtOrBefore(starts, position - place * shardPositions)]!;
      return value === 0 ? null : texts[value - 1]!;
    },
  };
}

/** The shortest digits of each interval of a table, in order: what `lookup` says changes at these and nowhere else. For scripts. */
export function boundariesOf(buffer: ArrayBuffer): string[] {
  const { width, shards } = readHeader(buffer);
  const boundaries: string[] = [];
  let text: string | null = null;
  for (let place = 0; place < 11 ** SHARD_PLACES; place++) {
    const packed = shards.get(place);
    const { starts, values, texts } = packed === undefined ? NOTHING : openShard(packed);
    for (const [interval, start] of starts.entries()) {
      // A shard begins where the one before it ends, with the same text perhaps.
      const found = texts[values[interval]! - 1] ?? null;
      if (found !== text) boundaries.push(toPrefix(place * 11 ** (width - SHARD_PLACES) + start, width));
      text = found;
    }
  }
  return boundaries;
}

const NOTHING: Shard = { starts: Float64Array.of(0), values: Uint32Array.of(0), texts: [] };

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
  const directory = HEADER_BYTES + view.getUint16(6, true);
  const count = view.getUint16(12, true);
  let end = directory + count * SHARD_ENTRY_BYTES;
  if (end > total) throw damaged("a section reaches past its end");
  const dataVersion = new TextDecoder().decode(new Uint8Array(buffer, HEADER_BYTES, directory - HEADER_BYTES));
  const shards = new Map<number, Packed>();
  for (let entry = directory; shards.size < count; entry += SHARD_ENTRY_BYTES) {
    const place = view.getUint16(entry, true);
    const bytes = view.getUint32(entry + 2, true);
    if (place >= 11 ** SHARD_PLACES || shards.has(place)) throw damaged(`a shard at ${place}`);
    if (end + bytes > total) throw damaged("a section reaches past its end");
    const contentBytes = view.getUint32(entry + 6, true);
    shards.set(place, { bytes: new Uint8Array(buffer, end, bytes), contentBytes });
    end += bytes;
  }
  if (end !== total) throw damaged("the sections do not fill it");
  return { width, dataVersion, shards };
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

// Numbers are written out rather than read through a function: this runs once, before anything is compiled.
function openShard(packed: Packed): Shard {
  const content = unpack(packed);
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const intervals = view.getUint32(0, true);
  const positionsEnd = SHARD_HEADER_BYTES + view.getUint32(4, true);
  const valuesEnd = positionsEnd + view.getUint32(8, true);
  // Each interval has a byte of values at least.
  if (valuesEnd > content.length || intervals > valuesEnd - positionsEnd) throw damaged("a shard is miscounted");
  const starts = new Float64Array(intervals);
  const values = new Uint32Array(intervals);
  let at = SHARD_HEADER_BYTES;
  let start = 0;
  for (let interval = 0; interval < intervals; interval++) {
    for (let scale = 1, byte = 128; byte > 127; scale *= 128) {
      byte = content[at++]!;
      start += (byte & 127) * scale;
    }
    starts[interval] = start;
  }
  if (at !== positionsEnd || starts[0] !== 0) throw damaged("a shard's positions are miscounted");
  let used = 0;
  for (let interval = 0; interval < intervals; interval++) {
    let value = 0;
    for (let shift = 0, byte = 128; byte > 127; shift += 7) {
      byte = content[at++]!;
      value |= (byte & 127) << shift;
    }
    if (value === 1) used++;
    values[interval] = value === 0 ? 0 : value === 1 ? used : value - 1;
    if (values[interval]! > used) throw damaged("an interval points outside the table");
  }
  if (at !== valuesEnd) throw damaged("a shard's values are miscounted");
  const texts = textsIn(content.subarray(valuesEnd));
  if (texts.length !== used) throw damaged("its texts are miscounted");
  return { starts, values, texts };
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

/**
 * The binary table of longest-prefix matches that `npm run data` writes and this module reads.
 *
 * A prefix covers an interval of positions. A position is a digit string written in base 11, `width` places long: symbol
 * 0 means "the number ends here" and 1 to 10 are the digits, so a number shorter than a prefix lies before that prefix's
 * interval and cannot hit it, which padding with zeros would allow. Intervals are disjoint, in order and without holes;
 * neighbours with one text are merged.
 *
 * Layout, little endian: the header (see readHeader), the data version, then five sections.
 * - index: per block of 32 intervals four varints: first position less that of the block before, bytes of the block in
 *   positions, bytes in values, number of texts first seen in the block before
 * - positions: per interval but the first of a block, a varint: its first position less that of the interval before
 * - values: per interval a varint: 0 for no text, else 1 + zigzag(text number - texts seen before the block)
 * - text index: per 32 texts the u32 offset of the first in texts
 * - texts: in the order in which the intervals first use them, each a varint of its bytes and its UTF-8
 */
export const TABLE_MAGIC = 0x54504c43; // "CLPT"
export const TABLE_FORMAT = 1;
export const HEADER_BYTES = 40;
export const BLOCK_INTERVALS = 32;
export const GROUP_TEXTS = 32;
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

interface Header {
  readonly width: number;
  readonly intervals: number;
  readonly texts: number;
  readonly dataVersion: string;
  readonly index: Uint8Array;
  readonly positions: Uint8Array;
  readonly values: Uint8Array;
  readonly textIndex: Uint8Array;
  readonly textBytes: Uint8Array;
}

/** Where digits stand in a table of this width: an integer from 0 to 11^width - 1. Digits beyond the width are dropped. */
export function toPosition(digits: string, width: number): number {
  const given = Math.min(digits.length, width);
  let position = 0;
  for (let i = 0; i < given; i++) {
    const digit = digits.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) throw new RangeError("A prefix look-up takes digits only");
    position = position * 11 + digit + 1;
  }
  return given < width ? position * 11 ** (width - given) : position;
}

/** Opens a table that `npm run data` wrote. Throws an Error that says what is wrong with any other buffer. */
export function openPrefixTable(buffer: ArrayBuffer): PrefixTable {
  const header = readHeader(buffer);
  const { width, positions, values } = header;
  const { starts, positionOffsets, valueOffsets, textsBefore } = readIndex(header);
  const text = textReader(header);

  function lookup(digits: string): string | null {
    const target = toPosition(digits, width);
    const block = lastAtOrBefore(starts, target);
    if (block < 0) return null;
    const number = numberOfText(block, intervalsBefore(block, target));
    return number < 0 ? null : text(number);
  }

  // How many intervals of the block lie wholly before the one that holds the target.
  function intervalsBefore(block: number, target: number): number {
    const end = positionOffsets[block + 1]!;
    let at = positionOffsets[block]!;
    let position = starts[block]!;
    let count = 0;
    while (at < end) {
      let byte = positions[at++]!;
      let delta = byte & 127;
      for (let scale = 128; byte > 127; scale *= 128) {
        byte = positions[at++]!;
        delta += (byte & 127) * scale;
      }
      position += delta;
      if (position > target) break;
      count++;
    }
    return count;
  }

  // The number of the text of the block's interval, negative for none.
  function numberOfText(block: number, interval: number): number {
    let at = valueOffsets[block]!;
    for (let skip = interval; skip > 0; skip--) while (values[at++]! > 127);
    let byte = values[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = values[at++]!;
      value |= (byte & 127) << shift;
    }
    if (value === 0) return -1;
    const zigzag = value - 1;
    const number = textsBefore[block]! + ((zigzag >>> 1) ^ -(zigzag & 1));
    if (at > valueOffsets[block + 1]! || number < 0) throw damaged("an interval points outside the table");
    return number;
  }

  return { version: header.dataVersion, width, lookup };
}

/** The shortest digits of each interval of a table, in order: what `lookup` says changes at these and nowhere else. For scripts. */
export function boundariesOf(buffer: ArrayBuffer): string[] {
  const header = readHeader(buffer);
  const { starts, positionOffsets } = readIndex(header);
  const { positions, width } = header;
  const boundaries: string[] = [];
  for (const [block, first] of starts.entries()) {
    let position = first;
    boundaries.push(toPrefix(position, width));
    for (let at = positionOffsets[block]!; at < positionOffsets[block + 1]!;) {
      let scale = 1;
      let byte: number;
      do {
        byte = positions[at++]!;
        position += (byte & 127) * scale;
        scale *= 128;
      } while (byte > 127);
      boundaries.push(toPrefix(position, width));
    }
  }
  return boundaries;
}

/** The digits that stand at a position; the opposite of toPosition. */
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
  if (width < 1 || width > MAX_PREFIX_DIGITS) throw damaged(`prefixes of ${width} digits`);
  let end = HEADER_BYTES;
  function section(bytes: number): Uint8Array {
    const start = end;
    end += bytes;
    if (end > total) throw damaged("a section reaches past its end");
    return new Uint8Array(buffer, start, bytes);
  }
  const header: Header = {
    width,
    intervals: view.getUint32(12, true),
    texts: view.getUint32(16, true),
    dataVersion: new TextDecoder().decode(section(view.getUint16(6, true))),
    index: section(view.getUint32(20, true)),
    positions: section(view.getUint32(24, true)),
    values: section(view.getUint32(28, true)),
    textIndex: section(view.getUint32(32, true)),
    textBytes: section(view.getUint32(36, true)),
  };
  if (end !== total) throw damaged("the sections do not fill it");
  if (header.textIndex.length !== 4 * Math.ceil(header.texts / GROUP_TEXTS)) throw damaged("its texts are miscounted");
  return header;
}

// Numbers are written out here and below rather than read through a function: this runs once, before anything is compiled.
function readIndex({ index, intervals, positions, values, texts }: Header) {
  const blocks = Math.ceil(intervals / BLOCK_INTERVALS);
  if (blocks * 4 > index.length) throw damaged("its index is too short");
  const starts = new Float64Array(blocks);
  const positionOffsets = new Uint32Array(blocks + 1);
  const valueOffsets = new Uint32Array(blocks + 1);
  const textsBefore = new Uint32Array(blocks);
  let at = 0;
  let start = 0;
  let seen = 0;
  for (let block = 0; block < blocks; block++) {
    for (let field = 0; field < 4; field++) {
      let byte = index[at++]!;
      let value = byte & 127;
      for (let scale = 128; byte > 127; scale *= 128) {
        byte = index[at++]!;
        value += (byte & 127) * scale;
      }
      if (field === 0) starts[block] = start += value;
      else if (field === 1) positionOffsets[block + 1] = positionOffsets[block]! + value;
      else if (field === 2) valueOffsets[block + 1] = valueOffsets[block]! + value;
      else textsBefore[block] = seen += value;
    }
    if (positionOffsets[block + 1]! > positions.length || valueOffsets[block + 1]! > values.length) break;
  }
  const filled = positionOffsets[blocks] === positions.length && valueOffsets[blocks] === values.length;
  if (at !== index.length || !filled || seen > texts) {
    throw damaged("its index does not match its sections");
  }
  return { starts, positionOffsets, valueOffsets, textsBefore };
}

/** Finds and decodes texts when they are first asked for, since a Worker needs few of them before it is recycled. */
function textReader({ texts, textIndex, textBytes }: Header): (number: number) => string {
  const groups = new DataView(textIndex.buffer, textIndex.byteOffset, textIndex.byteLength);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const known = new Map<number, string>();

  function decode(number: number): string {
    if (number >= texts) throw damaged("an interval points outside the table");
    let start = groups.getUint32(Math.floor(number / GROUP_TEXTS) * 4, true);
    let end = start;
    for (let left = number % GROUP_TEXTS; left >= 0; left--) {
      start = end;
      let byte = textBytes[start++]!;
      let length = byte & 127;
      for (let scale = 128; byte > 127; scale *= 128) {
        byte = textBytes[start++]!;
        length += (byte & 127) * scale;
      }
      end = start + length;
    }
    if (end > textBytes.length) throw damaged("a text reaches past its end");
    try {
      return decoder.decode(textBytes.subarray(start, end));
    } catch (cause) {
      throw damaged("a text is not UTF-8", cause);
    }
  }

  return function text(number) {
    let found = known.get(number);
    if (found === undefined) known.set(number, (found = decode(number)));
    return found;
  };
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

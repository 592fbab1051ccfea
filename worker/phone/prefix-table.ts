/**
 * Reads the binary table of longest-prefix matches written by `npm run data`.
 *
 * A prefix covers an interval of positions. A position is a digit string in base 11, `width` places long. Symbol 0 is the
 * end of the number, and 1 to 10 are the digits, so a number shorter than a prefix sorts before the prefix's interval.
 * Padding with zeros would match it. Intervals are disjoint, in order, and without gaps, and neighbors with the same text
 * are merged. The first starts at 0.
 *
 * The platform compresses the whole worker, so the format compresses well but isn't compressed. Opening a table reads its
 * header. A lookup decodes the intervals and the text it needs, once.
 *
 * Layout, little endian: u32 magic, u8 format, u8 width, u16 bytes of the data version, u32 total bytes, u32 intervals,
 * u32 texts, u32 bytes of steps, u32 bytes of values, u32 bytes of endings, u32 bytes of symbols, u32 symbols that start a
 * name, u32 intervals per block; then
 * - per block: f64 its first position
 * - per block: u16 bytes of its steps minus its intervals, u16 the same for its values, u16 the increase of the highest
 *   text within it, u16 the number of recent texts its values refer to
 * - per TEXT_GROUP texts: u32 offset of the first name
 * - the data version
 * - steps: per interval, the distance from the previous one (0 for the first of a block), a multiple of a power of 11, in
 *   one byte: power * MULTIPLES + multiple. Multiples from MULTIPLES - 1 follow in seven bits per byte.
 * - values: per interval, NO_TEXT; NEXT_TEXT (the highest so far plus one); one of the block's recent texts, the latest
 *   first; or the distance from the latest text: 0, +1, -1, +2, ... Values from TWO_BYTES take two bytes, from LONG three.
 * - per text: u16 the number of its ending, 0 for none
 * - endings (", Bavaria") in UTF-8, each followed by TEXT_END
 * - symbols ("S", "o", " P") in the same form, those that start a name first
 * - names, which are texts without their endings: one symbol number per byte
 */
export const TABLE_MAGIC = 0x54504c43; // "CLPT"
export const TABLE_FORMAT = 5;
/** A multiple of eight, so that the positions after it are aligned. */
export const HEADER_BYTES = 48;
const BLOCK_FIELDS = 4;
export const TEXT_GROUP = 128;
export const MULTIPLES = 28;
export const MAX_POWER = 8;
export const NO_TEXT = 0;
export const NEXT_TEXT = 1;
export const FIRST_RECENT = 2;
export const TWO_BYTES = 224;
export const LONG = 255;
export const TEXT_END = "\0";
/** 11^15 is the highest power of 11 that a double represents exactly, and E.164 numbers have at most 15 digits. */
export const MAX_PREFIX_DIGITS = 15;
/** 11^8 is the highest power of 11 that V8 computes with as an integer. */
const SMALL_DIGITS = 8;
/** 11^0 to 11^15. `**` takes longer. */
const POWERS = Array.from({ length: MAX_PREFIX_DIGITS + 1 }, (_, power) => 11 ** power);

/** The distance for each byte of a step; negative if its multiple follows. */
const STEPS: number[] = [];
for (let power = 1; power <= 11 ** MAX_POWER; power *= 11) {
  for (let multiple = 0; multiple < MULTIPLES - 1; multiple++) STEPS.push(power * multiple);
  STEPS.push(-power);
}

export interface PrefixTable {
  /** The texts' libphonenumber release, for example "9.0.27". */
  readonly version: string;
  /** Digits of the longest prefix. Lookups ignore further digits. */
  readonly width: number;
  /**
   * Returns the text of the longest prefix of these digits; null if no prefix matches or the match has no text.
   * @throws RangeError if one of the first MAX_PREFIX_DIGITS isn't a digit; Error if the table is damaged
   */
  lookup(digits: string): string | null;
  /** `lookup` by the digits' position in a table of the maximum width (`toPosition`), which several tables can share. */
  lookupAt(fullPosition: number): string | null;
}

/** Consecutive intervals. */
interface Block {
  readonly starts: Float64Array;
  /** The number of each interval's text, from 1; 0 for none. */
  readonly texts: Uint32Array;
  /** Where the intervals end that were decoded; Infinity for a whole block. */
  readonly end: number;
}

/** The parts of a table. Blocks and texts are read on first use. */
interface Parts {
  readonly width: number;
  readonly dataVersion: string;
  readonly blockStarts: Float64Array;
  readonly textCount: number;
  /** Decodes the intervals up to the one of this position. */
  readBlock(index: number, until: number): Block;
  readText(number: number): string;
}

/**
 * The position of the digits from `start`, at most the text's length, in a table of the maximum width: from 0 to
 * 11^MAX_PREFIX_DIGITS - 1. Ignores further digits.
 */
export function toPosition(text: string, start = 0): number {
  const end = Math.min(text.length, start + MAX_PREFIX_DIGITS);
  const middle = Math.min(end, start + SMALL_DIGITS);
  const position = smallPosition(text, start, middle) * POWERS[end - middle]! + smallPosition(text, middle, end);
  return position * POWERS[start + MAX_PREFIX_DIGITS - end]!;
}

/** The position of at most SMALL_DIGITS digits in a table as wide: integer arithmetic takes half the time. */
function smallPosition(text: string, start: number, end: number): number {
  let position = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) throw new RangeError("A prefix lookup accepts only digits");
    position = (position * 11 + digit + 1) | 0;
  }
  return position;
}

/** Opens a table written by `npm run data`. @throws Error that describes what is wrong with any other buffer */
export function openPrefixTable(buffer: ArrayBuffer): PrefixTable {
  const { width, dataVersion, blockStarts, textCount, readBlock, readText } = readTable(buffer);
  const blocks: Block[] = [];
  const known: string[] = [];
  // V8 makes an array a hash table when its first index is over about 1,000.
  known.length = textCount + 1;
  /** A full position divided by this, rounded down, is one in this table. Exact, since both are below 2^53. */
  const scale = 11 ** (MAX_PREFIX_DIGITS - width);
  const placePositions = 11 ** (width - 2);
  const firstBlocks: number[] = [];

  /** Where the search for a block starts, by the first two symbols of a position. */
  function firstBlock(place: number): number {
    return (firstBlocks[place] ??= lastAtOrBefore(blockStarts, place * placePositions));
  }

  function lookupAt(fullPosition: number): string | null {
    const position = Math.floor(fullPosition / scale);
    const place = Math.floor(position / placePositions);
    const index = lastAtOrBefore(blockStarts, position, firstBlock(place), firstBlock(place + 1) + 1);
    let block = blocks[index];
    if (block === undefined || position >= block.end) {
      // A block's first lookup decodes no more than it needs: it may run before the JIT compiles anything.
      block = blocks[index] = readBlock(index, block === undefined ? position : Infinity);
    }
    const { starts, texts } = block;
    const number = texts[lastAtOrBefore(starts, position)];
    if (number === undefined) throw damaged("its blocks are out of order");
    return number === 0 ? null : (known[number] ??= readText(number));
  }

  return {
    version: dataVersion,
    width,
    lookup: (digits) => lookupAt(toPosition(digits)),
    lookupAt,
  };
}

/** The shortest digits of each interval, in order: the only places where the result of `lookup` changes. For scripts. */
export function boundariesOf(buffer: ArrayBuffer): string[] {
  const { width, blockStarts, readBlock } = readTable(buffer);
  const starts = Array.from(blockStarts.keys(), (index) => [...readBlock(index, Infinity).starts]).flat();
  return starts.slice(1).map((start) => toPrefix(start, width));
}

/** The digits at a position; the inverse of toPosition. */
function toPrefix(position: number, width: number): string {
  let digits = "";
  for (let rest = position, place = 11 ** (width - 1); rest > 0; place /= 11) {
    digits += Math.floor(rest / place) - 1;
    rest %= place;
  }
  return digits;
}

function readTable(buffer: ArrayBuffer): Parts {
  if (buffer.byteLength < HEADER_BYTES) throw damaged(`${buffer.byteLength} bytes are too few for a header`);
  const view = new DataView(buffer);
  const bytes = new Uint8Array(buffer);
  if (view.getUint32(0, true) !== TABLE_MAGIC) throw damaged("it doesn't start with CLPT");
  const format = view.getUint8(4);
  if (format !== TABLE_FORMAT) throw damaged(`its format is ${format}, but only ${TABLE_FORMAT} is supported`);
  const total = view.getUint32(8, true);
  if (total !== buffer.byteLength) throw damaged(`it should have ${total} bytes, but has ${buffer.byteLength}`);
  const width = view.getUint8(5);
  if (width < 1 || width > MAX_PREFIX_DIGITS) throw damaged(`prefixes of ${width} digits`);
  const intervals = view.getUint32(12, true);
  const textCount = view.getUint32(16, true);
  const blockIntervals = view.getUint32(40, true);
  const blockCount = Math.ceil(intervals / blockIntervals);
  const fieldsAt = HEADER_BYTES + blockCount * Float64Array.BYTES_PER_ELEMENT;
  const groupsAt = fieldsAt + blockCount * BLOCK_FIELDS * Uint16Array.BYTES_PER_ELEMENT;
  const groupCount = Math.ceil(textCount / TEXT_GROUP);
  const versionAt = groupsAt + groupCount * Uint32Array.BYTES_PER_ELEMENT;
  const stepsAt = versionAt + view.getUint16(6, true);
  const valuesAt = stepsAt + view.getUint32(20, true);
  const endsAt = valuesAt + view.getUint32(24, true);
  const endingsAt = endsAt + textCount * 2;
  const symbolsAt = endingsAt + view.getUint32(28, true);
  const namesAt = symbolsAt + view.getUint32(32, true);
  const nameStarts = view.getUint32(36, true);
  if (namesAt > total || intervals === 0) throw damaged("the sizes of its sections are wrong");
  // Like the table, every machine that runs JavaScript today is little endian.
  const blockStarts = new Float64Array(buffer, HEADER_BYTES, blockCount);
  const fields = new Uint16Array(buffer, fieldsAt, blockCount * BLOCK_FIELDS);
  const groups = new Uint32Array(buffer, groupsAt, groupCount);
  if (blockStarts[0] !== 0) throw damaged("its block count is wrong");

  // One function, because it runs before the JIT compiles anything.
  function readBlock(index: number, until: number): Block {
    const count = Math.min(blockIntervals, intervals - index * blockIntervals);
    const field = index * BLOCK_FIELDS;
    let stepAt = stepsAt + index * blockIntervals;
    let valueAt = valuesAt + index * blockIntervals;
    let highest = 0;
    for (let before = 0; before < field; before += BLOCK_FIELDS) {
      stepAt += fields[before]!;
      valueAt += fields[before + 1]!;
      highest += fields[before + 2]!;
    }
    const [stepEnd, valueEnd] = [stepAt + count + fields[field]!, valueAt + count + fields[field + 1]!];
    const isLast = index === blockCount - 1;
    if (stepEnd > valuesAt || valueEnd > endsAt || (isLast && stepEnd + valueEnd !== valuesAt + endsAt))
      throw damaged("its blocks don't fill their sections");
    const starts = new Float64Array(count);
    let start = blockStarts[index]!;
    let known = 0;
    for (; known < count; known++) {
      const step = STEPS[bytes[stepAt++]!]!;
      if (step >= 0) start += step;
      else {
        for (let scale = -step, next = 128; next > 127; scale *= 128) {
          next = bytes[stepAt++]!;
          start += (next & 127) * scale;
        }
      }
      if (start > until) break;
      starts[known] = start;
    }
    const isWhole = known === count;
    if ((isWhole && stepAt !== stepEnd) || !(start <= 11 ** width)) throw damaged("a block's steps are wrong");

    const texts = new Uint32Array(count);
    let latest = highest;
    // The recent texts, the latest first.
    const recent = new Uint32Array(fields[field + 3]!);
    for (let interval = 0; interval < known; interval++) {
      let value = bytes[valueAt++]!;
      if (value === NO_TEXT) continue;
      if (value === LONG) value = bytes[valueAt++]! * 256 + bytes[valueAt++]!;
      else if (value >= TWO_BYTES) value = TWO_BYTES + (value - TWO_BYTES) * 256 + bytes[valueAt++]!;
      const rank = value - FIRST_RECENT;
      const distance = rank - recent.length;
      if (value === NEXT_TEXT) latest = ++highest;
      else if (distance < 0) latest = recent[rank]!;
      else latest += distance % 2 === 1 ? (distance + 1) / 2 : -distance / 2;
      if (!(latest > 0 && latest <= textCount)) throw damaged("an interval points outside the table");
      if (latest > highest) highest = latest;
      recent.copyWithin(1, 0, value === NEXT_TEXT || distance >= 0 ? recent.length : rank);
      recent[0] = latest;
      texts[interval] = latest;
    }
    if (isWhole && valueAt !== valueEnd) throw damaged("a block's value count is wrong");
    return { starts: starts.subarray(0, known), texts, end: isWhole ? Infinity : start };
  }

  const endings = textsIn(bytes.subarray(endingsAt, symbolsAt));
  const symbols = textsIn(bytes.subarray(symbolsAt, namesAt));
  if (nameStarts > symbols.length) throw damaged("its symbol count is wrong");

  function readText(number: number): string {
    const index = number - 1;
    let at = namesAt + groups[Math.floor(index / TEXT_GROUP)]!;
    for (let before = index % TEXT_GROUP; before > 0 && at < total; at++) if (bytes[at + 1]! < nameStarts) before--;
    if (at >= total) throw damaged("its name count is wrong");
    // Joined into one flat string.
    const parts: (string | undefined)[] = [];
    do parts.push(symbols[bytes[at++]!]);
    while (at < total && bytes[at]! >= nameStarts);
    const ending = view.getUint16(endsAt + index * 2, true);
    if (ending > 0) parts.push(endings[ending - 1]);
    if (parts.includes(undefined)) throw damaged("a text has unknown parts");
    return parts.join("");
  }

  const dataVersion = new TextDecoder().decode(bytes.subarray(versionAt, stepsAt));
  return { width, dataVersion, blockStarts, textCount, readBlock, readText };
}

function textsIn(bytes: Uint8Array): string[] {
  try {
    const texts = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).split(TEXT_END);
    // The empty text after the last end.
    texts.pop();
    return texts;
  } catch (cause) {
    throw damaged("a text isn't UTF-8", cause);
  }
}

function lastAtOrBefore(starts: Float64Array, target: number, from = 0, to = starts.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= target) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function damaged(what: string, cause?: unknown): Error {
  return new Error(`Invalid prefix table: ${what}`, { cause });
}

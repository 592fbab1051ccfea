import { brotliCompressSync, constants } from "node:zlib";
import {
  HEADER_BYTES,
  MAX_PREFIX_DIGITS,
  SHARD_ENTRY_BYTES,
  SHARD_HEADER_BYTES,
  SHARD_PLACES,
  TABLE_FORMAT,
  TABLE_MAGIC,
  TEXT_END,
  toPosition,
} from "../../worker/phone/prefix-table.ts";

/**
 * Texts by prefix: calling code plus leading national digits, "15": digits only. An empty text hides a shorter
 * prefix's.
 */
export type Prefixes = ReadonlyMap<string, string>;

interface Interval {
  readonly start: number;
  readonly text: string | null;
}

/**
 * Encodes a table in the format of worker/phone/prefix-table.ts. The same prefixes produce the same bytes, in any
 * order. Throws when there are none or when one is not 1 to 15 digits.
 */
export function encodePrefixTable(prefixes: Prefixes, dataVersion: string): Uint8Array {
  const width = widthOf(prefixes);
  const shardPositions = 11 ** (width - SHARD_PLACES);
  const shards: Shard[] = [];
  let before: string | null = null;
  let intervals = toIntervals(prefixes, width);
  for (let place = 0; place < 11 ** SHARD_PLACES; place++) {
    const first = place * shardPositions;
    const count = countBefore(intervals, first + shardPositions);
    const inside = intervals.slice(0, count).map(({ start, text }) => ({ start: start - first, text }));
    if (inside[0]?.start !== 0) inside.unshift({ start: 0, text: before });
    before = inside.at(-1)!.text;
    intervals = intervals.slice(count);
    if (inside.some(({ text }) => text !== null)) shards.push({ place, content: encodeShard(inside) });
  }
  return assemble(width, dataVersion, shards);
}

/** How many intervals of a sorted list start before a position. */
function countBefore(intervals: readonly Interval[], position: number): number {
  const count = intervals.findIndex(({ start }) => start >= position);
  return count < 0 ? intervals.length : count;
}

function widthOf(prefixes: Prefixes): number {
  if (prefixes.size === 0) throw new Error("There are no prefixes");
  let width = SHARD_PLACES;
  for (const prefix of prefixes.keys()) {
    if (!/^[0-9]+$/.test(prefix) || prefix.length > MAX_PREFIX_DIGITS) {
      throw new Error(`Prefix ${JSON.stringify(prefix)} is not 1 to ${MAX_PREFIX_DIGITS} digits`);
    }
    width = Math.max(width, prefix.length);
  }
  return width;
}

/**
 * The prefixes as sorted, disjoint intervals: a longer prefix splits the interval of a shorter one that contains it.
 */
function toIntervals(prefixes: Prefixes, width: number): Interval[] {
  const intervals: Interval[] = [];
  const open: { end: number; text: string | null }[] = [];
  function push(start: number, text: string | null): void {
    // A later push at the same position is for the longer prefix, or ends an interval with nothing left.
    if (intervals.at(-1)?.start === start) intervals.pop();
    if ((intervals.at(-1)?.text ?? null) !== text) intervals.push({ start, text });
  }
  function closeUntil(position: number): void {
    for (let last = open.at(-1); last !== undefined && last.end <= position; last = open.at(-1)) {
      open.pop();
      push(last.end, open.at(-1)?.text ?? null);
    }
  }
  // Sorted as strings, a prefix comes right before the longer ones that start with it.
  for (const prefix of [...prefixes.keys()].toSorted()) {
    const start = toPosition(prefix, width);
    const text = prefixes.get(prefix) || null;
    closeUntil(start);
    push(start, text);
    open.push({ end: start + 11 ** (width - prefix.length), text });
  }
  closeUntil(Infinity);
  return intervals;
}

interface Shard {
  readonly place: number;
  readonly content: Uint8Array;
}

function encodeShard(intervals: readonly Interval[]): Uint8Array {
  const texts = new Map<string, number>();
  const positions: number[] = [];
  const values: number[] = [];
  let previous = 0;
  for (const { start, text } of intervals) {
    pushVarint(positions, start - previous);
    previous = start;
    if (text?.includes(TEXT_END)) throw new Error(`${JSON.stringify(text)} contains the text terminator`);
    const known = text === null ? undefined : texts.get(text);
    if (text === null) values.push(0);
    else if (known === undefined) {
      values.push(1);
      texts.set(text, texts.size);
    } else pushVarint(values, 2 + known);
  }
  const header = Buffer.alloc(SHARD_HEADER_BYTES);
  [intervals.length, positions.length, values.length].forEach((count, i) => header.writeUInt32LE(count, 4 * i));
  const written = Array.from(texts.keys(), (text) => text + TEXT_END).join("");
  return Buffer.concat([header, Buffer.from(positions), Buffer.from(values), Buffer.from(written)]);
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

function compress(content: Uint8Array): Uint8Array {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return brotliCompressSync(content, { params });
}

function assemble(width: number, dataVersion: string, shards: readonly Shard[]): Uint8Array {
  const version = Buffer.from(dataVersion);
  const header = Buffer.alloc(HEADER_BYTES);
  const directory = Buffer.alloc(SHARD_ENTRY_BYTES * shards.length);
  const packed = shards.map(({ content }) => compress(content));
  const total = packed.reduce((bytes, shard) => bytes + shard.length, HEADER_BYTES + version.length + directory.length);
  header.writeUInt32LE(TABLE_MAGIC, 0);
  header.writeUInt8(TABLE_FORMAT, 4);
  header.writeUInt8(width, 5);
  header.writeUInt16LE(version.length, 6);
  header.writeUInt32LE(total, 8);
  header.writeUInt16LE(shards.length, 12);
  for (const [i, { place, content }] of shards.entries()) {
    directory.writeUInt16LE(place, SHARD_ENTRY_BYTES * i);
    directory.writeUInt32LE(packed[i]!.length, SHARD_ENTRY_BYTES * i + 2);
    directory.writeUInt32LE(content.length, SHARD_ENTRY_BYTES * i + 6);
  }
  return Buffer.concat([header, version, directory, ...packed]);
}

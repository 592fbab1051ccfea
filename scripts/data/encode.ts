import { brotliCompressSync, constants } from "node:zlib";
import {
  BLOCK_HEAD_BYTES,
  BLOCK_INTERVALS,
  HEADER_BYTES,
  LONG_VALUE,
  MAX_PREFIX_DIGITS,
  OTHER_STEP,
  SHARD_ENTRY_BYTES,
  SHARD_HEADER_BYTES,
  SHARD_PLACES,
  TABLE_FORMAT,
  TABLE_MAGIC,
  TEXT_END,
  toPosition,
  TWO_BYTE_VALUES,
} from "../../worker/phone/prefix-table.ts";

/** Texts by prefix: calling code and the first national digits, "15": digits only. An empty text hides a shorter prefix's. */
export type Prefixes = ReadonlyMap<string, string>;

interface Interval {
  readonly start: number;
  readonly text: string | null;
}

/** How much a shard has before it ends with a place: what compresses well together, and is still unpacked in a millisecond. */
const ENOUGH_BYTES = 32_768;

/**
 * Writes a table in the form that worker/phone/prefix-table.ts describes. The same prefixes give the same bytes, whatever
 * their order. Throws when there are none or when one is not 1 to 15 digits.
 */
export function encodePrefixTable(prefixes: Prefixes, dataVersion: string): Uint8Array {
  const width = widthOf(prefixes);
  const placePositions = 11 ** (width - SHARD_PLACES);
  const all = toIntervals(prefixes, width);
  const steps = frequentSteps(all);
  const shards: Shard[] = [];
  let firstPlace = Math.floor((all[0]?.start ?? 0) / placePositions);
  let from = 0;
  for (let place = firstPlace; from < all.length; place++) {
    const count = countBefore(all.slice(from), (place + 1) * placePositions);
    const first = firstPlace * placePositions;
    const inside = all.slice(from, from + count).map(({ start, text }) => ({ start: start - first, text }));
    if (inside[0]?.start !== 0) inside.unshift({ start: 0, text: all[from - 1]?.text ?? null });
    const content = encodeShard(inside, steps);
    if (content.length < ENOUGH_BYTES && from + count < all.length) continue;
    shards.push({ firstPlace, content });
    firstPlace = place + 1;
    from += count;
  }
  return assemble({ width, dataVersion, steps, shards });
}

/** The steps that get a number, the most frequent first. */
function frequentSteps(intervals: readonly Interval[]): number[] {
  const counts = new Map<number, number>();
  for (const [index, { start }] of intervals.entries()) {
    const step = start - (intervals[index - 1]?.start ?? 0);
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const byCount = [...counts].toSorted(([a, countOfA], [b, countOfB]) => countOfB - countOfA || a - b);
  return byCount.slice(0, OTHER_STEP).map(([step]) => step);
}

/** How many intervals, at the start of a list in order, begin before a position. */
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

/** The prefixes as disjoint intervals in order: a longer prefix cuts the interval of a shorter one that holds it. */
function toIntervals(prefixes: Prefixes, width: number): Interval[] {
  const intervals: Interval[] = [];
  const open: { end: number; text: string | null }[] = [];
  function push(start: number, text: string | null): void {
    // A later push at the same place comes from the longer prefix, or ends an interval that has nothing left.
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
  readonly firstPlace: number;
  readonly content: Uint8Array;
}

function encodeShard(intervals: readonly Interval[], steps: readonly number[]): Uint8Array {
  const numbers = new Map(steps.map((step, number) => [step, number]));
  const texts = new Map<string, number>();
  const heads: Buffer[] = [];
  const [starts, values]: [number[], number[]] = [[], []];
  for (const [index, { start, text }] of intervals.entries()) {
    if (index % BLOCK_INTERVALS === 0) {
      const head = Buffer.alloc(BLOCK_HEAD_BYTES);
      head.writeDoubleLE(start, 0);
      [starts.length, values.length, texts.size].forEach((number, i) => head.writeUInt32LE(number, 8 + 4 * i));
      heads.push(head);
    }
    const step = start - (intervals[index - 1]?.start ?? 0);
    const number = numbers.get(step);
    if (number === undefined) {
      starts.push(OTHER_STEP);
      pushVarint(starts, step);
    } else starts.push(number);
    if (text?.includes(TEXT_END)) throw new Error(`${JSON.stringify(text)} has the end of a text in it`);
    const known = text === null ? undefined : texts.get(text);
    if (text === null) values.push(0);
    else if (known === undefined) {
      values.push(1);
      texts.set(text, texts.size);
    } else pushValue(values, 2 + known);
  }
  const { names, ends, endings } = withoutEndings([...texts.keys()]);
  const header = Buffer.alloc(SHARD_HEADER_BYTES);
  [intervals.length, starts.length, values.length, ends.length, endings.length].forEach((count, i) =>
    header.writeUInt32LE(count, 4 * i),
  );
  return Buffer.concat([
    header,
    ...heads,
    ...[starts, values, ends].map((bytes) => Buffer.from(bytes)),
    endings,
    names,
  ]);
}

/** What many texts end with: a comma and a state. */
const ENDING = /, [^,]+$/;
const MAX_ENDINGS = 255;

/** Takes endings off texts: what is left of them, which ending each has had, and the endings. */
function withoutEndings(texts: readonly string[]) {
  const endings = new Map<string, number>();
  const ends: number[] = [];
  let names = "";
  for (const text of texts) {
    const ending = ENDING.exec(text)?.[0] ?? "";
    if (ending !== "" && endings.size < MAX_ENDINGS && !endings.has(ending)) endings.set(ending, endings.size + 1);
    const end = endings.get(ending) ?? 0;
    ends.push(end);
    names += (end === 0 ? text : text.slice(0, -ending.length)) + TEXT_END;
  }
  const listed = Array.from(endings.keys(), (ending) => ending + TEXT_END).join("");
  return { names: Buffer.from(names), ends, endings: Buffer.from(listed) };
}

/** As worker/phone/prefix-table.ts reads it. */
function pushValue(bytes: number[], value: number): void {
  const more = value - TWO_BYTE_VALUES;
  if (more < 0) bytes.push(value);
  else if (more < (LONG_VALUE - TWO_BYTE_VALUES) * 256) bytes.push(TWO_BYTE_VALUES + (more >> 8), more & 255);
  else if (value < 65_536) bytes.push(LONG_VALUE, value >> 8, value & 255);
  else throw new Error("A shard has too many texts");
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

interface Parts {
  readonly width: number;
  readonly dataVersion: string;
  readonly steps: readonly number[];
  readonly shards: readonly Shard[];
}

function assemble({ width, dataVersion, steps, shards }: Parts): Uint8Array {
  const version = Buffer.from(dataVersion);
  const header = Buffer.alloc(HEADER_BYTES);
  const directory = Buffer.alloc(SHARD_ENTRY_BYTES * shards.length);
  const packed = shards.map(({ content }) => compress(content));
  const parts = [header, version, Buffer.from(Float64Array.from(steps).buffer), directory, ...packed];
  header.writeUInt32LE(TABLE_MAGIC, 0);
  header.writeUInt8(TABLE_FORMAT, 4);
  header.writeUInt8(width, 5);
  header.writeUInt16LE(version.length, 6);
  header.writeUInt32LE(
    parts.reduce((bytes, part) => bytes + part.length, 0),
    8,
  );
  header.writeUInt16LE(shards.length, 12);
  header.writeUInt16LE(steps.length, 14);
  for (const [i, { firstPlace, content }] of shards.entries()) {
    directory.writeUInt16LE(firstPlace, SHARD_ENTRY_BYTES * i);
    directory.writeUInt32LE(packed[i]!.length, SHARD_ENTRY_BYTES * i + 2);
    directory.writeUInt32LE(content.length, SHARD_ENTRY_BYTES * i + 6);
  }
  return Buffer.concat(parts);
}

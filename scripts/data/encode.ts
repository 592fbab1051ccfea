import { gzipSync } from "node:zlib";
import {
  FIRST_RECENT,
  HEADER_BYTES,
  LONG,
  MAX_POWER,
  MAX_PREFIX_DIGITS,
  MULTIPLES,
  NEXT_TEXT,
  NO_TEXT,
  TABLE_FORMAT,
  TABLE_MAGIC,
  TEXT_END,
  TEXT_GROUP,
  toPosition,
  TWO_BYTES,
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

/** How many recent texts values may refer to. Most countries' tables are smaller with some, China's with none. */
const DEPTHS = [0, 30];

/** A first lookup decodes half a block on average, but each block takes 16 bytes: a large table has larger ones. */
const BLOCK_INTERVALS = { small: 256, large: 1024 };
const LARGE = 50_000;

/**
 * Encodes a table in the format of worker/phone/prefix-table.ts. The same prefixes produce the same bytes, in any
 * order. @throws Error if there are none, or one isn't 1 to 15 digits
 */
export function encodePrefixTable(prefixes: Prefixes, dataVersion: string): Uint8Array {
  const width = widthOf(prefixes);
  const intervals = toIntervals(prefixes, width);
  const { numbers, texts } = numberTexts(intervals, width);
  const blockIntervals = intervals.length < LARGE ? BLOCK_INTERVALS.small : BLOCK_INTERVALS.large;
  const blockStarts: number[] = [];
  const fields: number[] = [];
  const steps: number[] = [];
  const values: number[] = [];
  let highest = 0;
  for (let from = 0; from < intervals.length; from += blockIntervals) {
    const starts = intervals.slice(from, from + blockIntervals).map(({ start }) => start);
    const block = numbers.slice(from, from + blockIntervals);
    const { depth, bytes } = smallestValues(block, highest);
    const stepBytes = starts.flatMap((start, index) => encodeStep(start - starts[Math.max(0, index - 1)]!));
    const higher = Math.max(0, ...block.map((number) => number - highest));
    blockStarts.push(starts[0]!);
    if (higher > 0xffff) throw new Error("A block has too many texts");
    fields.push(stepBytes.length - starts.length, bytes.length - starts.length, higher, depth);
    steps.push(...stepBytes);
    values.push(...bytes);
    highest += higher;
  }
  const { groups, ends, endings, symbols, nameStarts, names } = splitTexts(texts);
  const version = Buffer.from(dataVersion);
  const header = Buffer.alloc(HEADER_BYTES);
  const numeric = [Float64Array.from(blockStarts), Uint16Array.from(fields), groups];
  const bytes = [steps, values].map((list) => Buffer.from(list));
  const parts = [
    header,
    ...numeric.map(({ buffer }) => Buffer.from(buffer)),
    version,
    ...bytes,
    ends,
    endings,
    symbols,
    names,
  ];
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  header.writeUInt32LE(TABLE_MAGIC, 0);
  header.writeUInt8(TABLE_FORMAT, 4);
  header.writeUInt8(width, 5);
  header.writeUInt16LE(version.length, 6);
  const counts = [total, intervals.length, texts.length, steps.length, values.length, endings.length, symbols.length];
  [...counts, nameStarts, blockIntervals].forEach((number, i) => header.writeUInt32LE(number, 8 + 4 * i));
  return Buffer.concat(parts);
}

function widthOf(prefixes: Prefixes): number {
  if (prefixes.size === 0) throw new Error("There are no prefixes");
  let width = 1;
  for (const prefix of prefixes.keys()) {
    if (!/^[0-9]+$/.test(prefix) || prefix.length > MAX_PREFIX_DIGITS) {
      throw new Error(`Prefix ${JSON.stringify(prefix)} isn't 1 to ${MAX_PREFIX_DIGITS} digits`);
    }
    width = Math.max(width, prefix.length);
  }
  return width;
}

/**
 * The prefixes as sorted, disjoint intervals: a longer prefix splits the interval of a shorter one that contains it.
 */
function toIntervals(prefixes: Prefixes, width: number): Interval[] {
  const intervals: Interval[] = [{ start: 0, text: null }];
  const open: { end: number; text: string | null }[] = [];
  function push(start: number, text: string | null): void {
    // A later push at the same position is for a longer prefix, or ends an empty interval.
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
    const start = toPosition(prefix) / 11 ** (MAX_PREFIX_DIGITS - width);
    const text = prefixes.get(prefix) || null;
    closeUntil(start);
    push(start, text);
    open.push({ end: start + 11 ** (width - prefix.length), text });
  }
  closeUntil(Infinity);
  return intervals;
}

/** The common ending of texts: a comma and a state. */
const ENDING = /(?<!^), [^,]+$/;

function endingOf(text: string): string {
  return ENDING.exec(text)?.[0] ?? "";
}

/**
 * Numbers each country's texts by first use, or by ending and frequency if that makes values smaller, as in China, whose
 * prefixes alternate between the cities of a province. `numbers` has the text of each interval, 0 for none.
 */
function numberTexts(intervals: readonly Interval[], width: number) {
  const texts: string[] = [];
  const numbers: number[] = [];
  for (const country of Map.groupBy(intervals, ({ start }) => countryAt(start, width)).values()) {
    const uses = country.flatMap(({ text }) => (text === null ? [] : [text]));
    const counts = new Map<string, number>();
    for (const text of uses) counts.set(text, (counts.get(text) ?? 0) + 1);
    const byUse = [...counts.keys()];
    const byEnding = byUse.toSorted(
      (a, b) => compare(endingOf(a), endingOf(b)) || counts.get(b)! - counts.get(a)! || compare(a, b),
    );
    const before = texts.length;
    const [smallest] = [byUse, byEnding]
      .map((order) => {
        const numberOf = new Map(order.map((text, index) => [text, before + index + 1]));
        const numbered = country.map(({ text }) => (text === null ? 0 : numberOf.get(text)!));
        return { order, numbered, size: smallestValues(numbered, before).size };
      })
      .toSorted((a, b) => a.size - b.size);
    texts.push(...smallest!.order);
    numbers.push(...smallest!.numbered);
  }
  return { texts, numbers };
}

/** Two digits; the second doesn't matter for calling codes 1 and 7. */
function countryAt(start: number, width: number): number {
  const first = Math.floor(start / 11 ** (width - 1));
  return first === 2 || first === 8 || width === 1 ? first * 11 : Math.floor(start / 11 ** (width - 2));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Encodes the intervals' texts, after texts up to `highest`, with the depth that compresses best. */
function smallestValues(numbers: readonly number[], highest: number) {
  const [smallest] = DEPTHS.map((depth) => {
    const bytes = encodeValues(numbers, highest, depth);
    return { depth, bytes, size: gzipSync(Buffer.from(bytes)).length };
  }).toSorted((a, b) => a.size - b.size);
  return smallest!;
}

function encodeValues(numbers: readonly number[], before: number, depth: number): number[] {
  const bytes: number[] = [];
  const recent: number[] = [];
  let highest = before;
  let latest = before;
  for (const number of numbers) {
    if (number === 0) {
      bytes.push(NO_TEXT);
      continue;
    }
    const rank = recent.indexOf(number);
    const distance = number - latest;
    if (number === highest + 1) bytes.push(NEXT_TEXT);
    else if (rank >= 0) bytes.push(FIRST_RECENT + rank);
    else pushValue(bytes, FIRST_RECENT + depth + (distance > 0 ? 2 * distance - 1 : -2 * distance));
    if (rank >= 0) recent.splice(rank, 1);
    recent.unshift(number);
    recent.length = Math.min(recent.length, depth);
    latest = number;
    highest = Math.max(highest, number);
  }
  return bytes;
}

function pushValue(bytes: number[], value: number): void {
  const more = value - TWO_BYTES;
  if (more < 0) bytes.push(value);
  else if (more < (LONG - TWO_BYTES) * 256) bytes.push(TWO_BYTES + (more >> 8), more & 255);
  else if (value < 65_536) bytes.push(LONG, value >> 8, value & 255);
  else throw new Error("A country has too many texts");
}

function encodeStep(step: number): number[] {
  let power = 0;
  let multiple = step;
  for (; power < MAX_POWER && multiple > 0 && multiple % 11 === 0; power++) multiple /= 11;
  const bytes = [power * MULTIPLES + Math.min(multiple, MULTIPLES - 1)];
  if (multiple < MULTIPLES - 1) return bytes;
  for (; multiple > 127; multiple = Math.floor(multiple / 128)) bytes.push((multiple % 128) + 128);
  bytes.push(multiple);
  return bytes;
}

/** Encodes texts in the format of worker/phone/prefix-table.ts. */
function splitTexts(texts: readonly string[]) {
  const wrong = texts.find((text) => text.includes(TEXT_END));
  if (wrong !== undefined) throw new Error(`${JSON.stringify(wrong)} contains the text terminator`);
  const endings = [...new Set(texts.map(endingOf).filter((ending) => ending !== ""))];
  const endNumbers = new Map(["", ...endings].map((ending, number) => [ending, number]));
  const ends = Buffer.alloc(texts.length * 2);
  for (const [index, text] of texts.entries()) ends.writeUInt16LE(endNumbers.get(endingOf(text))!, index * 2);

  // A space and the capital after it are one symbol.
  const names = texts.map((text) => text.slice(0, text.length - endingOf(text).length).match(/ [A-Z]|./gsu)!);
  const first = [...new Set(names.map(([symbol]) => symbol!))].toSorted();
  const others = [...new Set(names.flatMap(([, ...rest]) => rest))].toSorted();
  if (first.length + others.length > 256) throw new Error("The texts have too many different characters");
  const [firstNumbers, otherNumbers] = [first, others].map(
    (symbols, list) => new Map(symbols.map((symbol, number) => [symbol, list * first.length + number])),
  );
  const groups = new Uint32Array(Math.ceil(texts.length / TEXT_GROUP));
  const bytes: number[] = [];
  for (const [index, [symbol, ...rest]] of names.entries()) {
    if (index % TEXT_GROUP === 0) groups[index / TEXT_GROUP] = bytes.length;
    bytes.push(firstNumbers!.get(symbol!)!, ...rest.map((other) => otherNumbers!.get(other)!));
  }
  return {
    groups,
    ends,
    endings: listed(endings),
    symbols: listed([...first, ...others]),
    nameStarts: first.length,
    names: Buffer.from(bytes),
  };
}

function listed(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => text + TEXT_END).join(""));
}

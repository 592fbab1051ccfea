import {
  BLOCK_INTERVALS,
  GROUP_TEXTS,
  HEADER_BYTES,
  MAX_PREFIX_DIGITS,
  TABLE_FORMAT,
  TABLE_MAGIC,
  toPosition,
} from "../../worker/phone/prefix-table.ts";

/** Texts by prefix: calling code and the first national digits, "15": digits only. An empty text hides a shorter prefix's. */
export type Prefixes = ReadonlyMap<string, string>;

interface Interval {
  readonly start: number;
  readonly text: string | null;
}

/**
 * Writes a table in the form that worker/phone/prefix-table.ts describes. The same prefixes give the same bytes, whatever
 * their order. Throws when there are none or when one is not 1 to 15 digits.
 */
export function encodePrefixTable(prefixes: Prefixes, dataVersion: string): Uint8Array {
  const width = widthOf(prefixes);
  const intervals = toIntervals(prefixes, width);
  const texts = new Map<string, number>();
  const index: number[] = [];
  const positions: number[] = [];
  const values: number[] = [];
  let lastStart = 0;
  let lastSeen = 0;
  for (let first = 0; first < intervals.length; first += BLOCK_INTERVALS) {
    const block = intervals.slice(first, first + BLOCK_INTERVALS);
    const [positionBytes, valueBytes, seen] = [positions.length, values.length, texts.size];
    const blockStart = block[0]!.start;
    let previous = blockStart;
    for (const { start, text } of block) {
      if (start > blockStart) pushVarint(positions, start - previous);
      previous = start;
      pushVarint(values, text === null ? 0 : 1 + zigzag(numberOf(texts, text) - seen));
    }
    pushVarint(index, blockStart - lastStart);
    pushVarint(index, positions.length - positionBytes);
    pushVarint(index, values.length - valueBytes);
    pushVarint(index, seen - lastSeen);
    [lastStart, lastSeen] = [blockStart, seen];
  }
  const { textIndex, textBytes } = encodeTexts([...texts.keys()]);
  const sections = [Buffer.from(index), Buffer.from(positions), Buffer.from(values), textIndex, textBytes];
  return assemble({ width, dataVersion, intervals: intervals.length, texts: texts.size, sections });
}

function widthOf(prefixes: Prefixes): number {
  let width = 0;
  for (const prefix of prefixes.keys()) {
    if (!/^[0-9]+$/.test(prefix) || prefix.length > MAX_PREFIX_DIGITS) {
      throw new Error(`Prefix ${JSON.stringify(prefix)} is not 1 to ${MAX_PREFIX_DIGITS} digits`);
    }
    width = Math.max(width, prefix.length);
  }
  if (width === 0) throw new Error("There are no prefixes");
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
  // Sorted as strings, a prefix stands right before the longer ones that start with it.
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

function numberOf(texts: Map<string, number>, text: string): number {
  const known = texts.get(text);
  if (known !== undefined) return known;
  texts.set(text, texts.size);
  return texts.size - 1;
}

function encodeTexts(texts: readonly string[]): { textIndex: Buffer; textBytes: Buffer } {
  const textIndex = Buffer.alloc(4 * Math.ceil(texts.length / GROUP_TEXTS));
  const parts: Buffer[] = [];
  let offset = 0;
  for (const [number, text] of texts.entries()) {
    if (number % GROUP_TEXTS === 0) textIndex.writeUInt32LE(offset, (number / GROUP_TEXTS) * 4);
    const encoded = Buffer.from(text);
    const length: number[] = [];
    pushVarint(length, encoded.length);
    parts.push(Buffer.from(length), encoded);
    offset += length.length + encoded.length;
  }
  return { textIndex, textBytes: Buffer.concat(parts) };
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

interface Parts {
  readonly width: number;
  readonly dataVersion: string;
  readonly intervals: number;
  readonly texts: number;
  readonly sections: readonly Uint8Array[];
}

function assemble({ width, dataVersion, intervals, texts, sections }: Parts): Uint8Array {
  const version = Buffer.from(dataVersion);
  const header = Buffer.alloc(HEADER_BYTES);
  const total = sections.reduce((bytes, section) => bytes + section.length, HEADER_BYTES + version.length);
  header.writeUInt32LE(TABLE_MAGIC, 0);
  header.writeUInt8(TABLE_FORMAT, 4);
  header.writeUInt8(width, 5);
  header.writeUInt16LE(version.length, 6);
  header.writeUInt32LE(total, 8);
  header.writeUInt32LE(intervals, 12);
  header.writeUInt32LE(texts, 16);
  sections.forEach((section, i) => header.writeUInt32LE(section.length, 20 + 4 * i));
  return Buffer.concat([header, version, ...sections]);
}

/**
 * Reads a table of texts by prefix, written by `npm run data`. A number has the text of its longest prefix.
 *
 * A table is lines of JSON: a TableHead, then blocks of about a thousand rows. The rows of all blocks are in order, and
 * each holds up to the next one: the prefixes 44 and 4420 make the rows 44, 4420, 4421, and 45, the last without a text.
 */
export interface TableHead {
  /** Of libphonenumber, for example "9.0.27". */
  readonly release: string;
  /** How many digits the longest prefix has. Lookups ignore further digits. */
  readonly width: number;
  /** The first position of each block. */
  readonly blocks: readonly number[];
}

export type TableBlock = readonly [
  /** How much later each row's position is than the previous row's; the first one's is whole. */
  steps: readonly number[],
  /** Each row's text, null for none. For one that the block already has, its index among the block's different texts. */
  texts: readonly (string | number | null)[],
];

/** With two more digits for the length, a position is below 2^53, and so exact. */
export const MAX_WIDTH = 13;

export interface PrefixTable {
  readonly release: string;
  /** The text of the longest prefix of these digits; null for no prefix, or one without a text. */
  lookup(digits: string): string | null;
}

/** A decoded block. */
interface Rows {
  readonly positions: Float64Array;
  readonly texts: readonly (string | null)[];
}

/** Opens a table. Each block is decoded when it's first used. @throws SyntaxError for other text */
export function openPrefixTable(table: string): PrefixTable {
  const [head, ...blocks] = table.split("\n");
  const { release, width, blocks: starts } = JSON.parse(head!) as TableHead;
  const decoded: Rows[] = [];

  return {
    release,
    lookup(digits) {
      const position = positionOf(digits, width);
      const block = lastAtOrBefore(starts, position);
      if (block < 0) return null;
      const { positions, texts } = (decoded[block] ??= decode(blocks[block]!));
      return texts[lastAtOrBefore(positions, position)]!;
    },
  };
}

/**
 * Where digits are in a table's order: the digits, filled up with zeros to its width, and how many they are, in two
 * digits. So the number 44 comes before the prefix 4400.
 */
export function positionOf(digits: string, width: number): number {
  const known = digits.slice(0, width);
  return Number(known.padEnd(width, "0")) * 100 + known.length;
}

/** The digits at which each row starts, in order: the only places where the text changes. For scripts. */
export function prefixesOf(table: string): string[] {
  const [head, ...blocks] = table.trimEnd().split("\n");
  const { width } = JSON.parse(head!) as TableHead;
  const positions = blocks.flatMap((block) => [...decode(block).positions]);
  return positions.map((position) =>
    String(Math.floor(position / 100))
      .padStart(width, "0")
      .slice(0, position % 100),
  );
}

function decode(block: string): Rows {
  const [steps, values] = JSON.parse(block) as TableBlock;
  const positions = new Float64Array(steps.length);
  let position = 0;
  for (let row = 0; row < steps.length; row++) positions[row] = position += steps[row]!;
  const different: string[] = [];
  const texts = values.map((value) => {
    if (typeof value === "number") return different[value]!;
    if (value !== null) different.push(value);
    return value;
  });
  return { positions, texts };
}

/** The index of the last position up to this one; -1 if all are later. */
function lastAtOrBefore(positions: ArrayLike<number>, position: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (positions[middle]! <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

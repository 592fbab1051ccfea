/**
 * Reads a table of texts by prefix: lines of JSON, a TableHead and then blocks of about a thousand rows, in order. Each
 * row holds up to the next: the prefixes 44 and 4420 make the rows 44, 4420, 4421 with the text of 44 again, and 45
 * without a text.
 */
export interface TableHead {
  /** Of libphonenumber, for example "9.0.27". */
  readonly release: string;
  /** How many digits the longest prefix has. Lookups ignore further digits. */
  readonly width: number;
  /** The first position of each block. */
  readonly blocks: readonly number[];
  /** What all steps are multiples of: 100 if all prefixes have `width` digits, otherwise 1. */
  readonly unit: number;
}

export interface TableBlock {
  /** How many units later each row's position is than the previous row's; 0 for the first, which the head has. */
  readonly steps: readonly number[];
  /** The block's different texts, null for none. */
  readonly texts: readonly (string | null)[];
  /** Each row's place in `texts`. */
  readonly rows: readonly number[];
}

/** With two more digits for the length, a position is below 2^53, and so exact. */
export const MAX_WIDTH = 13;

export interface PrefixTable {
  readonly release: string;
  /** The text of the longest prefix of these digits; null for no prefix, or one without a text. */
  lookup(digits: string): string | null;
}

/** A parsed block. */
interface Block {
  readonly positions: Float64Array;
  readonly texts: readonly (string | null)[];
  readonly rows: readonly number[];
}

/** Opens a table. Each block is decoded when it's first used. @throws SyntaxError for other text */
export function openPrefixTable(table: string): PrefixTable {
  const [head, ...blocks] = table.split("\n");
  const { release, width, blocks: starts, unit } = JSON.parse(head!) as TableHead;
  const decoded: Block[] = [];

  return {
    release,
    lookup(digits) {
      const position = positionOf(digits, width);
      const block = lastAtOrBefore(starts, position);
      if (block < 0) return null;
      const { positions, texts, rows } = (decoded[block] ??= decode(blocks[block]!, starts[block]!, unit));
      return texts[rows[lastAtOrBefore(positions, position)]!]!;
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

function decode(block: string, start: number, unit: number): Block {
  const { steps, texts, rows } = JSON.parse(block) as TableBlock;
  let position = start;
  return { positions: Float64Array.from(steps, (step) => (position += step * unit)), texts, rows };
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

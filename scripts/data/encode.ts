import {
  MAX_WIDTH,
  openPrefixTable,
  positionOf,
  type TableBlock,
  type TableHead,
} from "../../worker/phone/prefix-table.ts";

/**
 * Texts by prefix, which is calling code plus leading national digits: "15". An empty text hides the one of a shorter
 * prefix.
 */
export type Prefixes = ReadonlyMap<string, string>;

/** Where the text changes: it holds up to the next row. */
export interface Row {
  readonly prefix: string;
  readonly text: string | null;
}

const BLOCK_ROWS = 1_000;

/**
 * Encodes a table in the format of worker/phone/prefix-table.ts. The same prefixes produce the same table, in any order.
 * @throws Error if there are none, or one isn't 1 to MAX_WIDTH digits
 */
export function encodePrefixTable(prefixes: Prefixes, release: string): string {
  return encodeRows(toRows(prefixes), widthOf(prefixes), release);
}

/** Encodes rows in order of their digits, of which none has more than `width`. */
export function encodeRows(rows: readonly Row[], width: number, release: string): string {
  const blocks: Row[][] = [];
  for (let from = 0; from < rows.length; from += BLOCK_ROWS) blocks.push(rows.slice(from, from + BLOCK_ROWS));
  const unit = rows.every(({ prefix }) => prefix.length === width) ? 100 : 1;
  const starts = blocks.map(([first]) => positionOf(first!.prefix, width));
  const head: TableHead = { release, width, blocks: starts, unit };
  return [head, ...blocks.map((block) => toBlock(block, width, unit))].map((line) => `${asciiJson(line)}\n`).join("");
}

/** The digits at which each row of a table starts, in order: the only places where the text changes. */
export function prefixesOf(table: string): string[] {
  const [head, ...blocks] = table.trimEnd().split("\n");
  const { width, blocks: starts, unit } = JSON.parse(head!) as TableHead;
  return blocks.flatMap((block, i) => {
    let position = starts[i]!;
    return (JSON.parse(block) as TableBlock).steps.map((step) => {
      position += step * unit;
      const digits = String(Math.floor(position / 100)).padStart(width, "0");
      return digits.slice(0, position % 100);
    });
  });
}

/** The calling code that a prefix starts with; undefined if it has none. */
export function callingCodeIn(prefix: string, isCallingCode: (digits: string) => boolean): string | undefined {
  return [1, 2, 3].map((length) => prefix.slice(0, length)).find(isCallingCode);
}

/** Prefixes that make this table. A row without a text has an empty one. */
export function decodePrefixTable(table: string): Prefixes {
  const { lookup } = openPrefixTable(table);
  const rows = prefixesOf(table);
  const prefixes = new Map<string, string>();
  for (const [row, first] of rows.entries()) {
    const text = lookup(first) ?? "";
    // A row holds up to the next one, so it may be several prefixes: 4419 and 442 up to 443.
    for (
      let next: string | undefined = first;
      next !== undefined && !(next >= rows[row + 1]!);
      [next] = nextAfter(next)
    ) {
      prefixes.set(next, text);
    }
  }
  return prefixes;
}

function widthOf(prefixes: Prefixes): number {
  if (prefixes.size === 0) throw new Error("There are no prefixes");
  let width = 0;
  for (const prefix of prefixes.keys()) {
    if (!/^[0-9]+$/.test(prefix) || prefix.length > MAX_WIDTH) {
      throw new Error(`Prefix ${JSON.stringify(prefix)} isn't 1 to ${MAX_WIDTH} digits`);
    }
    width = Math.max(width, prefix.length);
  }
  return width;
}

/** The text can only change where the numbers of a prefix start or end. Compared as strings, digits are in this order. */
function toRows(prefixes: Prefixes): Row[] {
  const bounds = new Set([...prefixes.keys()].flatMap((prefix) => [prefix, ...nextAfter(prefix)]));
  const rows: Row[] = [];
  for (const prefix of [...bounds].toSorted()) {
    const text = textOf(prefix, prefixes);
    if (text !== (rows.at(-1)?.text ?? null)) rows.push({ prefix, text });
  }
  return rows;
}

/** Where the numbers of a prefix end: 45 for 44, 5 for 499. Nothing comes after 99. */
function nextAfter(prefix: string): string[] {
  const digits = prefix.replace(/9+$/, "");
  return digits === "" ? [] : [digits.slice(0, -1) + (Number(digits.at(-1)) + 1)];
}

function textOf(digits: string, prefixes: Prefixes): string | null {
  for (let length = digits.length; length > 0; length--) {
    const text = prefixes.get(digits.slice(0, length));
    if (text !== undefined) return text || null;
  }
  return null;
}

function toBlock(rows: readonly Row[], width: number, unit: number): TableBlock {
  const positions = rows.map(({ prefix }) => positionOf(prefix, width));
  const texts = byFrequency(rows.map(({ text }) => text));
  const places = new Map(texts.map((text, place) => [text, place]));
  return {
    steps: positions.map((position, row) => (position - (positions[row - 1] ?? position)) / unit),
    texts,
    rows: rows.map(({ text }) => places.get(text)!),
  };
}

/** The different texts, the most frequent first: it gets the shortest number. Of the same frequency, in the given order. */
export function byFrequency<Text>(texts: readonly Text[]): Text[] {
  const counts = new Map<Text, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([text]) => text);
}

/** JSON with only ASCII characters, for the reason in worker/phone/README.md. */
export function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

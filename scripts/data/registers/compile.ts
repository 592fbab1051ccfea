import { REGISTERS, type RegisterCountry } from "../../../contract/registers.ts";
import type { Holding, RegisterHead } from "../../../worker/phone/allocation.ts";
import { asciiJson, byFrequency, encodeRows } from "../encode.ts";
import { lineTypeOfHolder, readHolders } from "../holders.ts";
import { WIDTH } from "../plan-ranges.ts";
import type { RegisterContents, RegisterRange, RegisterReader } from "./register.ts";
import { canada } from "./canada.ts";
import { france } from "./france.ts";
import { mexico } from "./mexico.ts";
import { russia } from "./russia.ts";
import { unitedKingdom } from "./united-kingdom.ts";
import { unitedStates } from "./united-states.ts";

export const READERS: Readonly<Record<RegisterCountry, RegisterReader>> = {
  US: unitedStates,
  CA: canada,
  MX: mexico,
  FR: france,
  GB: unitedKingdom,
  RU: russia,
};

/** The prefix table in a register's file. */
export function prefixTableOf(file: string): string {
  return file.slice(file.indexOf("\n") + 1, file.indexOf("\n\n"));
}

/** Numbers from the first to the last, both filled up to WIDTH, and their holding as a line of the file; null for none. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly line: string | null;
}

/**
 * Encodes a register in the format of worker/phone/allocation.ts.
 * @throws Error if ranges of different holders overlap
 */
function encodeRegister(country: RegisterCountry, register: RegisterContents): string {
  const { asOf } = register;
  const head: RegisterHead = { as_of: asOf, unassigned_until: monthsAfter(asOf, REGISTERS[country].months) };
  const changes = changesOf(country, register);
  const lines = byFrequency(changes.flatMap(({ line }) => line ?? []));
  const numbers = new Map(lines.map((line, number) => [line, String(number)]));
  // As few digits as tell all rows apart.
  const width = changes.reduce((most, { at }) => Math.max(most, String(at).replace(/0+$/, "").length), 0);
  const rows = changes.map(({ at, line }) => ({
    prefix: String(at).slice(0, width),
    text: line === null ? null : numbers.get(line)!,
  }));
  return `${JSON.stringify(head)}\n${encodeRows(rows, width, asOf)}\n${lines.join("\n")}\n`;
}

/**
 * Where the line changes, and to which: those of the register's ranges, of what it covers but doesn't list, and none.
 * @throws Error if ranges with different holdings overlap
 */
function changesOf(
  country: RegisterCountry,
  { asOf, covers, ranges }: RegisterContents,
): { at: number; line: string | null }[] {
  const lineOf = toLine(country, asOf);
  const listed = inOrder(ranges.map((range) => ({ ...bounds(range), line: lineOf(range) })));
  const unlisted = asciiJson({ ...NOBODY, status: "unassigned" } satisfies Holding);
  const covered = inOrder(covers.map((prefix) => ({ ...bounds({ from: prefix, to: prefix }), line: unlisted })));
  const places = new Set([...listed, ...covered].flatMap(({ from, to }) => [from, to + 1]));
  const [inListed, inCovered] = [listed, covered].map(createReader) as [Reader, Reader];
  const changes: { at: number; line: string | null }[] = [];
  for (const at of [...places].toSorted((a, b) => a - b)) {
    const { line } = inListed(at) ?? inCovered(at) ?? { line: null };
    if (line !== (changes.at(-1)?.line ?? null)) changes.push({ at, line });
  }
  return changes;
}

type Reader = (at: number) => Piece | null;

/** Finds the piece that has a number, for ascending numbers. */
function createReader(pieces: readonly Piece[]): Reader {
  let next = 0;
  return (at) => {
    while (next < pieces.length && pieces[next]!.to < at) next += 1;
    const piece = pieces[next];
    return piece !== undefined && piece.from <= at ? piece : null;
  };
}

const NOBODY = { holder: null, holder_as_of: null, carrier: null, line_type: null } as const;

/** A range's holding as a line; null if the register says nothing. */
function toLine(country: RegisterCountry, asOf: string): (range: RegisterRange) => string | null {
  const holderOf = readHolders(country);
  const { lineTypes } = REGISTERS[country];
  const lines = new Map<string, string>();
  return ({ status, holder: legalName, holderAsOf = asOf, lineType }) => {
    if (status === null) return null;
    const key = [status, legalName, holderAsOf, lineType].join("\t");
    const known = lines.get(key);
    if (known !== undefined) return known;
    const holder = legalName === null ? null : holderOf(legalName);
    const holding: Holding = {
      status,
      holder: legalName,
      holder_as_of: legalName === null ? null : holderAsOf,
      carrier: holder?.brand ?? null,
      line_type: lineTypes === "original_allocation" ? lineTypeOfHolder(holder) : (lineType ?? null),
    };
    const line = asciiJson(holding);
    lines.set(key, line);
    return line;
  };
}

function bounds({ from, to }: Pick<RegisterRange, "from" | "to">): { from: number; to: number } {
  return { from: Number(from.padEnd(WIDTH, "0")), to: Number(to.padEnd(WIDTH, "9")) };
}

/** @throws Error if pieces with different lines overlap */
function inOrder(pieces: readonly Piece[]): Piece[] {
  const sorted = pieces.toSorted((a, b) => a.from - b.from);
  /** The one that reaches furthest so far: a later one may lie within it. */
  let furthest: Piece | undefined;
  for (const piece of sorted) {
    if (furthest !== undefined && piece.from <= furthest.to && piece.line !== furthest.line) {
      const { from, to } = furthest;
      throw new Error(`${from} to ${to} and ${piece.from} to ${piece.to} overlap, but are of different holders`);
    }
    if (furthest === undefined || piece.to > furthest.to) furthest = piece;
  }
  return sorted;
}

/** "2026-07-06" and 6 make "2027-01-06". */
export function monthsAfter(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  const dayOfMonth = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  // A shorter month has no such day: its last is the day before the next month's first.
  if (date.getUTCDate() !== dayOfMonth) date.setUTCDate(0);
  return date.toISOString().slice(0, 10);
}

/** A register's manifest entry. */
export interface RegisterProvenance {
  readonly date: string;
  readonly rows: number;
  readonly unassigned_until: string;
}

/** How much shorter than the last one a register may be. */
const LEAST_ROWS = 0.9;

/**
 * Compiles a folder's register; null if the folder lacks it.
 * @param last the manifest's entry for the committed table
 * @throws Error if the files aren't as expected, older than the last, or a tenth shorter
 */
export function compileRegister(
  country: RegisterCountry,
  directory: string,
  last: Pick<RegisterProvenance, "date" | "rows"> | undefined,
): (RegisterProvenance & { readonly bytes: Uint8Array }) | null {
  const register = READERS[country].read(directory);
  if (register === null) return null;
  const { asOf, rows } = register;
  if (last !== undefined && asOf < last.date) throw new Error(`of ${asOf}, older than the last one, of ${last.date}`);
  if (last !== undefined && rows < LEAST_ROWS * last.rows) {
    throw new Error(`${rows} rows, more than a tenth fewer than the last one's ${last.rows}`);
  }
  return {
    date: asOf,
    rows,
    unassigned_until: monthsAfter(asOf, REGISTERS[country].months),
    bytes: Buffer.from(encodeRegister(country, register)),
  };
}

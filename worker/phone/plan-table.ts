import { type InvalidReason, NUMBER_TYPES, type NumberType } from "../../contract/result-values.ts";
import { MAX_NATIONAL_LENGTH, NO_COUNTRY_REGION } from "./number.ts";

/**
 * The numbering plans as finite automata, in the binary table that `npm run data` writes and this module reads.
 *
 * Each calling code has two minimal deterministic automata over the digits of a national significant number. The outcome
 * of the node that the last digit leads to is the number's region and type in one, and its grouping in the other.
 *
 * Nodes are NODE_FIELDS numbers each: what the node says, and the nodes that the digits 0 to 9 lead to. Every node has all ten,
 * and one that no valid number reaches leads to itself, so following a number takes one array access per digit and no branch.
 *
 * Layout, little endian: u32 magic, u32 bytes in all, u32 bytes of the head; the head, JSON (see Head); then the nodes of each calling
 * code, in the order in which its roots and their digits first lead to them, as numbers below TWO_BYTES in one byte and others in two:
 * what each node says; then of each node, where its ten digits lead: the number of a node among those that this node's digits have led to
 * so far, NEXT_NODE for the first that nothing has led to, or EARLIER_NODE and how far back from that one.
 */
export const PLAN_TABLE_MAGIC = 0x504e4c43; // "CLNP"
export const PLAN_TABLE_FORMAT = 3;
export const PLAN_TABLE_HEADER_BYTES = 12;
export const NODE_FIELDS = 11;
/** Bytes from here on are the first of two. */
export const TWO_BYTES = 192;
/** After the ten that a node's digits can have led to. */
export const NEXT_NODE = 10;
export const EARLIER_NODE = 11;

/** Why a national number of some length is not possible, by its letter in Head. */
export const LENGTH_PROBLEMS = {
  "-": null,
  S: "TOO_SHORT",
  L: "TOO_LONG",
  I: "INVALID_LENGTH",
  D: "LOCAL_ONLY",
} as const satisfies Record<string, InvalidReason | null>;

export interface Head {
  readonly format: typeof PLAN_TABLE_FORMAT;
  /** Lengths of the groups and a template for them: "3,3,4 ($1) $2-$3"; empty for digits as they are. */
  readonly masks: readonly string[];
  /** Pairs of masks, national and international, by number. */
  readonly layouts: readonly (readonly [national: number, international: number])[];
  /** Of all plans. */
  readonly nodes: readonly [count: number, bytes: number];
  readonly plans: Readonly<Record<number, HeadPlan>>;
}

/** One calling code. */
interface HeadPlan {
  /** How many nodes it has, where they are behind the head, and the bytes of what they say. */
  readonly nodes: readonly [count: number, at: number, bytesOfSaid: number];
  /** First nodes of its two automata. */
  readonly roots: readonly [assignment: number, layout: number];
  /** In an assignment, regions are their places here plus one; 0 is none. */
  readonly regions: readonly string[];
  /** How numbers are dialed in each region that has a plan, the main region first, in the order of `regions`. */
  readonly dialling: readonly HeadDialling[];
  /** What is written before an extension. */
  readonly extensionPrefix: string;
}

/** How numbers are dialed in a region; patterns as libphonenumber has them, 0 for none. */
type HeadDialling = readonly [
  nationalNumber: string,
  /** A letter of LENGTH_PROBLEMS for each length from 0 to MAX_NATIONAL_LENGTH. */
  lengths: string,
  internationalPrefix: string | 0,
  nationalPrefix: string | 0,
  nationalPrefixTransform: string | 0,
];

/** How numbers are dialed in a region, for the parser. */
export interface DiallingPlan {
  readonly callingCode: string;
  /** Matches whole national numbers. */
  readonly nationalNumber: RegExp;
  /** What is dialed before a calling code, anchored at the start; null where nothing is. */
  readonly internationalPrefix: RegExp | null;
  /** What is dialed before a national number, carrier codes included, anchored at the start. */
  readonly nationalPrefix: RegExp | null;
  /** Replacement for the match of nationalPrefix, with $1 for its groups. */
  readonly nationalPrefixTransform: string | null;
  /** What is wrong with a national number of this many digits; null when the plan has complete numbers of that length. */
  lengthProblem(length: number): InvalidReason | null;
}

/** What a numbering plan has assigned a number to. There is one object of each kind in an opened table. */
export interface Assignment {
  readonly callingCode: string;
  /** ISO 3166-1 alpha-2, "001" for calling codes of no country, null when the number fits no region of its calling code. */
  readonly region: string | null;
  /** "unknown" exactly when the number is not valid. */
  readonly type: NumberType;
  /** False where a parser may take digits off its start for a national prefix or a carrier code. */
  readonly readAsIs: boolean;
}

/** A run of digits and what is written before it. */
interface Group {
  readonly before: string;
  readonly start: number;
  readonly end: number;
}

/** How a number is grouped; no groups at all for digits as they are. */
export interface Mask {
  readonly groups: readonly Group[];
  readonly after: string;
}

export interface Layout {
  readonly national: Mask;
  readonly international: Mask;
}

/** What the automata of one calling code say. */
export interface CallingCodePlan {
  readonly callingCode: string;
  readonly extensionPrefix: string;
  /** Of the national number that starts at a place in a text and ends with it; null when not all of it is ASCII digits. */
  assignment(text: string, start?: number): Assignment | null;
  /** Null as `assignment`. */
  layout(nationalNumber: string): Layout | null;
  /** As `DiallingPlan`, of the calling code's main region. */
  lengthProblem(length: number): InvalidReason | null;
  /** Of the calling code's main region (the US for 1). */
  dialling(): DiallingPlan;
}

export interface PlanTable {
  /** Whether there is a plan of this upper-case ISO 3166-1 alpha-2 code (or AC, TA, XK, which libphonenumber adds). */
  hasCountry(code: string): boolean;
  /** How numbers are dialed in a country; undefined where `hasCountry` is false. */
  diallingIn(country: string): DiallingPlan | undefined;
  /** The plan of a calling code, by its value as a number: 55; undefined for an unknown one. */
  plan(callingCode: number): CallingCodePlan | undefined;
}

/** An assignment as a node has it. */
export function packAssignment(region: number, type: NumberType, readAsIs: boolean): number {
  return (region << 5) | (NUMBER_TYPES.indexOf(type) << 1) | (readAsIs ? 1 : 0);
}

/** The number type of a packed assignment. */
export function typeOf(packed: number): NumberType {
  return NUMBER_TYPES[(packed >> 1) & 15]!;
}

/** A pattern that matches whole texts. */
export function entirely(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

/** A pattern that matches the start of a text; null for none. */
export function atStart(pattern: string | 0 | null | undefined): RegExp | null {
  return pattern ? new RegExp(`^(?:${pattern})`) : null;
}

function openDialling(callingCode: string, dialling: HeadDialling): DiallingPlan {
  const [nationalNumber, lengths, internationalPrefix, nationalPrefix, transform] = dialling;
  const problems = Array.from(lengths, (letter) => LENGTH_PROBLEMS[letter as keyof typeof LENGTH_PROBLEMS]);
  return {
    callingCode,
    nationalNumber: entirely(nationalNumber),
    internationalPrefix: atStart(internationalPrefix),
    nationalPrefix: atStart(nationalPrefix),
    nationalPrefixTransform: transform || null,
    lengthProblem: (length) => problems[Math.min(length, MAX_NATIONAL_LENGTH)]!,
  };
}

/** Opens the table that `npm run data` wrote. Throws an Error that says what is wrong with any other buffer. */
export function openPlanTable(buffer: ArrayBuffer): PlanTable {
  const { head, readNodes } = readPlanTable(buffer);
  // One array for all plans: what is followed most stays close together.
  const nodes = new Uint16Array(head.nodes[0] * NODE_FIELDS);
  let nodesRead = 0;
  // Opened when they are first asked for: an isolate needs few of them.
  const plans: CallingCodePlan[] = [];
  const layouts: Layout[] = [];
  const countries = new Map<string, DiallingPlan>();
  /** Calling codes by country, once one is asked for. */
  let callingCodes: Map<string, number> | undefined;

  function callingCodeOf(country: string): number | undefined {
    callingCodes ??= new Map(
      Object.entries(head.plans).flatMap(([callingCode, { regions, dialling }]) =>
        regions.slice(0, dialling.length).map((region) => [region, Number(callingCode)] as const),
      ),
    );
    return country === NO_COUNTRY_REGION ? undefined : callingCodes.get(country);
  }

  function openLayout(index: number): Layout {
    const [national, international] = head.layouts[index]!;
    return { national: toMask(head.masks[national]!), international: toMask(head.masks[international]!) };
  }

  // What the node says that the text leads to, negative where there is none.
  function follow(root: number, text: string, start: number): number {
    let node = root;
    for (let at = start; at < text.length; at++) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) return -1;
      node = nodes[node * NODE_FIELDS + 1 + digit]!;
    }
    return nodes[node * NODE_FIELDS]!;
  }

  function openPlan(callingCode: string, plan: HeadPlan): CallingCodePlan {
    const first = nodesRead;
    readNodes(plan, nodes, first);
    nodesRead += plan.nodes[0];
    const [assignmentRoot, layoutRoot] = [first + plan.roots[0], first + plan.roots[1]];
    const main = openDialling(callingCode, plan.dialling[0]!);
    const assignments: Assignment[] = [];

    function unpack(packed: number): Assignment {
      const region = plan.regions[(packed >> 5) - 1] ?? null;
      return { callingCode, region, type: typeOf(packed), readAsIs: (packed & 1) === 1 };
    }
    return {
      callingCode,
      extensionPrefix: plan.extensionPrefix,
      assignment(text, start = 0) {
        const packed = follow(assignmentRoot, text, start);
        return packed < 0 ? null : (assignments[packed] ??= unpack(packed));
      },
      layout(nationalNumber) {
        const index = follow(layoutRoot, nationalNumber, 0);
        return index < 0 ? null : (layouts[index] ??= openLayout(index));
      },
      lengthProblem: main.lengthProblem,
      dialling: () => main,
    };
  }

  return {
    hasCountry: (code) => callingCodeOf(code) !== undefined,
    diallingIn(country) {
      const known = countries.get(country);
      if (known !== undefined) return known;
      const callingCode = callingCodeOf(country);
      if (callingCode === undefined) return undefined;
      const { regions, dialling } = head.plans[callingCode]!;
      const opened = openDialling(String(callingCode), dialling[regions.indexOf(country)]!);
      countries.set(country, opened);
      return opened;
    },
    plan(callingCode) {
      const known = plans[callingCode];
      if (known !== undefined) return known;
      const plan = head.plans[callingCode];
      return plan && (plans[callingCode] = openPlan(String(callingCode), plan));
    },
  };
}

interface PlanTableParts {
  readonly head: Head;
  /** The nodes of a calling code in `head.plans`, which its roots number. */
  nodesOf(callingCode: string): Uint16Array;
  /** Puts the nodes of a plan into an array, where the first gets this number. */
  readNodes(plan: HeadPlan, nodes: Uint16Array, first: number): void;
}

/** The parts of a table. Throws as `openPlanTable`. */
export function readPlanTable(buffer: ArrayBuffer): PlanTableParts {
  if (buffer.byteLength < PLAN_TABLE_HEADER_BYTES) throw damaged(`${buffer.byteLength} bytes are too few for a header`);
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== PLAN_TABLE_MAGIC) throw damaged("it does not start with CLNP");
  const total = view.getUint32(4, true);
  if (total !== buffer.byteLength) throw damaged(`${total} bytes were written, ${buffer.byteLength} are there`);
  const nodesAt = PLAN_TABLE_HEADER_BYTES + view.getUint32(8, true);
  if (nodesAt > total) throw damaged("its head is miscounted");
  const bytes = new Uint8Array(buffer);
  const head = parseHead(bytes.subarray(PLAN_TABLE_HEADER_BYTES, nodesAt));
  if (head.format !== PLAN_TABLE_FORMAT)
    throw damaged(`its format is ${head.format}, this reader knows ${PLAN_TABLE_FORMAT}`);
  if (nodesAt + head.nodes[1] !== total) throw damaged("its nodes are miscounted");
  function readNodes(plan: HeadPlan, nodes: Uint16Array, first: number): void {
    unpackNodes(bytes.subarray(nodesAt + plan.nodes[1]), plan, nodes, first);
  }
  function nodesOf(callingCode: string): Uint16Array {
    const plan = head.plans[Number(callingCode)]!;
    const nodes = new Uint16Array(plan.nodes[0] * NODE_FIELDS);
    readNodes(plan, nodes, 0);
    return nodes;
  }
  return { head, nodesOf, readNodes };
}

function parseHead(json: Uint8Array): Head {
  try {
    return JSON.parse(new TextDecoder().decode(json)) as Head;
  } catch (cause) {
    throw damaged("its head is not JSON", cause);
  }
}

function unpackNodes(
  bytes: Uint8Array,
  { nodes: [count, , bytesOfSaid], roots }: HeadPlan,
  nodes: Uint16Array,
  first: number,
): void {
  let at = 0;
  let movesAt = bytesOfSaid;
  /** The first that nothing has led to. */
  let unreached = first;
  /** What the digits of a node have led to so far. */
  const others = new Uint16Array(10);
  for (let node = first; node < first + count; node++) {
    const field = node * NODE_FIELDS;
    const said = bytes[at++]!;
    nodes[field] = said < TWO_BYTES ? said : TWO_BYTES + (said - TWO_BYTES) * 256 + bytes[at++]!;
    if (roots.includes(node - first)) unreached = Math.max(unreached, node + 1);
    let known = 0;
    for (let digit = 1; digit < NODE_FIELDS; digit++) {
      const byte = bytes[movesAt++]!;
      const move = byte < TWO_BYTES ? byte : TWO_BYTES + (byte - TWO_BYTES) * 256 + bytes[movesAt++]!;
      if (move < NEXT_NODE) nodes[field + digit] = others[move]!;
      else {
        const next = move === NEXT_NODE ? unreached++ : unreached - 1 - (move - EARLIER_NODE);
        if (next < first || next >= first + count) throw damaged("a digit leads outside its plan");
        others[known++] = nodes[field + digit] = next;
      }
    }
  }
  if (at !== bytesOfSaid) throw damaged("its nodes are miscounted");
}

function toMask(text: string): Mask {
  if (text === "") return { groups: [], after: "" };
  const space = text.indexOf(" ");
  const ends: number[] = [0];
  for (const length of text.slice(0, space).split(",")) ends.push(ends.at(-1)! + Number(length));
  // Literal text and group numbers by turns.
  const pieces = text.slice(space + 1).split(/\$(\d)/);
  const groups: Group[] = [];
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const group = Number(pieces[at + 1]);
    groups.push({ before: pieces[at]!, start: ends[group - 1]!, end: ends[group]! });
  }
  return { groups, after: pieces.at(-1)! };
}

function damaged(what: string, cause?: unknown): Error {
  return new Error(`Not a usable numbering plan table: ${what}`, { cause });
}

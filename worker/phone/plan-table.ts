import { type InvalidReason, NUMBER_TYPES, type NumberType } from "../../contract/result-values.ts";
import { MAX_CALLING_CODE_LENGTH, MAX_NATIONAL_LENGTH, NO_COUNTRY_REGION } from "./number.ts";

/**
 * Reads the table of numbering plans written by `npm run data`: two finite automata for each calling code. README.md
 * describes the format.
 */
export const PLAN_TABLE_MAGIC = 0x504e4c43; // "CLNP"
export const PLAN_TABLE_FORMAT = 5;
export const PLAN_TABLE_HEADER_BYTES = 12;
export const NODE_FIELDS = 11;
/** A byte of this value or more is the first of two. */
export const TWO_BYTES = 192;
/** Follows the ten possible targets of a node's earlier digits. */
export const NEXT_NODE = 10;
export const EARLIER_NODE = 11;

/** Why a national number of a length isn't possible, by its letter in RegionDialing. */
export const LENGTH_PROBLEMS = {
  "-": null,
  S: "TOO_SHORT",
  L: "TOO_LONG",
  I: "INVALID_LENGTH",
  D: "LOCAL_ONLY",
} as const satisfies Record<string, InvalidReason | null>;

export interface Head {
  readonly format: typeof PLAN_TABLE_FORMAT;
  /** The outcomes of layout automata are indexes into these. */
  readonly layouts: readonly HeadLayout[];
  /** How many nodes all plans have. */
  readonly nodeCount: number;
  readonly plans: Readonly<Record<number, HeadPlan>>;
}

/** Group lengths and a template, "3,3,4 ($1) $2-$3"; null for ungrouped digits. */
export interface HeadLayout {
  readonly national: string | null;
  readonly international: string | null;
}

/** One calling code. */
export interface HeadPlan {
  readonly nodeCount: number;
  /** How many bytes its nodes take. */
  readonly nodeBytes: number;
  /** The first nodes of its two automata. */
  readonly assignmentRoot: number;
  readonly layoutRoot: number;
  /** An assignment has an index into these plus one; 0 is none. */
  readonly regions: readonly string[];
  /** The text before an extension. */
  readonly extensionPrefix: string;
}

/** The dialing rules: by calling code, in the order of `plans`; then by region, in the order of `regions`. */
export type DialingRules = readonly (readonly RegionDialing[])[];

/** A region's dialing rules, with libphonenumber's patterns. */
export interface RegionDialing {
  readonly nationalNumber: string;
  /** A letter of LENGTH_PROBLEMS for each length from 0 to MAX_NATIONAL_LENGTH. */
  readonly lengths: string;
  readonly internationalPrefix: string | null;
  readonly nationalPrefix: string | null;
  readonly nationalPrefixTransform: string | null;
}

/** A region's dialing rules, for the parser. */
export interface DialingPlan {
  readonly callingCode: string;
  /** Matches whole national numbers. */
  readonly nationalNumber: RegExp;
  /** Matches the prefix dialed before a calling code, anchored at the start; null if there is none. */
  readonly internationalPrefix: RegExp | null;
  /** Matches the prefix dialed before a national number, including carrier codes, anchored at the start. */
  readonly nationalPrefix: RegExp | null;
  /** The replacement for the match of nationalPrefix, with $1 for its groups. */
  readonly nationalPrefixTransform: string | null;
  /** What is wrong with a national number of this length; null if the plan has complete numbers of that length. */
  lengthProblem(length: number): InvalidReason | null;
}

/** A number's assignment in its plan. An opened table reuses one object per distinct assignment. */
export interface Assignment {
  readonly callingCode: string;
  /** ISO 3166-1 alpha-2, "001" for calling codes without a country, null if no region of the calling code fits. */
  readonly region: string | null;
  /** "unknown" if and only if the number is invalid. */
  readonly type: NumberType;
  /** False if a parser may strip a national prefix or carrier code from it. */
  readonly readAsIs: boolean;
}

/** The parts of a grouped number: text between the groups, and where each group's digits start and end. */
export type Mask = readonly (string | readonly [start: number, end: number])[];

/** A number's groupings, null for ungrouped digits. */
export interface Layout {
  readonly national: Mask | null;
  /** Begins with the plus sign and the calling code. */
  readonly international: Mask | null;
  /** The same with hyphens instead of spaces. */
  readonly rfc3966: Mask | null;
}

/** The plan of one calling code. */
export interface CallingCodePlan {
  readonly callingCode: string;
  readonly extensionPrefix: string;
  /** The assignment of the national number from `start` to the end of the text; null unless it's all ASCII digits. */
  assignment(text: string, start?: number): Assignment | null;
  /** Null like `assignment`. */
  layout(nationalNumber: string): Layout | null;
  /** As in `DialingPlan`, for the calling code's main region. */
  lengthProblem(length: number): InvalidReason | null;
  /** The dialing rules of the calling code's main region (the US for 1). */
  dialing(): DialingPlan;
}

export interface PlanTable {
  /** Whether there is a plan for this uppercase ISO 3166-1 alpha-2 code, or libphonenumber's AC, TA, or XK. */
  hasCountry(code: string): boolean;
  /** A country's dialing rules; undefined if `hasCountry` is false. */
  dialingIn(country: string): DialingPlan | undefined;
  /** The plan of a calling code such as 55; undefined for an unknown one. */
  plan(callingCode: number): CallingCodePlan | undefined;
  /** The plan of the calling code that the digits from `start` begin with; undefined for none. */
  planOf(international: string, start?: number): CallingCodePlan | undefined;
}

/** Packs an assignment into a node's outcome. */
export function packAssignment(region: number, type: NumberType, readAsIs: boolean): number {
  return (region << 5) | (NUMBER_TYPES.indexOf(type) << 1) | (readAsIs ? 1 : 0);
}

/** Which of its plan's regions a packed assignment is in; -1 for no assignment. */
export function regionIndexOf(packed: number): number {
  return (packed >> 5) - 1;
}

/** The number type of a packed assignment. */
export function typeOf(packed: number): NumberType {
  return NUMBER_TYPES[(packed >> 1) & 15]!;
}

/** Anchors a pattern to match whole texts. */
export function entirely(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

/** Anchors a pattern to the start of a text; null for none. */
export function atStart(pattern: string | 0 | null | undefined): RegExp | null {
  return pattern ? new RegExp(`^(?:${pattern})`) : null;
}

function openDialing(callingCode: string, dialing: RegionDialing): DialingPlan {
  const problems = Array.from(dialing.lengths, (letter) => LENGTH_PROBLEMS[letter as keyof typeof LENGTH_PROBLEMS]);
  return {
    callingCode,
    nationalNumber: entirely(dialing.nationalNumber),
    internationalPrefix: atStart(dialing.internationalPrefix),
    nationalPrefix: atStart(dialing.nationalPrefix),
    nationalPrefixTransform: dialing.nationalPrefixTransform,
    lengthProblem: (length) => problems[Math.min(length, MAX_NATIONAL_LENGTH)]!,
  };
}

/** Opens a table written by `npm run data`. @throws Error that describes what is wrong with any other buffer */
export function openPlanTable(buffer: ArrayBuffer): PlanTable {
  const { head, dialingOf, readNodes } = readPlanTable(buffer);
  /** All plans' nodes, a calling code's from when it's first used. */
  const nodes = new Uint16Array(head.nodeCount * NODE_FIELDS);
  let nodesRead = 0;
  // Opened on first use, because an isolate needs few of them.
  const plans: CallingCodePlan[] = [];
  const countries = new Map<string, DialingPlan>();
  /** Calling codes by country, built on first use. */
  let callingCodes: Map<string, number> | undefined;

  function callingCodeOf(country: string): number | undefined {
    callingCodes ??= new Map(
      // A region in the plan of another, San Marino in +39, comes again under its own.
      Object.entries(head.plans).flatMap(([callingCode, { regions }]) =>
        regions.map((region) => [region, Number(callingCode)] as const),
      ),
    );
    return country === NO_COUNTRY_REGION ? undefined : callingCodes.get(country);
  }

  function openLayout(index: number, callingCode: string): Layout {
    const texts = head.layouts[index]!;
    const international = toMask(texts.international, `+${callingCode} `);
    const hyphenated = international?.map((part) => (typeof part === "string" ? part.replaceAll(" ", "-") : part));
    return { national: toMask(texts.national, ""), international, rfc3966: hyphenated ?? null };
  }

  // Returns the outcome of the final node, or -1 if the text isn't all digits.
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
    readNodes(callingCode, nodes, first);
    nodesRead += plan.nodeCount;
    // Opened on first use: only the parser and invalid numbers need it.
    let main: DialingPlan | undefined;
    const dialing = () => (main ??= openDialing(callingCode, dialingOf(callingCode)[0]!));
    const assignments: Assignment[] = [];
    const layouts: Layout[] = [];

    function unpack(packed: number): Assignment {
      const region = plan.regions[regionIndexOf(packed)] ?? null;
      return { callingCode, region, type: typeOf(packed), readAsIs: (packed & 1) === 1 };
    }
    return {
      callingCode,
      extensionPrefix: plan.extensionPrefix,
      assignment(text, start = 0) {
        const packed = follow(first + plan.assignmentRoot, text, start);
        return packed < 0 ? null : (assignments[packed] ??= unpack(packed));
      },
      layout(nationalNumber) {
        const index = follow(first + plan.layoutRoot, nationalNumber, 0);
        return index < 0 ? null : (layouts[index] ??= openLayout(index, callingCode));
      },
      lengthProblem: (length) => dialing().lengthProblem(length),
      dialing,
    };
  }

  function planFor(callingCode: number): CallingCodePlan | undefined {
    const known = plans[callingCode];
    if (known !== undefined) return known;
    const plan = head.plans[callingCode];
    return plan && (plans[callingCode] = openPlan(String(callingCode), plan));
  }

  return {
    hasCountry: (code) => callingCodeOf(code) !== undefined,
    dialingIn(country) {
      const known = countries.get(country);
      if (known !== undefined) return known;
      const callingCode = callingCodeOf(country);
      if (callingCode === undefined) return undefined;
      const region = head.plans[callingCode]!.regions.indexOf(country);
      const opened = openDialing(String(callingCode), dialingOf(String(callingCode))[region]!);
      countries.set(country, opened);
      return opened;
    },
    plan: planFor,
    planOf(international, start = 0) {
      let callingCode = 0;
      for (let at = start; at < start + MAX_CALLING_CODE_LENGTH; at++) {
        const digit = international.charCodeAt(at) - 48;
        // No calling code starts with 0.
        if (!(digit >= 0 && digit <= 9) || (callingCode = callingCode * 10 + digit) === 0) return undefined;
        const plan = planFor(callingCode);
        if (plan !== undefined) return plan;
      }
      return undefined;
    },
  };
}

interface PlanTableParts {
  readonly head: Head;
  /** The dialing rules of a calling code in `head.plans`, which are parsed on first use. */
  dialingOf(callingCode: string): readonly RegionDialing[];
  /** The nodes of a calling code in `head.plans`, which its roots are indexes into. */
  nodesOf(callingCode: string): Uint16Array;
  /** Writes the nodes of a calling code into an array. The first gets the index `first`. */
  readNodes(callingCode: string, nodes: Uint16Array, first: number): void;
}

/** Reads the parts of a table. Throws like `openPlanTable`. */
export function readPlanTable(buffer: ArrayBuffer): PlanTableParts {
  if (buffer.byteLength < PLAN_TABLE_HEADER_BYTES) throw damaged(`${buffer.byteLength} bytes are too few for a header`);
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== PLAN_TABLE_MAGIC) throw damaged("it doesn't start with CLNP");
  const total = view.getUint32(4, true);
  if (total !== buffer.byteLength) throw damaged(`it should have ${total} bytes, but has ${buffer.byteLength}`);
  const nodesAt = PLAN_TABLE_HEADER_BYTES + view.getUint32(8, true);
  if (nodesAt > total) throw damaged("the size of its head is wrong");
  const bytes = new Uint8Array(buffer);
  const head = parseJson<Head>(bytes.subarray(PLAN_TABLE_HEADER_BYTES, nodesAt));
  if (head.format !== PLAN_TABLE_FORMAT)
    throw damaged(`its format is ${head.format}, but only ${PLAN_TABLE_FORMAT} is supported`);
  const callingCodes = Object.keys(head.plans);
  const offsets: number[] = [nodesAt];
  for (const callingCode of callingCodes) offsets.push(offsets.at(-1)! + head.plans[Number(callingCode)]!.nodeBytes);
  const dialingAt = offsets.at(-1)!;
  if (dialingAt > total) throw damaged("its node count is wrong");
  let dialing: DialingRules | undefined;
  function dialingOf(callingCode: string): readonly RegionDialing[] {
    dialing ??= parseJson<DialingRules>(bytes.subarray(dialingAt));
    return dialing[callingCodes.indexOf(callingCode)]!;
  }
  function readNodes(callingCode: string, nodes: Uint16Array, first: number): void {
    const index = callingCodes.indexOf(callingCode);
    const ofPlan = bytes.subarray(offsets[index], offsets[index + 1]);
    unpackNodes(ofPlan, head.plans[Number(callingCode)]!, nodes, first);
  }
  function nodesOf(callingCode: string): Uint16Array {
    const nodes = new Uint16Array(head.plans[Number(callingCode)]!.nodeCount * NODE_FIELDS);
    readNodes(callingCode, nodes, 0);
    return nodes;
  }
  return { head, dialingOf, nodesOf, readNodes };
}

function parseJson<Part>(json: Uint8Array): Part {
  try {
    return JSON.parse(new TextDecoder().decode(json)) as Part;
  } catch (cause) {
    throw damaged("a part isn't JSON", cause);
  }
}

function unpackNodes(bytes: Uint8Array, plan: HeadPlan, nodes: Uint16Array, first: number): void {
  let at = 0;
  const end = first + plan.nodeCount;
  const roots = [first + plan.assignmentRoot, first + plan.layoutRoot];
  for (let node = first; node < end; node++) {
    const outcome = bytes[at++]!;
    nodes[node * NODE_FIELDS] = outcome < TWO_BYTES ? outcome : TWO_BYTES + (outcome - TWO_BYTES) * 256 + bytes[at++]!;
  }
  /** The first unreached node. */
  let unreached = first;
  /** The targets of a node's earlier digits. */
  const others = new Uint16Array(10);
  for (let node = first; node < end; node++) {
    const field = node * NODE_FIELDS;
    if (roots.includes(node)) unreached = Math.max(unreached, node + 1);
    let known = 0;
    for (let digit = 1; digit < NODE_FIELDS; digit++) {
      const byte = bytes[at++]!;
      const move = byte < TWO_BYTES ? byte : TWO_BYTES + (byte - TWO_BYTES) * 256 + bytes[at++]!;
      if (move < NEXT_NODE) nodes[field + digit] = others[move]!;
      else {
        const next = move === NEXT_NODE ? unreached++ : unreached - 1 - (move - EARLIER_NODE);
        if (!(next >= first && next < end)) throw damaged("a digit leads outside its plan");
        others[known++] = nodes[field + digit] = next;
      }
    }
  }
  if (at !== bytes.length) throw damaged("a plan's node count is wrong");
}

/** The text before the template is for abroad. */
function toMask(text: string | null, prefix: string): Mask | null {
  if (text === null) return null;
  const space = text.indexOf(" ");
  let end = 0;
  const groups = Array.from(text.slice(0, space).split(","), (length) => [end, (end += Number(length))] as const);
  const template = prefix + text.slice(space + 1);
  // Between texts, the numbers of groups.
  return template.split(/\$(\d)/).map((part, place) => (place % 2 === 0 ? part : groups[Number(part) - 1]!));
}

function damaged(what: string, cause?: unknown): Error {
  return new Error(`Invalid numbering plan table: ${what}`, { cause });
}

import {
  type DialingRules,
  EARLIER_NODE,
  type Head,
  type HeadPlan,
  LENGTH_PROBLEMS,
  NEXT_NODE,
  NODE_FIELDS,
  PLAN_TABLE_FORMAT,
  PLAN_TABLE_HEADER_BYTES,
  PLAN_TABLE_MAGIC,
  type RegionDialing,
  TWO_BYTES,
} from "../../worker/phone/plan-table.ts";
import { MAX_NATIONAL_LENGTH } from "../../worker/phone/number.ts";
import { assignmentAutomaton } from "./assignments.ts";
import { createNodePool } from "./automaton.ts";
import { addedPlans, typeCorrections } from "./corrections.ts";
import { createLayouts, type FormatRules } from "./layouts.ts";
import { lengthProblem, patternOf, type Plan } from "./plan-metadata.ts";

/** The largest number two bytes can encode. */
const LARGEST = TWO_BYTES + (256 - TWO_BYTES) * 256 - 1;

/** Numbering plans from any source. */
export interface PlanSource {
  /** Every calling code, digits only, in ascending order. */
  callingCodes(): readonly string[];
  /** Every plan behind a calling code, the main region's first. */
  plansOfCallingCode(callingCode: string): readonly Plan[];
  /** The formats of a calling code. */
  formatRulesOf(callingCode: string): FormatRules;
}

/** Compiles plans into the table format of worker/phone/plan-table.ts. */
export function encodePlanTable(source: PlanSource): Uint8Array {
  const layouts = createLayouts();
  const nodes: Uint8Array[] = [];
  let nodeCount = 0;
  const dialing: RegionDialing[][] = [];
  const plans = source.callingCodes().map((callingCode) => {
    const pool = createNodePool();
    const regional = source.plansOfCallingCode(callingCode);
    const added = addedPlans(callingCode, regional);
    const assignment = assignmentAutomaton(regional, added, typeCorrections(callingCode));
    const rules = source.formatRulesOf(callingCode);
    const layout = layouts.automatonOf(rules);
    const [first, second] = [assignment, layout].map(({ start, outcome }) =>
      pool.add(start, MAX_NATIONAL_LENGTH, outcome),
    );
    const packed = packNodes(pool.fields(), [first!, second!]);
    nodes.push(packed.said, packed.moves);
    nodeCount += packed.count;
    const regions = [...regional, ...added].map(({ region }) => region);
    dialing.push(regional.map(dialingOf));
    const plan: HeadPlan = {
      nodeCount: packed.count,
      nodeBytes: packed.said.length + packed.moves.length,
      assignmentRoot: packed.roots[0],
      layoutRoot: packed.roots[1],
      regions,
      extensionPrefix: rules.extensionPrefix,
    };
    return [callingCode, plan];
  });
  const head: Head = {
    format: PLAN_TABLE_FORMAT,
    layouts: layouts.layouts,
    nodeCount,
    plans: Object.fromEntries(plans),
  };
  if (nodeCount > 0xffff) throw new Error(`${nodeCount} nodes don't fit into 16 bits`);
  return assemble(head, nodes, dialing);
}

function dialingOf(plan: Plan): RegionDialing {
  const { nationalNumber, internationalPrefix, nationalPrefix, nationalPrefixTransform } = plan;
  return {
    nationalNumber: patternOf(nationalNumber),
    lengths: lengthsOf(plan),
    internationalPrefix: internationalPrefix && patternOf(internationalPrefix),
    nationalPrefix: nationalPrefix && patternOf(nationalPrefix),
    nationalPrefixTransform,
  };
}

function lengthsOf(plan: Plan): string {
  const letters = Object.keys(LENGTH_PROBLEMS) as (keyof typeof LENGTH_PROBLEMS)[];
  return Array.from({ length: MAX_NATIONAL_LENGTH + 1 }, (_, length) => {
    const problem = lengthProblem(plan, length);
    return letters.find((letter) => LENGTH_PROBLEMS[letter] === problem);
  }).join("");
}

/** Encodes nodes in the order and format of worker/phone/plan-table.ts. */
function packNodes(fields: readonly number[], roots: readonly [number, number]) {
  const numbers = new Map<number, number>();
  // Grows during iteration.
  const ordered: number[] = [];
  function numberOf(node: number): number {
    let number = numbers.get(node);
    if (number === undefined) {
      number = ordered.push(node) - 1;
      numbers.set(node, number);
    }
    return number;
  }
  const [said, moves]: [number[], number[]] = [[], []];
  let done = 0;
  for (const root of roots) {
    numberOf(root);
    for (; done < ordered.length; done++) {
      const [says, ...targets] = fields.slice(ordered[done]! * NODE_FIELDS).slice(0, NODE_FIELDS);
      pushNumber(said, says!);
      const others: number[] = [];
      for (const target of targets) {
        const known = others.indexOf(target);
        const unreached = ordered.length;
        const number = numberOf(target);
        if (known < 0) others.push(target);
        pushNumber(
          moves,
          known >= 0 ? known : number === unreached ? NEXT_NODE : EARLIER_NODE + unreached - 1 - number,
        );
      }
    }
  }
  return {
    said: Uint8Array.from(said),
    moves: Uint8Array.from(moves),
    count: ordered.length,
    roots: [numberOf(roots[0]), numberOf(roots[1])] as const,
  };
}

function pushNumber(bytes: number[], number: number): void {
  const more = number - TWO_BYTES;
  if (more < 0) bytes.push(number);
  else if (number <= LARGEST) bytes.push(TWO_BYTES + (more >> 8), more & 255);
  else throw new Error(`${number} doesn't fit into two bytes`);
}

function assemble(head: Head, nodes: readonly Uint8Array[], dialing: DialingRules): Uint8Array {
  const json = Buffer.from(JSON.stringify(head));
  const header = Buffer.alloc(PLAN_TABLE_HEADER_BYTES);
  const table = Buffer.concat([header, json, ...nodes, Buffer.from(JSON.stringify(dialing))]);
  table.writeUInt32LE(PLAN_TABLE_MAGIC, 0);
  table.writeUInt32LE(table.length, 4);
  table.writeUInt32LE(json.length, 8);
  return table;
}

import { NODE_FIELDS, type readPlanTable, regionIndexOf, typeOf } from "../../worker/phone/plan-table.ts";
import { follow } from "./automaton.ts";

/** The digits of the longest numbers in the registers, with their calling code. */
export const WIDTH = 12;

/** Numbers with a common prefix, and the node of their plan's automaton to which it leads. */
export interface PlanRange {
  /** The row that has these numbers, filled up to WIDTH; the calling code's own before its first row. */
  readonly row: string;
  /** Calling code and national digits. */
  readonly prefix: string;
  readonly node: number;
}

/**
 * Walks a calling code's plan along the rows of tables, each of which holds up to the next.
 * @param starts the digits at which each row starts, in any order; those of other calling codes are skipped
 */
export function* planRanges(
  callingCode: string,
  plans: ReturnType<typeof readPlanTable>,
  starts: readonly string[],
): Generator<PlanRange> {
  const nodes = plans.nodesOf(callingCode);
  const { assignmentRoot } = plans.head.plans[Number(callingCode)]!;
  const inside = starts.filter((start) => start.startsWith(callingCode));
  const rows = [...new Set([callingCode, ...inside].map((start) => start.padEnd(WIDTH, "0")))].toSorted();
  for (const [i, row] of rows.entries()) {
    const to = i + 1 < rows.length ? Number(rows[i + 1]) - 1 : Number(callingCode.padEnd(WIDTH, "9"));
    for (const prefix of prefixesBetween(Number(row), to)) {
      yield { row, prefix, node: follow(nodes, assignmentRoot, prefix.slice(callingCode.length)) };
    }
  }
}

/** The fewest prefixes that have all numbers from one to another, both with WIDTH digits. */
export function* prefixesBetween(from: number, to: number): Generator<string> {
  for (let at = from; at <= to;) {
    let size = 1;
    while (at % (size * 10) === 0 && at + size * 10 - 1 <= to) size *= 10;
    yield String(at / size);
    at += size;
  }
}

/** Counts the valid numbers that a node leads to, by region and type, such as "GP mobile". */
export function numbersUnder(nodes: ArrayLike<number>, regions: readonly string[]) {
  const counts = new Map<number, ReadonlyMap<string, number>>();
  function from(node: number): ReadonlyMap<string, number> {
    const known = counts.get(node);
    if (known !== undefined) return known;
    const sum = new Map<string, number>();
    // A dead end leads to itself.
    counts.set(node, sum);
    const packed = nodes[node * NODE_FIELDS]!;
    const type = typeOf(packed);
    if (type !== "unknown") sum.set(`${regions[regionIndexOf(packed)]} ${type}`, 1);
    for (let digit = 0; digit < 10; digit++) {
      for (const [longer, numbers] of from(nodes[node * NODE_FIELDS + 1 + digit]!)) {
        sum.set(longer, (sum.get(longer) ?? 0) + numbers);
      }
    }
    return sum;
  }
  return from;
}

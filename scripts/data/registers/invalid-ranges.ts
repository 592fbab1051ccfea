import type { RegisterCountry } from "../../../contract/registers.ts";
import { formatCount } from "../../../contract/format.ts";
import { openRegister } from "../../../worker/phone/allocation.ts";
import { NODE_FIELDS, type readPlanTable, typeOf } from "../../../worker/phone/plan-table.ts";
import { follow } from "../automaton.ts";
import { callingCodeIn, prefixesOf } from "../encode.ts";
import { prefixesBetween, prefixTableOf, WIDTH } from "./compile.ts";

/** Numbers from the first to the last, both filled up to WIDTH. */
interface Range {
  readonly callingCode: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The ranges that a register calls assigned, but in which the plan has no number, as lines: either is wrong.
 * "US: +13402130000 to +13402139999, 10,000 numbers"
 */
export function invalidRanges(
  country: RegisterCountry,
  file: string,
  plans: ReturnType<typeof readPlanTable>,
): string[] {
  const { find } = openRegister(file);
  const starts = prefixesOf(prefixTableOf(file)).map((start) => Number(start.padEnd(WIDTH, "0")));
  const automata = new Map<string, (national: string) => boolean>();
  const ranges: Range[] = [];
  for (const [row, from] of starts.entries()) {
    if (find(String(from))?.status !== "assigned") continue;
    for (const prefix of prefixesBetween(from, (starts[row + 1] ?? 10 ** WIDTH) - 1)) {
      const callingCode = callingCodeIn(prefix, (digits) => Object.hasOwn(plans.head.plans, digits))!;
      if (!automata.has(callingCode)) automata.set(callingCode, hasNumbers(callingCode, plans));
      if (automata.get(callingCode)!(prefix.slice(callingCode.length))) continue;
      const [first, last] = [Number(prefix.padEnd(WIDTH, "0")), Number(prefix.padEnd(WIDTH, "9"))];
      const before = ranges.at(-1);
      if (before?.to === first - 1) ranges[ranges.length - 1] = { ...before, to: last };
      else ranges.push({ callingCode, from: first, to: last });
    }
  }
  return ranges.map(({ callingCode, from, to }) => {
    // The plan's longest numbers that a register can hold: Russia's plan has some of 14 digits.
    const lengths = plans.dialingOf(callingCode)[0]!.lengths.slice(0, WIDTH - callingCode.length + 1);
    const digits = callingCode.length + lengths.lastIndexOf("-");
    const [first, last] = [from, to].map((number) => String(number).slice(0, digits)) as [string, string];
    return `${country}: +${first} to +${last}, ${formatCount(Number(last) - Number(first) + 1)} numbers`;
  });
}

/** Tells whether a calling code's plan has any numbers that start with some national digits. */
function hasNumbers(callingCode: string, plans: ReturnType<typeof readPlanTable>): (national: string) => boolean {
  const nodes = plans.nodesOf(callingCode);
  const known = new Map<number, boolean>();
  function from(node: number): boolean {
    const found = known.get(node);
    if (found !== undefined) return found;
    // A dead end leads to itself.
    known.set(node, false);
    const [outcome = 0, ...targets] = nodes.subarray(node * NODE_FIELDS, (node + 1) * NODE_FIELDS);
    const has = typeOf(outcome) !== "unknown" || targets.some(from);
    known.set(node, has);
    return has;
  }
  return (national) => from(follow(nodes, plans.head.plans[Number(callingCode)]!.assignmentRoot, national));
}

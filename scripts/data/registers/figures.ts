import type { RegisterCountry } from "../../../contract/registers.ts";
import type { LineType, NumberType } from "../../../contract/result-values.ts";
import { openRegister, registerOf } from "../../../worker/phone/allocation.ts";
import { carrier } from "../../../worker/phone/geography.ts";
import { lineTypeOf } from "../../../worker/phone/line-type.ts";
import { NODE_FIELDS, type readPlanTable, regionIndexOf, typeOf } from "../../../worker/phone/plan-table.ts";
import { openPrefixTable } from "../../../worker/phone/prefix-table.ts";
import { carrierOf } from "../../../worker/phone/verify.ts";
import { follow } from "../automaton.ts";
import { prefixesOf } from "../encode.ts";
import { prefixesBetween, prefixTableOf, WIDTH } from "./compile.ts";

/** How many numbers there are, and of how many something is known: without the register, before it. */
interface Counts {
  numbers: number;
  holder: number;
  carrierBefore: number;
  carrier: number;
  lineTypeBefore: number;
  lineType: number;
  /** Of each line type. */
  readonly lineTypes: Record<LineType, number>;
}

/** What is known of a country's numbers of a type. */
interface Figures {
  /** "GP" */
  readonly country: string;
  readonly type: NumberType;
  /** Of the numbers that the plan calls valid. */
  readonly valid: Counts;
  /** Of those that the register calls assigned. */
  readonly assigned: Counts;
}

/** Counts the numbers of a register's countries exactly, by country and type; those of which it assigns none are left out. */
export function figuresOf(
  register: RegisterCountry,
  file: string,
  carriers: string,
  plans: ReturnType<typeof readPlanTable>,
): Figures[] {
  const opened = openRegister(file);
  const starts = [...prefixesOf(prefixTableOf(file)), ...prefixesOf(carriers)].map((digits) =>
    digits.padEnd(WIDTH, "0"),
  );
  const carrierTable = openPrefixTable(carriers);
  const figures = new Map<string, Figures>();
  for (const [callingCode, plan] of Object.entries(plans.head.plans)) {
    const isOurs = (region: string) => registerOf(region) === register;
    if (!plan.regions.some(isOurs)) continue;
    const nodes = plans.nodesOf(callingCode);
    const count = numbersUnder(nodes, plan.regions);
    const first = callingCode.padEnd(WIDTH, "0");
    const last = callingCode.padEnd(WIDTH, "9");
    const inside = starts.filter((start) => start > first && start <= last);
    const bounds = [...new Set([first, ...inside])].toSorted();
    for (const [i, from] of bounds.entries()) {
      const to = i + 1 < bounds.length ? Number(bounds[i + 1]) - 1 : Number(last);
      const holding = opened.find(from);
      for (const prefix of prefixesBetween(Number(from), to)) {
        const node = follow(nodes, plan.assignmentRoot, prefix.slice(callingCode.length));
        for (const [kind, numbers] of count(node)) {
          const [country, type] = kind.split(" ") as [string, NumberType];
          if (!isOurs(country)) continue;
          let of = figures.get(kind);
          if (of === undefined) figures.set(kind, (of = { country, type, valid: nothing(), assigned: nothing() }));
          const assigned = { callingCode, e164: `+${from}`, region: country, type };
          const found = holding && { country: register, register: opened, holding };
          const before = carrier(assigned, { carrier: carrierTable });
          const now = carrierOf(assigned, found, { carrier: carrierTable });
          const [line] = lineTypeOf(assigned, found);
          for (const counts of holding?.status === "assigned" ? [of.valid, of.assigned] : [of.valid]) {
            counts.numbers += numbers;
            if (holding?.holder != null) counts.holder += numbers;
            if (before !== null) counts.carrierBefore += numbers;
            if (now !== null) counts.carrier += numbers;
            if (lineTypeOf(assigned, null)[0] !== null) counts.lineTypeBefore += numbers;
            if (line === null) continue;
            counts.lineType += numbers;
            counts.lineTypes[line] += numbers;
          }
        }
      }
    }
  }
  return [...figures.values()].filter(({ assigned }) => assigned.numbers > 0);
}

function nothing(): Counts {
  const lineTypes = { mobile: 0, fixed: 0, voip: 0 };
  return { numbers: 0, holder: 0, carrierBefore: 0, carrier: 0, lineTypeBefore: 0, lineType: 0, lineTypes };
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

/** Figures as lines of a Markdown table, in percent. */
export function figureLines(figures: readonly Figures[]): string[] {
  if (figures.length === 0) return [];
  return [
    "| country | type | assigned, of valid | of assigned: holder; carrier before, now; line type before, now | of valid: the same |",
    "| ------- | ---- | ------------------ | --------------------------------------------------------------- | ------------------ |",
    ...figures.map(({ country, type, valid, assigned }) => {
      const share = percent(assigned.numbers, valid.numbers);
      return `| ${country} | ${type} | ${share} | ${sharesIn(assigned)} | ${sharesIn(valid)} |`;
    }),
  ];
}

function sharesIn({ numbers, holder, carrierBefore, carrier: now, lineTypeBefore, lineType }: Counts): string {
  const of = (part: number) => percent(part, numbers);
  return `${of(holder)}; ${of(carrierBefore)}, ${of(now)}; ${of(lineTypeBefore)}, ${of(lineType)}`;
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

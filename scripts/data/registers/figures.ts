import type { RegisterCountry } from "../../../contract/registers.ts";
import type { LineType, NumberType } from "../../../contract/result-values.ts";
import { openRegister, registerOf } from "../../../worker/phone/allocation.ts";
import { carrier } from "../../../worker/phone/geography.ts";
import { lineTypeOf } from "../../../worker/phone/line-type.ts";
import type { readPlanTable } from "../../../worker/phone/plan-table.ts";
import { openPrefixTable } from "../../../worker/phone/prefix-table.ts";
import { carrierOf } from "../../../worker/phone/verify.ts";
import { prefixesOf } from "../encode.ts";
import { numbersUnder, planRanges } from "../plan-ranges.ts";
import { prefixTableOf } from "./compile.ts";

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
  const starts = [...prefixesOf(prefixTableOf(file)), ...prefixesOf(carriers)];
  const tables = { carrier: openPrefixTable(carriers) };
  const isOurs = (region: string) => registerOf(region) === register;
  const figures = new Map<string, Figures>();
  for (const [callingCode, plan] of Object.entries(plans.head.plans)) {
    if (!plan.regions.some(isOurs)) continue;
    const count = numbersUnder(plans.nodesOf(callingCode), plan.regions);
    for (const { row, node } of planRanges(callingCode, plans, starts)) {
      const holding = opened.find(row);
      const listing = holding && { country: register, register: opened, holding };
      for (const [kind, numbers] of count(node)) {
        const [country, type] = kind.split(" ") as [string, NumberType];
        if (!isOurs(country)) continue;
        let of = figures.get(kind);
        if (of === undefined) figures.set(kind, (of = { country, type, valid: nothing(), assigned: nothing() }));
        const assigned = { callingCode, e164: `+${row}`, region: country, type };
        const before = carrier(assigned, tables);
        const now = carrierOf(assigned, listing, tables);
        const [line] = lineTypeOf(assigned, listing);
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
  return [...figures.values()].filter(({ assigned }) => assigned.numbers > 0);
}

function nothing(): Counts {
  const lineTypes = { mobile: 0, fixed: 0, voip: 0 };
  return { numbers: 0, holder: 0, carrierBefore: 0, carrier: 0, lineTypeBefore: 0, lineType: 0, lineTypes };
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

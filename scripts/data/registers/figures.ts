import type { NumberType } from "../../../contract/result-values.ts";
import { openRegister, REGISTER_OF, type RegisterName } from "../../../worker/phone/allocation.ts";
import { carrier } from "../../../worker/phone/geography.ts";
import { NODE_FIELDS, type readPlanTable, typeOf } from "../../../worker/phone/plan-table.ts";
import { openPrefixTable } from "../../../worker/phone/prefix-table.ts";
import { lineTypeOf } from "../../../worker/phone/verify.ts";
import { prefixesOf } from "../encode.ts";
import { prefixesBetween, prefixTableOf, WIDTH } from "./compile.ts";

/** How many numbers of a type a register, a plan, and Google's carriers know something about. */
export interface Figures {
  readonly register: RegisterName;
  readonly type: NumberType;
  /** Numbers that the plan calls valid. */
  valid: number;
  /** Of the valid ones. */
  assigned: number;
  unassigned: number;
  /** Of the assigned ones, as are all that follow. */
  holder: number;
  carrier: number;
  lineType: number;
  /** Without the register. */
  carrierBefore: number;
  lineTypeBefore: number;
}

/** Counts the numbers of a register's countries exactly, by type; types of which it assigns none are left out. */
export function figuresOf(
  register: RegisterName,
  file: string,
  carriers: string,
  plans: ReturnType<typeof readPlanTable>,
): Figures[] {
  const opened = openRegister(file);
  const starts = [...prefixesOf(prefixTableOf(file)), ...prefixesOf(carriers)].map((digits) =>
    digits.padEnd(WIDTH, "0"),
  );
  const carrierTable = openPrefixTable(carriers);
  const figures = new Map<NumberType, Figures>();
  for (const [callingCode, plan] of Object.entries(plans.head.plans)) {
    const isOurs = plan.regions.map((region) => (REGISTER_OF as Record<string, string>)[region] === register);
    if (!isOurs.includes(true)) continue;
    const count = counter(plans.nodesOf(callingCode), isOurs);
    const first = callingCode.padEnd(WIDTH, "0");
    const last = callingCode.padEnd(WIDTH, "9");
    const inside = starts.filter((start) => start > first && start <= last);
    const bounds = [...new Set([first, ...inside])].toSorted();
    for (const [i, from] of bounds.entries()) {
      const to = i + 1 < bounds.length ? Number(bounds[i + 1]) - 1 : Number(last);
      const holding = opened.find(from);
      for (const prefix of prefixesBetween(Number(from), to)) {
        for (const [type, numbers] of count(plan.assignmentRoot, prefix.slice(callingCode.length))) {
          let of = figures.get(type);
          if (of === undefined) figures.set(type, (of = empty(register, type)));
          of.valid += numbers;
          if (holding?.status === "unassigned") of.unassigned += numbers;
          if (holding?.status !== "assigned") continue;
          const known =
            carrier({ callingCode, e164: `+${from}`, region: null, type }, { carrier: carrierTable }) !== null;
          of.assigned += numbers;
          if (holding.holder !== null) of.holder += numbers;
          if (known) of.carrierBefore += numbers;
          if (known || holding.carrier !== null) of.carrier += numbers;
          if (lineTypeOf(type, null)[0] !== null) of.lineTypeBefore += numbers;
          if (lineTypeOf(type, { register: opened, holding })[0] !== null) of.lineType += numbers;
        }
      }
    }
  }
  return [...figures.values()].filter(({ assigned }) => assigned > 0);
}

function empty(register: RegisterName, type: NumberType): Figures {
  const none = { valid: 0, assigned: 0, unassigned: 0, holder: 0, carrier: 0, lineType: 0 };
  return { register, type, ...none, carrierBefore: 0, lineTypeBefore: 0 };
}

/** Counts the valid numbers that start with some digits, by type, in some of a plan's regions. */
function counter(nodes: ArrayLike<number>, isOurs: readonly boolean[]) {
  const counts = new Map<number, ReadonlyMap<NumberType, number>>();
  function from(node: number): ReadonlyMap<NumberType, number> {
    const known = counts.get(node);
    if (known !== undefined) return known;
    const sum = new Map<NumberType, number>();
    // A dead end leads to itself.
    counts.set(node, sum);
    const packed = nodes[node * NODE_FIELDS]!;
    const type = typeOf(packed);
    if (type !== "unknown" && isOurs[(packed >> 5) - 1]) sum.set(type, 1);
    for (let digit = 0; digit < 10; digit++) {
      for (const [longer, numbers] of from(nodes[node * NODE_FIELDS + 1 + digit]!)) {
        sum.set(longer, (sum.get(longer) ?? 0) + numbers);
      }
    }
    return sum;
  }
  return (root: number, digits: string): ReadonlyMap<NumberType, number> => {
    let node = root;
    for (const digit of digits) node = nodes[node * NODE_FIELDS + 1 + Number(digit)]!;
    return from(node);
  };
}

/** Figures as lines of a Markdown table, in percent. */
export function figureLines(figures: readonly Figures[]): string[] {
  return [
    "| register | type | assigned, of valid | holder, of assigned | carrier: before, now | line type: before, now | of valid: holder, carrier, line type |",
    "| -------- | ---- | ------------------ | ------------------- | -------------------- | ---------------------- | ------------------------------------ |",
    ...figures.map((of) => {
      const [assigned, valid] = [percentOf(of.assigned), percentOf(of.valid)];
      const now = [of.holder, of.carrier, of.lineType].map(valid).join(", ");
      return `| ${of.register.toUpperCase()} | ${of.type} | ${valid(of.assigned)} | ${assigned(of.holder)} | ${assigned(of.carrierBefore)}, ${assigned(of.carrier)} | ${assigned(of.lineTypeBefore)}, ${assigned(of.lineType)} | ${now} |`;
    }),
  ];
}

function percentOf(whole: number): (part: number) => string {
  return (part) => `${((100 * part) / whole).toFixed(1)} %`;
}

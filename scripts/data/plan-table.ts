import {
  type Head,
  LENGTH_PROBLEMS,
  NODE_FIELDS,
  PLAN_TABLE_FORMAT,
  PLAN_TABLE_HEADER_BYTES,
  PLAN_TABLE_MAGIC,
} from "../../worker/phone/plan-table.ts";
import { MAX_NATIONAL_LENGTH } from "../../worker/phone/number.ts";
import { assignmentAutomaton } from "./assignments.ts";
import { createNodePool } from "./automaton.ts";
import { addedPlans } from "./corrections.ts";
import { createLayouts, type FormatRules } from "./layouts.ts";
import { lengthProblem, patternOf, type Plan } from "./plan-metadata.ts";

const LARGEST_U16 = 0xffff;

/** Numbering plans from any source. */
export interface PlanSource {
  /** Every calling code, digits only, in ascending order. */
  callingCodes(): readonly string[];
  /** Every plan behind a calling code, the main region's first. */
  plansOfCallingCode(callingCode: string): readonly Plan[];
  /** How the numbers of a calling code are written. */
  formatRulesOf(callingCode: string): FormatRules;
}

/** Compiles plans into the table format of worker/phone/plan-table.ts. */
export function encodePlanTable(source: PlanSource): Uint8Array {
  const pool = createNodePool();
  const layouts = createLayouts();
  const plans = source.callingCodes().map((callingCode) => {
    const regional = source.plansOfCallingCode(callingCode);
    const added = addedPlans(callingCode, regional);
    const assignment = assignmentAutomaton(regional, added);
    const rules = source.formatRulesOf(callingCode);
    const layout = layouts.automatonOf(rules);
    const [first, second] = [assignment, layout].map(({ start, outcome }) =>
      pool.add(start, MAX_NATIONAL_LENGTH, outcome),
    );
    const roots = [first!, second!] as const;
    const regions = [...regional, ...added].map(({ region }) => region);
    const dialling = regional.map(diallingOf);
    return [callingCode, { roots, regions, dialling, extensionPrefix: rules.extensionPrefix }];
  });
  const head: Head = {
    format: PLAN_TABLE_FORMAT,
    masks: layouts.masks(),
    layouts: layouts.layouts(),
    plans: Object.fromEntries(plans),
  };
  return assemble(head, pool.fields());
}

function diallingOf(plan: Plan): Head["plans"][number]["dialling"][number] {
  const { nationalNumber, internationalPrefix, nationalPrefix, nationalPrefixTransform } = plan;
  const prefixes = [internationalPrefix, nationalPrefix].map((prefix) => (prefix === null ? 0 : patternOf(prefix)));
  return [patternOf(nationalNumber), lengthsOf(plan), prefixes[0]!, prefixes[1]!, nationalPrefixTransform ?? 0];
}

function lengthsOf(plan: Plan): string {
  const letters = Object.keys(LENGTH_PROBLEMS) as (keyof typeof LENGTH_PROBLEMS)[];
  return Array.from({ length: MAX_NATIONAL_LENGTH + 1 }, (_, length) => {
    const problem = lengthProblem(plan, length);
    return letters.find((letter) => LENGTH_PROBLEMS[letter] === problem);
  }).join("");
}

function assemble(head: Head, fields: readonly number[]): Uint8Array {
  const most = Math.max(fields.length / NODE_FIELDS, ...new Set(fields));
  if (most > LARGEST_U16) throw new Error(`${most} does not fit into 16 bits`);
  const json = Buffer.from(JSON.stringify(head));
  // Nodes start at an even offset.
  const headBytes = json.length + (json.length % 2);
  const nodesAt = PLAN_TABLE_HEADER_BYTES + headBytes;
  const table = Buffer.alloc(nodesAt + 2 * fields.length, " ");
  table.writeUInt32LE(PLAN_TABLE_MAGIC, 0);
  table.writeUInt32LE(table.length, 4);
  table.writeUInt32LE(headBytes, 8);
  json.copy(table, PLAN_TABLE_HEADER_BYTES);
  for (const [index, field] of fields.entries()) table.writeUInt16LE(field, nodesAt + 2 * index);
  return table;
}

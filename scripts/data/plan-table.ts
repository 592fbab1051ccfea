import {
  type Head,
  LENGTH_PROBLEMS,
  NODE_FIELDS,
  PLAN_TABLE_FORMAT,
  PLAN_TABLE_HEADER_BYTES,
  PLAN_TABLE_MAGIC,
} from "../../worker/phone/plan-table.ts";
import { MAX_NATIONAL_LENGTH } from "../../worker/phone/number.ts";
import { callingCodes, lengthProblem, type Plan, plansOfCallingCode } from "../../worker/phone/plan-metadata.ts";
import { assignmentAutomaton } from "./assignments.ts";
import { createNodePool } from "./automaton.ts";
import { createLayouts } from "./layouts.ts";

const LARGEST_U16 = 0xffff;

/** Compiles libphonenumber-js's metadata into the table that worker/phone/plan-table.ts describes. */
export function encodePlanTable(): Uint8Array {
  const pool = createNodePool();
  const layouts = createLayouts();
  const plans = callingCodes().map((callingCode) => {
    const regional = plansOfCallingCode(callingCode);
    const assignment = assignmentAutomaton(regional);
    const { extensionPrefix, ...layout } = layouts.automatonOf(callingCode);
    const [first, second] = [assignment, layout].map(({ start, outcome }) =>
      pool.add(start, MAX_NATIONAL_LENGTH, outcome),
    );
    const roots = [first!, second!] as const;
    const regions = regional.map(({ region }) => region);
    return [callingCode, { roots, regions, lengths: lengthsOf(regional[0]!), extensionPrefix }];
  });
  const head: Head = {
    format: PLAN_TABLE_FORMAT,
    masks: layouts.masks(),
    layouts: layouts.layouts(),
    plans: Object.fromEntries(plans),
  };
  return assemble(head, pool.fields());
}

function lengthsOf(main: Plan): string {
  const letters = Object.keys(LENGTH_PROBLEMS) as (keyof typeof LENGTH_PROBLEMS)[];
  return Array.from({ length: MAX_NATIONAL_LENGTH + 1 }, (_, length) => {
    const problem = lengthProblem(main, length);
    return letters.find((letter) => LENGTH_PROBLEMS[letter] === problem);
  }).join("");
}

function assemble(head: Head, fields: readonly number[]): Uint8Array {
  const most = Math.max(fields.length / NODE_FIELDS, ...new Set(fields));
  if (most > LARGEST_U16) throw new Error(`${most} does not fit into 16 bits`);
  const json = Buffer.from(JSON.stringify(head));
  // The nodes start at an even place.
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

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as format from "../worker/phone/format.ts";
import { openTables } from "../worker/phone/geography.ts";
import type { PhoneNumber } from "../worker/phone/number.ts";
import * as numberingPlan from "../worker/phone/numbering-plan.ts";
import { openPlanTable } from "../worker/phone/plan-table.ts";
import { createVerifier } from "../worker/phone/verify.ts";

const DATA = join(import.meta.dirname, "../worker/phone/data");

/** The bytes of a table of the engine. */
export function table(name: string): ArrayBuffer {
  return new Uint8Array(readFileSync(join(DATA, name))).buffer;
}

/** The tables that the engine is deployed with. */
const tables = {
  plans: openPlanTable(table("plans.bin")),
  ...openTables({ carrier: table("carrier.bin"), location: table("location.bin"), timeZones: table("time-zones.bin") }),
};

/** The engine with its tables, outside the worker. */
export const verify = createVerifier(tables);

export const { plans } = tables;
export const classify = (number: PhoneNumber) => numberingPlan.classify(number, tables.plans);
export const formatNational = (number: PhoneNumber) => format.formatNational(number, tables.plans);
export const formatInternational = (number: PhoneNumber) => format.formatInternational(number, tables.plans);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REGISTER_COUNTRIES, registerFile, type RegisterCountry } from "../contract/registers.ts";
import type { VerificationResult } from "../contract/verification.ts";
import { openRegisters, type RegisterFiles } from "../worker/phone/allocation.ts";
import * as format from "../worker/phone/format.ts";
import { openTables } from "../worker/phone/geography.ts";
import type { PhoneNumber } from "../worker/phone/number.ts";
import * as numberingPlan from "../worker/phone/numbering-plan.ts";
import { openPlanTable } from "../worker/phone/plan-table.ts";
import { createVerifier } from "../worker/phone/verify.ts";
import { TEST_DAY } from "./day.ts";

const DATA = join(import.meta.dirname, "../worker/phone/data");

/** The bytes of a binary engine table. */
export function table(name: `${string}.bin`): ArrayBuffer {
  return new Uint8Array(readFileSync(join(DATA, name))).buffer;
}

/** A prefix table of the engine. */
export function prefixTable(name: `${string}.jsonl`): string {
  return readFileSync(join(DATA, name), "utf8");
}

const REGISTER_FILES = Object.fromEntries(
  REGISTER_COUNTRIES.map((country) => [country, prefixTable(registerFile(country))]),
) as RegisterFiles;

/** A day on which the committed registers of the United States, Mexico, and Russia say unassigned. */
export const FRESH_DAY = "2026-11-26";

/** The engine outside the worker, with these numbering plans and the other deployed tables. Empty registers are left out. */
export function engineWith(plansTable: ArrayBuffer, leftOut: Partial<Record<RegisterCountry, "">> = {}) {
  const tables = {
    plans: openPlanTable(plansTable),
    ...openTables({
      carrier: prefixTable("carrier.jsonl"),
      location: prefixTable("location.jsonl"),
      timeZones: prefixTable("time-zones.jsonl"),
    }),
    registers: openRegisters({ ...REGISTER_FILES, ...leftOut }),
  };
  const verifyOn = createVerifier(tables);
  return {
    verifyOn,
    verify: (input: string, country?: string): VerificationResult => verifyOn(input, country, TEST_DAY ?? FRESH_DAY),
    plans: tables.plans,
    classify: (number: PhoneNumber) => numberingPlan.classify(number, tables.plans),
    formatNational: (number: PhoneNumber) => format.formatNational(number, tables.plans),
    formatInternational: (number: PhoneNumber) => format.formatInternational(number, tables.plans),
  };
}

/** The engine as deployed. */
export const { verify, verifyOn, plans, classify, formatNational, formatInternational } = engineWith(
  table("plans.bin"),
);

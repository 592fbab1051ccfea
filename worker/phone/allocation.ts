import { hasEnded, REGISTER_COUNTRIES, REGISTERS, type RegisterCountry } from "../../contract/registers.ts";
import type { LineType } from "../../contract/result-values.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import type { AssignedNumber } from "./geography.ts";
import { openPrefixTable } from "./prefix-table.ts";

export type Allocation = VerificationResult["allocation"];

/**
 * Reads a country's register, written by `npm run data`: the file is a RegisterHead, a prefix table, an empty line, and
 * holdings, a line each. A text of the prefix table is a holding's line, counted from 0.
 */
export interface RegisterHead {
  /** The register's date, "2026-07-06". */
  readonly as_of: string;
  /** The last day on which it can call a number unassigned: later, too many of those are assigned. */
  readonly unassigned_until: string;
}

/** What a register says about a range. */
export interface Holding {
  readonly status: "assigned" | "unassigned" | "unknown";
  /** The legal name. */
  readonly holder: string | null;
  /** The date of the holder, which may be older than the register; null without one. */
  readonly holder_as_of: string | null;
  /** The holder's brand. */
  readonly carrier: string | null;
  readonly line_type: LineType | null;
}

export interface Register extends RegisterHead {
  /** @param digits calling code and national number */
  find(digits: string): Holding | null;
}

/** The files of registers. An empty one is a register that was left out. */
export type RegisterFiles = Readonly<Record<RegisterCountry, string>>;

/** Which register has the numbers of a country or territory. */
const REGISTER_OF: ReadonlyMap<string, RegisterCountry> = new Map(
  REGISTER_COUNTRIES.flatMap((country) => REGISTERS[country].regions.map((region) => [region, country] as const)),
);

/** The register that has a country's or territory's numbers; null if none does. */
export function registerOf(region: string): RegisterCountry | null {
  return REGISTER_OF.get(region) ?? null;
}

/** Opens a register. Its table is opened when it's first used. @throws SyntaxError for other text */
export function openRegister(file: string): Register {
  const endOfHead = file.indexOf("\n");
  const head = JSON.parse(file.slice(0, endOfHead)) as RegisterHead;
  let opened: ((digits: string) => Holding | null) | null = null;
  return { ...head, find: (digits) => (opened ??= openHoldings(file.slice(endOfHead + 1)))(digits) };
}

function openHoldings(text: string): (digits: string) => Holding | null {
  const endOfTable = text.indexOf("\n\n");
  const table = openPrefixTable(text.slice(0, endOfTable));
  const lines = text.slice(endOfTable + 2).split("\n");
  const decoded: Holding[] = [];
  return (digits) => {
    const line = table.lookup(digits);
    if (line === null) return null;
    return (decoded[Number(line)] ??= JSON.parse(lines[Number(line)]!) as Holding);
  };
}

/** Opens the registers that weren't left out. @throws SyntaxError for other text */
export function openRegisters(files: RegisterFiles): Registers {
  const entries = Object.entries(files).filter(([, file]) => file !== "");
  return Object.fromEntries(entries.map(([country, file]) => [country, openRegister(file)]));
}
export type Registers = Readonly<Partial<Record<RegisterCountry, Register>>>;

/** What a register says about a number. */
export interface Listing {
  readonly country: RegisterCountry;
  readonly register: RegisterHead;
  readonly holding: Holding;
}

/** A number's register and what that says; null if none covers the number. */
export function findHolding(
  { e164, region }: Pick<AssignedNumber, "e164" | "region">,
  registers: Registers,
): Listing | null {
  const country = region === null ? null : registerOf(region);
  const register = country === null ? undefined : registers[country];
  const holding = register?.find(e164.slice(1)) ?? null;
  return holding === null ? null : { country: country!, register: register!, holding };
}

/**
 * The allocation as results show it. Past the register's last day for it, nothing is unassigned.
 * @param day today in UTC, "2026-11-26"
 */
export function allocationOf(register: RegisterHead, holding: Holding, day: string): Allocation {
  const { holder, holder_as_of } = holding;
  const status = holding.status === "unassigned" && hasEnded(register, day) ? "unknown" : holding.status;
  return { status, as_of: register.as_of, holder, holder_as_of };
}

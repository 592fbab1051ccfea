import { mkdirSync, rmSync } from "node:fs";
import { REGISTER_COUNTRIES, registerFile, type RegisterCountry } from "../../../contract/registers.ts";
import { compileRegister, READERS, type RegisterProvenance } from "./compile.ts";
import { download } from "./download.ts";
import { notDue } from "./due.ts";

/** A register's committed table, which is empty if it was left out, and its manifest entry. */
export interface LastTable extends Pick<RegisterProvenance, "date" | "rows"> {
  readonly table: string;
}

/** A register's table, and its manifest entry. */
export interface RegisterTable extends RegisterProvenance {
  readonly bytes: Uint8Array;
}

/** Registers by file, and why the tables of others stay, a line each. */
export interface Compiled {
  readonly tables: Map<string, RegisterTable>;
  /** Those that weren't there, or aren't due. */
  readonly waiting: string[];
  /** Those that weren't as expected. */
  readonly rejected: string[];
}

/** Compiles the registers in a folder. @param last undefined for a register without a table */
export function compileFolder(directory: string, last: (file: string) => LastTable | undefined): Promise<Compiled> {
  return compileEach((country, file) => compileRegister(country, directory, last(file)) ?? `not in ${directory}`);
}

/** Downloads the registers that have an address to a folder, which it empties first, and compiles those that are due. */
export function compileDownloads(
  directory: string,
  last: (file: string) => LastTable | undefined,
  fetchFile?: typeof fetch,
): Promise<Compiled> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  return compileEach(async (country, file) => {
    const { addresses } = READERS[country];
    if (Object.keys(addresses).length === 0) return "no address to download it from";
    const before = last(file);
    if (before?.table === "") return "left out of this build";
    await download(addresses, directory, fetchFile);
    const table = compileRegister(country, directory, before)!;
    return (before && notDue(before.table, Buffer.from(table.bytes).toString())) ?? table;
  });
}

/** @param compile returns why a table stays, and throws if the register isn't as expected */
async function compileEach(
  compile: (country: RegisterCountry, file: string) => RegisterTable | string | Promise<RegisterTable | string>,
): Promise<Compiled> {
  const compiled: Compiled = { tables: new Map(), waiting: [], rejected: [] };
  for (const country of REGISTER_COUNTRIES) {
    const file = registerFile(country);
    try {
      const table = await compile(country, file);
      if (typeof table === "string") compiled.waiting.push(`${file}: ${table}`);
      else compiled.tables.set(file, table);
    } catch (problem) {
      compiled.rejected.push(`${file}: ${(problem as Error).message}`);
    }
  }
  return compiled;
}

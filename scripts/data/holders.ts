import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LineType } from "../../contract/result-values.ts";
import { type RegisterCountry, REGISTERS } from "../../contract/registers.ts";

/** Kinds of companies, and the line type of their numbers in +1. Of any other kind, nothing can be said. */
const LINE_TYPES = { mobile: "mobile", incumbent: "fixed", cable: "fixed", app: "voip" } as const;
export type HolderClass = keyof typeof LINE_TYPES;

/** What we know about a company, by its legal name. */
export interface Holder {
  /** What its customers call it; null if they see no brand. */
  readonly brand: string | null;
  /** Null if its numbers are of several kinds, or of one that isn't a line type, such as pagers. */
  readonly kind: HolderClass | null;
}

const HOLDER_FILES = join(import.meta.dirname, "holders");

/**
 * Reads a country's reviewed holders. A row is a legal name, or its start and an asterisk; a brand and a class, or hyphens;
 * and the reason. The most specific row applies, in any case of letters: registers vary it. @throws Error with file and line
 */
export function readHolders(country: RegisterCountry, directory = HOLDER_FILES): (name: string) => Holder | null {
  const exact = new Map<string, Holder>();
  const starts: (readonly [start: string, holder: Holder])[] = [];
  const file = `${country.toLowerCase()}.tsv`;
  for (const [i, line] of readFileSync(join(directory, file), "utf8").trimEnd().split("\n").entries()) {
    if (line.startsWith("#")) continue;
    const where = `${file}:${i + 1}`;
    const [name, brand, kind, reason, ...more] = line.split("\t");
    if (!name || !brand || !kind || !reason || more.length > 0) throw new Error(`${where}: not four columns`);
    if (kind !== "-" && !Object.hasOwn(LINE_TYPES, kind)) throw new Error(`${where}: ${kind} isn't a class`);
    if (kind !== "-" && REGISTERS[country].lineTypes !== "original_allocation")
      throw new Error(`${where}: no line type comes from a class here`);
    const holder = { brand: brand === "-" ? null : brand, kind: kind === "-" ? null : (kind as HolderClass) };
    const key = keyOf(name);
    if (exact.has(key) || starts.some(([start]) => `${start}*` === key))
      throw new Error(`${where}: ${name} is listed twice`);
    if (key.endsWith("*")) starts.push([key.slice(0, -1), holder]);
    else exact.set(key, holder);
  }
  starts.sort(([a], [b]) => b.length - a.length);
  return (name) => {
    const key = keyOf(name);
    return exact.get(key) ?? starts.find(([start]) => key.startsWith(start))?.[1] ?? null;
  };
}

/** A name without what its spellings differ in: case, and spaces around it. */
function keyOf(name: string): string {
  return name.trim().toLowerCase();
}

/** The line type of a holder's numbers in +1, from its kind. */
export function lineTypeOfHolder(holder: Holder | null): LineType | null {
  return holder?.kind ? LINE_TYPES[holder.kind] : null;
}

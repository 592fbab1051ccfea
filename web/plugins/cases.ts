import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A case for any parser: what is right for an input, and who says so. A field that is left out isn't tested. */
export interface Case {
  readonly input: string;
  /** The country that the caller names, as an ISO code. */
  readonly country: string | null;
  readonly valid: boolean;
  /** In E.164. */
  readonly number?: string;
  /** Null if there must be none. */
  readonly extension?: string | null;
  /** Of the number: an ISO code, or "001" for none. */
  readonly number_country?: string;
  readonly number_type?: string;
  /** Why the input is invalid, in Checkline's terms, which no other parser needs to share. */
  readonly reason?: string;
  /** The numbers in an input that has several. */
  readonly candidates?: readonly string[];
  readonly why: string;
  /** A public thread, a numbering plan, a standard, or a trial of our own. */
  readonly source: string;
}

type Expected = Pick<Case, "valid"> & Partial<Case>;

const NUMBER = /^(?<number>\+\d+)(?: ext (?<extension>\d+))?/;

/** "+43158801 ext 12", or the reason and the candidates: "MULTIPLE_NUMBERS +43158801 +43158802". */
function readNumber(text: string): Expected {
  const { number, extension = null } = NUMBER.exec(text)?.groups ?? {};
  if (number !== undefined) return { valid: true, number, extension };
  const [reason, ...candidates] = text.split(" ");
  return { valid: false, reason: reason!, ...(candidates.length > 0 && { candidates }) };
}

/** "AR mobile +5493512303473", "BR fixed_line", or a reason. */
function readType(text: string): Expected {
  const [country, type, number] = text.split(" ");
  if (type === undefined) return { valid: false, reason: text };
  return { valid: true, number_country: country!, number_type: type, ...(number !== undefined && { number }) };
}

/** Tables of the engine's tests: input, country, and what is right; the last two columns are why and the source. */
const TABLES: Readonly<Record<string, (expected: string) => Expected>> = {
  notations: readNumber,
  reading: readNumber,
  foreign: readType,
};

/** A table has line breaks and invisible characters as in JSON. */
function unescaped(cell: string): string {
  return cell.includes("\\") ? (JSON.parse(`"${cell.replaceAll('"', '\\"')}"`) as string) : cell;
}

/** Our cases about reading a number, of all tables. */
export function readCases(): Case[] {
  return Object.entries(TABLES).flatMap(([table, read]) =>
    readFileSync(join(import.meta.dirname, `../../worker/phone/${table}.cases.tsv`), "utf8")
      .trimEnd()
      .split("\n")
      .filter((line) => !line.startsWith("# "))
      .map((line) => {
        const [input = "", country = "", expected = "", ...others] = line.split("\t");
        const [why, source] = others.slice(-2) as [string, string];
        return {
          input: unescaped(input),
          country: country === "-" ? null : country,
          ...read(expected),
          why,
          source,
        };
      }),
  );
}

/** The cases as the site serves them. */
export function casesFile(origin: string): string {
  const head = {
    license: "CC0-1.0",
    license_url: "https://creativecommons.org/publicdomain/zero/1.0/",
    about: `${origin}/docs/test-your-parser`,
  };
  return `${JSON.stringify({ ...head, cases: readCases() }, null, 1)}\n`;
}

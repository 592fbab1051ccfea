import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Prefixes } from "./encode.ts";

/** What became of a name; scripts/data/carriers.tsv says what each means. */
const CLASSES = ["renamed", "merged", "sold", "ended", "error", "brand", "unsure", "current"] as const;
/** Names without a successor. */
const WITHOUT_SUCCESSOR: ReadonlySet<NameClass> = new Set(["ended", "error"]);
export type NameClass = (typeof CLASSES)[number];

/** A reviewed name of Google's list of carriers. Its row also says since when, for people. */
export interface CarrierName {
  readonly callingCode: string;
  /** Google's text. */
  readonly google: string;
  /** First national digits to which the row is limited; empty for all. */
  readonly prefixes: readonly string[];
  /** Null if no company can be named. */
  readonly today: string | null;
  readonly class: NameClass;
  readonly source: string;
}

/** How the source of a row starts if nobody opened one. */
const NOT_OPENED = "known, not opened";

/** Reads the reviewed names. @throws Error with the line */
export function readCarrierNames(text: string): CarrierName[] {
  const listed = new Map<string, string[]>();
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line, i): CarrierName[] => {
      if (line.startsWith("#")) return [];
      const wrong = (why: string) => new Error(`carriers.tsv:${i + 1}: ${why}`);
      const cells = line.split("\t");
      if (cells.length !== 7 || cells.some((cell) => cell.trim() !== cell || cell === ""))
        throw wrong("not seven cells");
      const [callingCode = "", google = "", digits = "", name = "", , kind = "", source = ""] = cells;
      const prefixes = digits === "-" ? [] : digits.split(" ");
      const today = name === "-" ? null : name;
      if (![callingCode, ...prefixes].every((one) => /^\d+$/.test(one))) throw wrong("a prefix isn't digits");
      if (!isClass(kind)) throw wrong(`${kind} isn't a class`);
      if (WITHOUT_SUCCESSOR.has(kind) !== (today === null)) throw wrong("only a name that has ended has none today");
      if (kind === "current" && today !== google) throw wrong("a current name is Google's");
      const key = `${callingCode} ${google}`;
      const before = listed.get(key) ?? [];
      for (const prefix of prefixes.length === 0 ? [""] : prefixes) {
        // The first row that fits a prefix applies.
        if (before.some((start) => prefix.startsWith(start))) throw wrong(`an earlier row has ${google}`);
        before.push(prefix);
      }
      listed.set(key, before);
      return [{ callingCode, google, prefixes, today, class: kind, source }];
    });
}

function isClass(text: string): text is NameClass {
  return (CLASSES as readonly string[]).includes(text);
}

export const CARRIER_NAMES = readCarrierNames(readFileSync(join(import.meta.dirname, "carriers.tsv"), "utf8"));

/** Google's list with today's names. A name of nobody hides that of a shorter prefix. */
export function withTodaysNames(carriers: Prefixes, names: readonly CarrierName[] = CARRIER_NAMES): Prefixes {
  const rowOf = finder(names);
  return new Map(
    Array.from(carriers, ([prefix, text]) => {
      const row = rowOf(prefix, text);
      return [prefix, row === undefined ? text : (row.today ?? "")];
    }),
  );
}

/** A SHA-256 of what the rows do, in hexadecimal: a table compiled with others has another in its manifest. */
export function namesDigest(names: readonly CarrierName[] = CARRIER_NAMES): string {
  const rows = names.map(({ callingCode, google, prefixes, today }) => [callingCode, google, prefixes, today]);
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex");
}

/** Finds the row for a prefix with Google's text. */
function finder(names: readonly CarrierName[]): (prefix: string, text: string) => CarrierName | undefined {
  const byText = Map.groupBy(names, ({ google }) => google);
  return (prefix, text) =>
    byText
      .get(text)
      ?.find(
        ({ callingCode, prefixes }) =>
          prefix.startsWith(callingCode) &&
          (prefixes.length === 0 || prefixes.some((digits) => prefix.startsWith(digits, callingCode.length))),
      );
}

/** Rows that no longer apply because Google has changed the text, for people. */
export function outdatedNames(carriers: Prefixes, names: readonly CarrierName[] = CARRIER_NAMES): string[] {
  const rowOf = finder(names);
  const applied = new Set(Array.from(carriers, ([prefix, text]) => rowOf(prefix, text)));
  return names.filter((row) => !applied.has(row)).map(labelOf);
}

/** Rows that somebody should look up, for people: each that is unsure, and others by calling code. */
export function namesToLookUp(names: readonly CarrierName[] = CARRIER_NAMES): string[] {
  const unsure = names.filter((row) => row.class === "unsure");
  const known = names.filter((row) => row.class !== "unsure" && row.source.startsWith(NOT_OPENED));
  const byCode = Map.groupBy(known, ({ callingCode }) => callingCode);
  return [
    ...unsure.map((row) => `${labelOf(row)}: ${row.source}`),
    ...Array.from(byCode, ([code, rows]) => `+${code}, ${NOT_OPENED}: ${rows.map(({ google }) => google).join("; ")}`),
  ];
}

function labelOf({ callingCode, google, prefixes }: CarrierName): string {
  return [
    `+${callingCode} ${JSON.stringify(google)}`,
    ...(prefixes.length > 0 ? [`in ${prefixes.join(" ")}`] : []),
  ].join(" ");
}

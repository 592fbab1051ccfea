import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Prefixes } from "./encode.ts";

/** What became of a name; scripts/data/carriers.tsv says what each means. */
const CLASSES = ["renamed", "merged", "sold", "ended", "error", "brand", "unsure", "current"] as const;
/** Classes of names that nobody sells any more, or never did. */
const WITHOUT_SUCCESSOR: ReadonlySet<NameClass> = new Set(["ended", "error"]);
export type NameClass = (typeof CLASSES)[number];

/** A reviewed name of Google's list of carriers. */
export interface CarrierName {
  readonly callingCode: string;
  /** Google's text. */
  readonly google: string;
  /** First national digits to which the row is limited; empty for all. */
  readonly prefixes: readonly string[];
  /** Null if no company can be named. */
  readonly today: string | null;
  /** "2018", "2018-08", or "2018-08-31"; null if nothing happened. */
  readonly since: string | null;
  readonly class: NameClass;
  readonly source: string;
}

/** A row, with hyphens for what it lacks. */
type Cells = [
  callingCode: string,
  google: string,
  prefixes: string,
  today: string,
  since: string,
  kind: NameClass,
  source: string,
];

/** How the source of a row starts if nobody opened one. */
const NOT_OPENED = "known, not opened";

/** Reads the reviewed names. @throws Error with the line */
export function readCarrierNames(text: string): CarrierName[] {
  const seen = new Set<string>();
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line, i): CarrierName[] => {
      if (line.startsWith("#")) return [];
      const wrong = (why: string) => new Error(`carriers.tsv:${i + 1}: ${why}`);
      const cells = line.split("\t");
      if (cells.length !== 7 || cells.some((cell) => cell.trim() !== cell || cell === ""))
        throw wrong("not seven cells");
      const [callingCode, google, digits, name, when, kind, source] = cells as Cells;
      const prefixes = digits === "-" ? [] : digits.split(" ");
      const [today, since] = [name === "-" ? null : name, when === "-" ? null : when];
      if (![callingCode, ...prefixes].every((one) => /^\d+$/.test(one))) throw wrong("a prefix isn't digits");
      if (!CLASSES.includes(kind)) throw wrong(`${kind} isn't a class`);
      if (WITHOUT_SUCCESSOR.has(kind) !== (today === null)) throw wrong("only a name that has ended has none today");
      if (kind === "current" && today !== google) throw wrong("a current name is Google's");
      if (since !== null && !/^\d{4}(-\d\d){0,2}$/.test(since)) throw wrong(`${since} isn't a date`);
      for (const prefix of prefixes.length === 0 ? [""] : prefixes) {
        const key = `${callingCode} ${google} ${prefix}`;
        if (seen.has(key)) throw wrong(`${google} is listed twice`);
        seen.add(key);
      }
      return [{ callingCode, google, prefixes, today, since, class: kind, source }];
    });
}

export const CARRIER_NAMES = readCarrierNames(readFileSync(join(import.meta.dirname, "carriers.tsv"), "utf8"));

/** Google's list with today's names. A name of nobody hides that of a shorter prefix. */
export function withTodaysNames(carriers: Prefixes, names: readonly CarrierName[] = CARRIER_NAMES): Prefixes {
  const rowOf = finder(names);
  return new Map(Array.from(carriers, ([prefix, text]) => [prefix, todayOf(rowOf(prefix, text), text)]));
}

function todayOf(row: CarrierName | undefined, text: string): string {
  return row === undefined ? text : (row.today ?? "");
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

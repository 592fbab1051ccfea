import { formatCount } from "../../contract/format.ts";
import { openPrefixTable } from "../../worker/phone/prefix-table.ts";
import { NODE_FIELDS, readPlanTable, regionIndexOf, typeOf } from "../../worker/phone/plan-table.ts";
import { MAX_NATIONAL_LENGTH, NO_COUNTRY_REGION } from "../../worker/phone/number.ts";
import type { ShortNumberPatterns } from "../../worker/phone/short-numbers.ts";
import { callingCodeIn, prefixesOf } from "./encode.ts";
import { openShortNumbers, shortNumberKinds } from "./short-numbers.ts";

/** A new table's changes for one country, or for a calling code that can't be split by country. */
export interface Change {
  /** A region, or a calling code with a plus sign. */
  readonly place: string;
  /** How many of `before` are gone. */
  readonly lost: number;
  readonly added: number;
  /** How many of `before` have another value. */
  readonly altered: number;
  /** Numbers, ranges, or entries of the old table. */
  readonly before: number;
  /** Sample changes, for people: "49155: none → 1&1". */
  readonly examples: readonly string[];
}

interface Counts {
  lost: number;
  added: number;
  altered: number;
  before: number;
  examples: string[];
}

const MOST_EXAMPLES = 4;

/** Compares two prefix tables by the ranges in which neither text changes. */
export function prefixChanges(before: string, after: string, callingCodes: readonly string[]): Change[] {
  const [old, young] = [openPrefixTable(before), openPrefixTable(after)];
  const known = new Set(callingCodes);
  const changes = createChanges();
  for (const range of new Set([...prefixesOf(before), ...prefixesOf(after)])) {
    const callingCode = callingCodeIn(range, (digits) => known.has(digits)) ?? range;
    changes.count(`+${callingCode}`, range, old.lookup(range), young.lookup(range), 1);
  }
  return changes.list();
}

/** Compares the validity, region, and type of every number in two plan tables. */
export function planChanges(before: ArrayBuffer, after: ArrayBuffer): Change[] {
  const tables = [readPlanTable(before), readPlanTable(after)] as const;
  const changes = createChanges();
  for (const callingCode of Object.keys({ ...tables[0].head.plans, ...tables[1].head.plans })) {
    const plans = tables.map(({ head }) => head.plans[Number(callingCode)]);
    const automata = tables.map(({ nodesOf }, table) => ({
      nodes: plans[table] ? nodesOf(callingCode) : [],
      root: plans[table]?.assignmentRoot,
    }));
    for (const { said, numbers, digits } of numbersIn(automata)) {
      const [was, is] = said.map((packed, table) => {
        const type = typeOf(packed);
        return type === "unknown" ? null : { region: plans[table]!.regions[regionIndexOf(packed)]!, type };
      });
      const region = was?.region ?? is?.region ?? NO_COUNTRY_REGION;
      const [old, young] = [was, is].map((of) => (of ? `${of.region} ${of.type}` : null)) as [
        string | null,
        string | null,
      ];
      changes.count(
        region === NO_COUNTRY_REGION ? `+${callingCode}` : region,
        callingCode + digits,
        old,
        young,
        numbers,
      );
    }
  }
  return changes.list();
}

/** Compares every short number of two tables, and its kinds. */
export function shortNumberChanges(before: ShortNumberPatterns, after: ShortNumberPatterns): Change[] {
  const changes = createChanges();
  for (const country of Object.keys({ ...before, ...after })) {
    const automata = [before, after].map((patterns) => openShortNumbers(patterns[country] ?? []));
    for (const { said, numbers, digits } of numbersIn(automata)) {
      const [was, is] = said.map(shortNumberKinds);
      changes.count(country, digits, was!, is!, numbers);
    }
  }
  return changes.list();
}

/** Compares the entries of two tables by country. */
export function entryChanges(before: Entries, after: Entries): Change[] {
  const changes = createChanges();
  for (const country of Object.keys({ ...before, ...after })) {
    const [old, young] = [before, after].map((of) => of[country] ?? []);
    for (const entry of new Set([...old!, ...young!])) {
      const [was, is] = [old, young].map((of) => (of!.includes(entry) ? "there" : null));
      changes.count(country, entry, was!, is!, 1);
    }
  }
  return changes.list();
}

/** By country. */
type Entries = Readonly<Record<string, readonly string[]>>;

/** One line for each country or calling code that changed. `names` maps them to display names. */
export function changeLines(changes: readonly Change[], nameOf: (place: string) => string): string[] {
  return changes
    .filter(({ lost, added, altered }) => lost + added + altered > 0)
    .map(({ place, lost, added, altered, before, examples }) => {
      const counts = [
        [added, "new"],
        [altered, "changed"],
        [lost, "lost"],
      ] as const;
      const said = counts.flatMap(([count, what]) => (count > 0 ? [`${formatCount(count)} ${what}`] : []));
      return `${nameOf(place)}: ${said.join(", ")} of ${formatCount(before)} (${examples.join("; ")})`;
    });
}

/** An automaton in the format of worker/phone/plan-table.ts; without a root, the outcome of every number is 0. */
interface Automaton {
  readonly nodes: ArrayLike<number>;
  readonly root: number | undefined;
}

/** The automata's outcomes for all numbers, grouped by the nodes they end in: the count, and the lowest number. */
function* numbersIn(automata: readonly Automaton[]) {
  const roots = automata.map(({ root }) => root);
  let reached = new Map([[roots.join(), { at: roots, numbers: 1, digits: "" }]]);
  for (let length = 1; length <= MAX_NATIONAL_LENGTH; length++) {
    const next: typeof reached = new Map();
    for (const { at, numbers, digits } of reached.values()) {
      for (let digit = 0; digit < 10; digit++) {
        const following = automata.map(({ nodes }, place) =>
          at[place] === undefined ? undefined : nodes[at[place] * NODE_FIELDS + 1 + digit]!,
        );
        const same = next.get(following.join());
        if (same === undefined) next.set(following.join(), { at: following, numbers, digits: digits + digit });
        else same.numbers += numbers;
      }
    }
    reached = next;
    for (const { at, numbers, digits } of reached.values()) {
      const said = automata.map(({ nodes }, place) => (at[place] === undefined ? 0 : nodes[at[place] * NODE_FIELDS]!));
      yield { said, numbers, digits };
    }
  }
}

function createChanges() {
  const byPlace = new Map<string, Counts>();
  return {
    count(place: string, what: string, was: string | null, is: string | null, numbers: number): void {
      if (was === null && is === null) return;
      let counts = byPlace.get(place);
      if (counts === undefined)
        byPlace.set(place, (counts = { lost: 0, added: 0, altered: 0, before: 0, examples: [] }));
      if (was !== null) counts.before += numbers;
      if (was === is) return;
      counts[was === null ? "added" : is === null ? "lost" : "altered"] += numbers;
      if (counts.examples.length < MOST_EXAMPLES) counts.examples.push(`${what}: ${was ?? "none"} → ${is ?? "none"}`);
    },
    list: (): Change[] => Array.from(byPlace, ([place, counts]) => ({ place, ...counts })),
  };
}

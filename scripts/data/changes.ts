import { boundariesOf, openPrefixTable } from "../../worker/phone/prefix-table.ts";
import { NODE_FIELDS, readPlanTable, typeOf } from "../../worker/phone/plan-table.ts";
import { MAX_NATIONAL_LENGTH } from "../../worker/phone/number.ts";

/** What a new table does to the numbers under a calling code: ranges of a prefix table, numbers of a numbering plan. */
export interface Change {
  readonly callingCode: string;
  /** Of `before`, how many have a text or are valid no more. */
  readonly lost: number;
  readonly added: number;
  /** Of `before`, how many have another text. */
  readonly altered: number;
  readonly before: number;
  /** Some of what changed, for people: "49155: none → 1&1". */
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

/** Compares two prefix tables, range by range, each as long as neither table changes its text. */
export function prefixChanges(before: ArrayBuffer, after: ArrayBuffer, callingCodes: readonly string[]): Change[] {
  const [old, young] = [openPrefixTable(before), openPrefixTable(after)];
  const known = new Set(callingCodes);
  const changes = createChanges();
  for (const range of new Set([...boundariesOf(before), ...boundariesOf(after)])) {
    const callingCode = [1, 2, 3].map((length) => range.slice(0, length)).find((code) => known.has(code));
    changes.count(callingCode ?? range, range, old.lookup(range), young.lookup(range), 1);
  }
  return changes.list();
}

/** Compares which numbers two plan tables call valid; every number counts. */
export function planChanges(before: ArrayBuffer, after: ArrayBuffer): Change[] {
  const [old, young] = [readPlanTable(before), readPlanTable(after)];
  const changes = createChanges();
  for (const callingCode of Object.keys({ ...old.head.plans, ...young.head.plans })) {
    const roots = [old, young].map(({ head }) => head.plans[Number(callingCode)]?.roots[0]) as [number?, number?];
    // Sets of numbers that lead to the same pair of nodes, with how many they are and the least of them.
    let pairs = new Map([[roots.join(), { nodes: roots, numbers: 1, digits: "" }]]);
    for (let length = 1; length <= MAX_NATIONAL_LENGTH; length++) {
      const next: typeof pairs = new Map();
      for (const { nodes, numbers, digits } of pairs.values()) {
        for (let digit = 0; digit < 10; digit++) {
          const reached = [old, young].map(({ nodes: fields }, table) =>
            nodes[table] === undefined ? undefined : fields[nodes[table]! * NODE_FIELDS + 1 + digit]!,
          ) as [number?, number?];
          const key = reached.join();
          const same = next.get(key);
          if (same === undefined) next.set(key, { nodes: reached, numbers, digits: digits + digit });
          else same.numbers += numbers;
        }
      }
      pairs = next;
      for (const { nodes, numbers, digits } of pairs.values()) {
        const [was, is] = [old, young].map(({ nodes: fields }, table) => {
          const type = nodes[table] === undefined ? "unknown" : typeOf(fields[nodes[table]! * NODE_FIELDS]!);
          return type === "unknown" ? null : type;
        });
        changes.count(callingCode, callingCode + digits, was!, is!, numbers);
      }
    }
  }
  return changes.list();
}

/** A line for each calling code that changed; names is what to call it. */
export function changeLines(changes: readonly Change[], nameOf: (callingCode: string) => string): string[] {
  return changes
    .filter(({ lost, added, altered }) => lost + added + altered > 0)
    .map(({ callingCode, lost, added, altered, before, examples }) => {
      const counts = [
        [added, "new"],
        [altered, "changed"],
        [lost, "lost"],
      ] as const;
      const said = counts.flatMap(([count, what]) => (count > 0 ? [`${count.toLocaleString("en")} ${what}`] : []));
      return `+${callingCode} ${nameOf(callingCode)}: ${said.join(", ")} of ${before.toLocaleString("en")} (${examples.join("; ")})`;
    });
}

function createChanges() {
  const byCallingCode = new Map<string, Counts>();
  return {
    count(callingCode: string, digits: string, was: string | null, is: string | null, numbers: number): void {
      let counts = byCallingCode.get(callingCode);
      if (counts === undefined) {
        counts = { lost: 0, added: 0, altered: 0, before: 0, examples: [] };
        byCallingCode.set(callingCode, counts);
      }
      if (was !== null) counts.before += numbers;
      if (was === is) return;
      counts[was === null ? "added" : is === null ? "lost" : "altered"] += numbers;
      if (counts.examples.length < MOST_EXAMPLES) counts.examples.push(`${digits}: ${was ?? "none"} → ${is ?? "none"}`);
    },
    list: (): Change[] => Array.from(byCallingCode, ([callingCode, counts]) => ({ callingCode, ...counts })),
  };
}

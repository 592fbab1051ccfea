import { NODE_FIELDS } from "../worker/phone/plan-table.ts";

/** An automaton of the numbering plan table. */
export interface Automaton {
  readonly root: number;
  readonly nodes: Uint16Array;
  /** Whether numbers may end at a node with this outcome. */
  accepts(said: number): boolean;
}

export interface Cover {
  /** The shortest path to each reachable node. */
  readonly ways: ReadonlyMap<number, string>;
  readonly words: ReadonlySet<string>;
}

interface Endings {
  readonly shortest: string;
  readonly longest: string;
}

const DIGITS = [..."0123456789"];

/**
 * Words that cover every transition of an automaton, whose only loops are self-loops: each with the shortest and the
 * longest accepted ending, and then truncated and extended to other lengths.
 */
export function transitionCover({ root, nodes, accepts }: Automaton): Cover {
  const target = (node: number, digit: string) => nodes[node * NODE_FIELDS + 1 + Number(digit)]!;
  const endingsOf = new Map<number, Endings | null>();

  /** Null if nothing is accepted from this node. */
  function endings(node: number): Endings | null {
    const known = endingsOf.get(node);
    if (known !== undefined) return known;
    const found = accepts(nodes[node * NODE_FIELDS]!) ? [""] : [];
    for (const digit of DIGITS) {
      const next = target(node, digit);
      const after = next === node ? null : endings(next);
      if (after !== null) found.push(digit + after.shortest, digit + after.longest);
    }
    const byLength = found.toSorted((a, b) => a.length - b.length);
    const result = found.length === 0 ? null : { shortest: byLength[0]!, longest: byLength.at(-1)! };
    endingsOf.set(node, result);
    return result;
  }

  const words = new Set<string>();
  const lengths = new Set<number>();
  // Grows during the iteration, breadth first.
  const ways = new Map([[root, ""]]);
  for (const [node, way] of ways) {
    const inside = DIGITS.flatMap((digit) => endings(target(node, digit)) ?? []);
    const afterOthers = new Set(inside.flatMap(({ shortest, longest }) => [shortest, longest]));
    if (accepts(nodes[node * NODE_FIELDS]!)) lengths.add(way.length);
    for (const digit of DIGITS) {
      const next = target(node, digit);
      if (!ways.has(next)) ways.set(next, way + digit);
      const after = endings(next);
      words.add(way + digit);
      // A transition to a dead end is completed like the other digits at its position.
      for (const ending of after === null ? afterOthers : [after.shortest, after.longest])
        words.add(way + digit + ending);
    }
  }
  // A node that is only wrong for words of other lengths shows in no other way.
  const completed = [...words];
  for (const word of completed) {
    for (const length of [...lengths, word.length - 1, word.length + 1]) {
      words.add(word.slice(0, length).padEnd(length, "0"));
    }
  }
  return { ways, words };
}

import { NODE_FIELDS } from "../../worker/phone/plan-table.ts";
import type { State } from "./pattern.ts";

/** The outcome of a set of states for a number that ends in it after `length` digits. Never negative. */
export type Outcome = (states: ReadonlySet<State>, length: number) => number;

/** Builds minimal DFAs that share equal nodes. */
export interface NodePool {
  /**
   * Adds the automaton that starts in these states, and returns its first node. `outcome` must not distinguish numbers
   * longer than `maxLength`.
   */
  add(start: readonly State[], maxLength: number, outcome: Outcome): number;
  /** Every node's fields, concatenated, in the format of worker/phone/plan-table.ts. */
  fields(): readonly number[];
}

/** The node that digits lead to from another. */
export function follow(fields: ArrayLike<number>, from: number, digits: string): number {
  let node = from;
  for (const digit of digits) node = fields[node * NODE_FIELDS + 1 + Number(digit)]!;
  return node;
}

export function createNodePool(): NodePool {
  const fields: number[] = [];
  const nodes = new Map<string, number>();

  function node(outcome: number, children: readonly number[] | null): number {
    // Nodes without outgoing transitions are merged per outcome, and so is a node that leads only to such a node.
    if (children !== null && children.every((child) => child === children[0])) {
      const only = children[0]! * NODE_FIELDS;
      if (fields[only] === outcome && fields[only + 1] === children[0]) return children[0]!;
    }
    const key = `${outcome}:${children?.join(",") ?? ""}`;
    const known = nodes.get(key);
    if (known !== undefined) return known;
    const id = fields.length / NODE_FIELDS;
    nodes.set(key, id);
    fields.push(outcome, ...(children ?? Array.from({ length: 10 }, () => id)));
    return id;
  }

  function add(start: readonly State[], maxLength: number, outcome: Outcome): number {
    const sets = createStateSets();
    const visited: (number | undefined)[][] = [];

    function visit(set: StateSet, length: number): number {
      const ofSet = (visited[set.id] ??= []);
      const known = ofSet[length];
      if (known !== undefined) return known;
      const longer = Math.min(length + 1, maxLength + 1);
      const following = sets.following(set);
      // Patterns have no loops except absorbing states, so this terminates.
      const isEnd = longer === length && following.every((next) => next === set);
      const children = isEnd ? null : following.map((next) => visit(next, longer));
      return (ofSet[length] = node(outcome(set.states, length), children));
    }
    return visit(sets.of(start), 0);
  }

  return { add, fields: () => fields };
}

interface StateSet {
  readonly id: number;
  readonly states: ReadonlySet<State>;
  /** By digit, computed on demand. */
  following: readonly StateSet[] | null;
}

/** Interns sets of states. */
function createStateSets() {
  const known = new Map<string, StateSet>();

  function of(states: readonly State[]): StateSet {
    const members = new Set(states);
    const key = String(Array.from(members, ({ id }) => id).toSorted((a, b) => a - b));
    let set = known.get(key);
    if (set === undefined) known.set(key, (set = { id: known.size, states: members, following: null }));
    return set;
  }

  function step(states: ReadonlySet<State>, digit: number): StateSet {
    const next: State[] = [];
    for (const state of states) if (state.digits & (1 << digit)) next.push(...state.next);
    return of(next);
  }

  return {
    of,
    following: (set: StateSet) => (set.following ??= Array.from({ length: 10 }, (_, digit) => step(set.states, digit))),
  };
}

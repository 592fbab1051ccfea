/**
 * The regular expressions of libphonenumber's metadata as automata without epsilon transitions. They use digits, \d,
 * classes, groups, alternatives, ?, {n} and {m,n}, and `$` at the end of an alternative; anything else is rejected.
 */

/**
 * A state that consumes one digit. Bit d of `digits` is set when it accepts d; it then leads to every state of `next`.
 */
export interface State {
  readonly id: number;
  readonly digits: number;
  readonly next: readonly State[];
}

type Node =
  | { readonly kind: "digit"; readonly digits: number }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Node[] }
  | { readonly kind: "repeat"; readonly part: Node; readonly min: number; readonly max: number };

const ANY_DIGIT = 0b11_1111_1111;

let states = 0;

/** A state without transitions. Reaching it means everything before it matched. */
export function accepting(): State {
  return { id: states++, digits: 0, next: [] };
}

/** Like `accepting`, but absorbing: any digits may follow. */
export function acceptingForGood(): State {
  const next: State[] = [];
  const state = { id: states++, digits: ANY_DIGIT, next };
  next.push(state);
  return state;
}

/** The start states that match the pattern and then lead to `next`. @throws Error for unsupported syntax */
export function reading(pattern: string, next: readonly State[]): readonly State[] {
  return compile(parse(pattern), next);
}

/** The top-level alternatives of a pattern: "a(b|c)|d" has two. */
export function alternatives(pattern: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === "(") depth++;
    else if (pattern[at] === ")") depth--;
    else if (pattern[at] === "|" && depth === 0) {
      found.push(pattern.slice(start, at));
      start = at + 1;
    }
  }
  return [...found, pattern.slice(start)];
}

function compile(node: Node, next: readonly State[]): readonly State[] {
  switch (node.kind) {
    case "digit":
      return [{ id: states++, digits: node.digits, next }];
    case "choice":
      return union(node.parts.map((part) => compile(part, next)));
    case "sequence":
      return node.parts.reduceRight((following, part) => compile(part, following), next);
    case "repeat": {
      let following = next;
      for (let copy = node.max; copy >= 1; copy--) {
        const read = compile(node.part, following);
        following = copy > node.min ? union([read, next]) : read;
      }
      return following;
    }
  }
}

function union(sets: readonly (readonly State[])[]): readonly State[] {
  return [...new Set(sets.flat())];
}

function parse(pattern: string): Node {
  let at = 0;

  function choice(): Node {
    const parts = [sequence()];
    while (pattern[at] === "|") {
      at++;
      parts.push(sequence());
    }
    return parts.length === 1 ? parts[0]! : { kind: "choice", parts };
  }

  function sequence(): Node {
    const parts: Node[] = [];
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") parts.push(quantified());
    return { kind: "sequence", parts };
  }

  function quantified(): Node {
    const part = atom();
    const quantifier = /^(?:\?|\{(\d+)(?:,(\d+))?\})/.exec(pattern.slice(at));
    if (quantifier === null) return part;
    at += quantifier[0].length;
    const [, min = "0", max = quantifier[0] === "?" ? "1" : min] = quantifier;
    return { kind: "repeat", part, min: Number(min), max: Number(max) };
  }

  function atom(): Node {
    const rest = pattern.slice(at);
    const group = /^\((?:\?:)?/.exec(rest);
    if (group !== null) {
      at += group[0].length;
      const inner = choice();
      if (pattern[at++] !== ")") throw unknown();
      return inner;
    }
    const digit = /^(?:\d|\\d|\[[\d-]+\])/.exec(rest);
    if (digit === null) throw unknown();
    at += digit[0].length;
    const matches = new RegExp(digit[0]);
    const digits = Array.from({ length: 10 }, (_, value) => (matches.test(String(value)) ? 1 << value : 0));
    return { kind: "digit", digits: digits.reduce((bits, bit) => bits | bit) };
  }

  function unknown(): Error {
    return new Error(`Unsupported syntax at ${at}: ${pattern}`);
  }

  const node = choice();
  if (at < pattern.length) throw unknown();
  return node;
}

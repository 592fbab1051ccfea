import { describe, expect, test } from "vitest";
import { formatInternational, formatNational, plans, plansOfRelease } from "../../test/google-release.ts";
import { googleAssignment, googleFormats, written } from "../../test/google-oracle.ts";
import { allOrSome, longOrShort } from "../../test/long.ts";
import { type Cover, transitionCover } from "../../test/transition-cover.ts";
import { follow } from "../../scripts/data/automaton.ts";
import type { PhoneNumber } from "./number.ts";
import { NODE_FIELDS, readPlanTable, typeOf } from "./plan-table.ts";

const { head, nodesOf } = readPlanTable(plansOfRelease);

function isValid(said: number): boolean {
  return typeOf(said) !== "unknown";
}

function isGrouped(said: number): boolean {
  const { national, international } = head.layouts[said]!;
  return national !== null || international !== null;
}

/**
 * The cover of one of a calling code's automata, as numbers: all, or some of each. Without digits there is no number.
 */
function numbersOf(callingCode: string, { words }: Cover): PhoneNumber[] {
  return allOrSome([...words].filter(Boolean)).map((nationalNumber) => ({
    callingCode,
    nationalNumber,
    extension: null,
  }));
}

interface Walk {
  numbers: number;
  nodes: number;
  moves: number;
  readonly differences: string[];
}

/** Walks one automaton of every calling code and prints what was compared. */
function walkAll(
  which: "assignmentRoot" | "layoutRoot",
  accepts: (said: number) => boolean,
  difference: (number: PhoneNumber) => string | null,
): Walk {
  const walk: Walk = { numbers: 0, nodes: 0, moves: 0, differences: [] };
  const started = performance.now();
  for (const [callingCode, plan] of Object.entries(head.plans)) {
    const cover = transitionCover({ root: plan[which], nodes: nodesOf(callingCode), accepts });
    const numbers = numbersOf(callingCode, cover);
    walk.numbers += numbers.length;
    walk.nodes += cover.ways.size;
    walk.moves += cover.ways.size * 10;
    walk.differences.push(...numbers.flatMap((number) => difference(number) ?? []));
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const name = which === "assignmentRoot" ? "validity, type and region" : "national and international format";
  console.log(
    `Transition cover, ${name}: ${walk.numbers} numbers over ${walk.moves} moves of ${walk.nodes} nodes, ` +
      `${walk.differences.length} differ from google-libphonenumber, ${seconds} s`,
  );
  return walk;
}

function assignmentDifference(number: PhoneNumber): string | null {
  const ours = plans.plan(Number(number.callingCode))!.assignment(number.nationalNumber)!;
  const theirs = googleAssignment(number);
  const same = ours.region === theirs.region && ours.type === theirs.type && (ours.type !== "unknown") === theirs.valid;
  return same ? null : `${written(number)}: ${ours.region} ${ours.type}, Google ${theirs.region} ${theirs.type}`;
}

function formatDifference(number: PhoneNumber): string | null {
  const national = formatNational(number);
  const international = formatInternational(number);
  const theirs = googleFormats(number);
  // E.123 separates by spaces, where Google has hyphens for some countries.
  const spaced = `+${theirs.international.replaceAll(/\D+/g, " ").trim()}`;
  if (national === theirs.national && international === spaced) return null;
  return `${written(number)}: ${national}, ${international}; Google ${theirs.national}, ${theirs.international}`;
}

describe("every transition of every automaton, compared with google-libphonenumber", () => {
  test("validity, type, and region match", () => {
    const walk = walkAll("assignmentRoot", isValid, assignmentDifference);
    expect(walk.moves).toBeGreaterThan(140_000);
    expect(walk.numbers).toBeGreaterThan(longOrShort(1_200_000, 100_000));
    expect(walk.differences).toEqual([]);
  });

  test("national and international formats match", () => {
    const walk = walkAll("layoutRoot", isGrouped, formatDifference);
    expect(walk.moves).toBeGreaterThan(80_000);
    expect(walk.numbers).toBeGreaterThan(longOrShort(700_000, 60_000));
    expect(walk.differences).toEqual([]);
  });
});

describe("the cover", () => {
  const root = head.plans["376"]!.assignmentRoot;
  const nodes = nodesOf("376");

  function said(from: Uint16Array, word: string): number {
    return from[follow(from, root, word) * NODE_FIELDS]!;
  }

  function isNoticed(wrong: Uint16Array): boolean {
    const { words } = transitionCover({ root, nodes: wrong, accepts: isValid });
    return [...words].some((word) => said(wrong, word) !== said(nodes, word));
  }

  test("detects every wrong transition and every wrong outcome", () => {
    const reached = [...transitionCover({ root, nodes, accepts: isValid }).ways.keys()];
    const leadsTo = (node: number, next: number) => nodes[node * NODE_FIELDS + 1] === next;
    const outside = reached.find((node) => leadsTo(node, node))!;
    const lastDigit = reached.find((node) => isValid(nodes[node * NODE_FIELDS]!) && leadsTo(node, outside))!;
    const inside = reached.filter((node) => node !== outside && node !== lastDigit);
    expect(inside.length).toBeGreaterThan(20);
    const fields = inside.flatMap((node) =>
      Array.from(Array(NODE_FIELDS).keys(), (field) => node * NODE_FIELDS + field),
    );
    const unnoticed = fields.filter((at) => {
      const wrong = nodes.slice();
      // Another type, an accepting node, or a dead end.
      if (at % NODE_FIELDS === 0) wrong[at]! ^= 0b10;
      else wrong[at] = nodes[at] === lastDigit ? outside : lastDigit;
      return !isNoticed(wrong);
    });
    expect(unnoticed.filter((at) => at !== root * NODE_FIELDS)).toEqual([]);
  });
});

import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { assignmentAutomaton } from "../../scripts/data/assignments.ts";
import { createNodePool } from "../../scripts/data/automaton.ts";
import { addedPlans, COUNTRY_CORRECTIONS, TYPE_CORRECTIONS, typeCorrections } from "../../scripts/data/corrections.ts";
import { libraryFormatRules, libraryPlans } from "../../scripts/data/google-library.ts";
import type { FormatRule } from "../../scripts/data/layouts.ts";
import { packagePlans } from "../../scripts/data/packages.ts";
import { lengthProblem, type Plan } from "../../scripts/data/plan-metadata.ts";
import { table } from "../../test/engine.ts";
import { google, googleType } from "../../test/google-oracle.ts";
import { googleRelease, plans, plansOfRelease } from "../../test/google-release.ts";
import { MAX_NATIONAL_LENGTH, NO_COUNTRY_REGION } from "./number.ts";
import { NODE_FIELDS, readPlanTable } from "./plan-table.ts";

interface Automaton {
  readonly root: number;
  readonly nodes: ArrayLike<number>;
}

const { head, nodesOf: ourNodes } = readPlanTable(plansOfRelease);
const callingCodes = googleRelease.callingCodes();

/** Like `npm run data` compiles the plans of one calling code, with our corrections. */
function compile(ofCallingCode: readonly Plan[]): Automaton {
  const pool = createNodePool();
  const { callingCode } = ofCallingCode[0]!;
  const { start, outcome } = assignmentAutomaton(
    ofCallingCode,
    addedPlans(callingCode, ofCallingCode),
    typeCorrections(callingCode),
  );
  return { root: pool.add(start, MAX_NATIONAL_LENGTH, outcome), nodes: pool.fields() };
}

/**
 * Walks two automata in parallel, through every reachable pair of nodes. Returns the shortest digits for which their
 * outcomes differ; null if there are none, of any length.
 */
function compare(ours: Automaton, theirs: Automaton): { readonly pairs: number; readonly difference: string | null } {
  // By both nodes; grows during the iteration, breadth first.
  const ways = new Map([[pairOf(ours.root, theirs.root), ""]]);
  for (const [pair, way] of ways) {
    const [left, right] = nodesOf(pair);
    if (ours.nodes[left] !== theirs.nodes[right]) return { pairs: ways.size, difference: way };
    for (let digit = 0; digit < 10; digit++) {
      const next = pairOf(ours.nodes[left + 1 + digit]!, theirs.nodes[right + 1 + digit]!);
      if (!ways.has(next)) ways.set(next, way + digit);
    }
  }
  return { pairs: ways.size, difference: null };
}

// Node numbers have 16 bits.
const pairOf = (left: number, right: number) => left * 0x1_0000 + right;
const nodesOf = (pair: number) => [Math.floor(pair / 0x1_0000) * NODE_FIELDS, (pair % 0x1_0000) * NODE_FIELDS] as const;

/** A plan of Google's with another pattern for its fixed lines. */
function withFixedLines(plan: Plan, from: string, to: string): Plan {
  const pattern = plan.fixedLine!.pattern.replace(from, to);
  expect(pattern).not.toBe(plan.fixedLine!.pattern);
  return { ...plan, fixedLine: { ...plan.fixedLine!, pattern } };
}

describe("the table of Google's release matches Google's metadata", () => {
  test("for every number of every length: region, type, and whether parsing changes it", () => {
    const started = performance.now();
    let pairs = 0;
    const differences = Object.entries(head.plans).flatMap(([callingCode, { assignmentRoot, regions }]) => {
      const theirs = libraryPlans(callingCode);
      expect(regions).toEqual([...theirs, ...addedPlans(callingCode, theirs)].map(({ region }) => region));
      const walk = compare({ root: assignmentRoot, nodes: ourNodes(callingCode) }, compile(theirs));
      pairs += walk.pairs;
      return walk.difference === null ? [] : [`+${callingCode} ${walk.difference}`];
    });
    console.log(
      `Our table and Google's metadata, walked together: ${Object.keys(head.plans).length} calling codes, ${pairs} pairs of nodes, ` +
        `${differences.length} differences, ${Math.round(performance.now() - started)} ms`,
    );
    expect(pairs).toBeGreaterThan(14_000);
    expect(differences).toEqual([]);
  });

  test("for every calling code and every impossible length", () => {
    const theirs = new Set(google.getSupportedCallingCodes().map(String));
    expect(new Set(Object.keys(head.plans))).toEqual(theirs);
    for (const callingCode of theirs) {
      const [main] = libraryPlans(callingCode) as [Plan];
      for (let length = 0; length <= MAX_NATIONAL_LENGTH; length++) {
        const ours = plans.plan(Number(callingCode))!.lengthProblem(length);
        expect(ours, `+${callingCode}, ${length} digits`).toBe(lengthProblem(main, length));
      }
    }
  });

  test.each([
    ["3\\d", "3[0-79]", "3380000"],
    ["50[0-6]", "50[0-7]", "5070000"],
    ["\\d{4}", "\\d{4,5}", null],
  ])("and one wrong range of Guyana's landlines is detected: %s, %s", (from, to, difference) => {
    const ours = { root: head.plans[592]!.assignmentRoot, nodes: ourNodes("592") };
    const [theirs] = libraryPlans("592") as [Plan];
    expect(compare(ours, compile([withFixedLines(theirs, from, to)])).difference).toBe(difference);
  });
});

describe("libphonenumber-js's metadata, once completed, matches Google's", () => {
  const allPlans = (of: (callingCode: string) => readonly Plan[]) => callingCodes.flatMap((code) => of(code));

  test("in every field of every plan: the parser's patterns, and the ranges of each type", () => {
    const theirs = allPlans(libraryPlans);
    console.log(`Plans of google-libphonenumber: ${theirs.length}, fields: ${theirs.flatMap(Object.keys).length}`);
    expect(theirs.length).toBeGreaterThan(250);
    expect(allPlans(googleRelease.plansOfCallingCode)).toEqual(theirs);
  });

  test("in every format", () => {
    const theirs = callingCodes.map((callingCode) => libraryFormatRules(callingCode)!);
    const [national, international] = (["national", "international"] as const).map((which) =>
      theirs.flatMap((rules): readonly FormatRule[] => rules[which]),
    );
    console.log(
      `Formats of google-libphonenumber: ${national!.length} national, ${international!.length} international`,
    );
    expect(national!.length).toBeGreaterThan(700);
    expect(callingCodes.map(googleRelease.formatRulesOf)).toEqual(theirs);
  });
});

test.each(COUNTRY_CORRECTIONS)(
  "Google still has +$callingCode $leadingDigits in $google; remove corrections that Google has caught up with",
  (correction) => {
    const { callingCode, example, ours } = correction;
    expect(google.getRegionCodeForNumber(google.parse(`+${callingCode}${example}`))).toBe(correction.google);
    expect(plans.plan(Number(callingCode))!.assignment(example)).toMatchObject({ region: ours, type: "fixed_line" });
  },
);

test.each(TYPE_CORRECTIONS)(
  "Google still has +$callingCode $example as $google; remove corrections that Google has caught up with",
  (correction) => {
    const { callingCode, example, ours } = correction;
    expect(googleType(google.parse(`+${callingCode}${example}`))).toBe(correction.google);
    expect(plans.plan(Number(callingCode))!.assignment(example)!.type).toBe(ours);
  },
);

describe("the committed plans, which may be of a newer release than Google's library", () => {
  const committed = packagePlans();
  const { countries, nonGeographic } = committed.metadata;
  /**
   * Regions, and calling codes without a country, whose metadata differs between the two releases of libphonenumber-js.
   */
  const changed = Object.keys({ ...countries, ...nonGeographic }).filter((id) => {
    const { metadata } = googleRelease;
    const [ours, theirs] = [committed.metadata, metadata].map((of) => of.countries[id] ?? of.nonGeographic[id]);
    return !isDeepStrictEqual(ours, theirs);
  });
  const idOf = ({ region, callingCode }: Plan) => (region === NO_COUNTRY_REGION ? callingCode : region);

  test("differ from Google's only in regions whose metadata differs between the two releases of libphonenumber-js", () => {
    const differing = callingCodes.flatMap((callingCode) => {
      const theirs = new Map(libraryPlans(callingCode).map((plan) => [idOf(plan), plan]));
      const ours = committed.plansOfCallingCode(callingCode);
      expect(ours.map(idOf)).toEqual([...theirs.keys()]);
      return ours.filter((plan) => !isDeepStrictEqual(plan, theirs.get(idOf(plan)))).map(idOf);
    });
    console.log(
      `Plans of ${committed.release} and of Google's library, ${googleRelease.release}, differ in ${differing.length} regions: ` +
        `${differing.join(" ")}. The metadata of ${changed.length} regions differs: ${changed.join(" ")}`,
    );
    expect(changed).toEqual(expect.arrayContaining(differing));
    expect(committed.callingCodes()).toEqual(callingCodes);
  });

  test("and so does the committed table, in numbers of every length", () => {
    const ours = readPlanTable(table("plans.bin"));
    const differing = callingCodes.filter((callingCode) => {
      const { assignmentRoot, regions } = ours.head.plans[Number(callingCode)]!;
      const theirs = libraryPlans(callingCode);
      expect(regions).toEqual([...theirs, ...addedPlans(callingCode, theirs)].map(({ region }) => region));
      return compare({ root: assignmentRoot, nodes: ours.nodesOf(callingCode) }, compile(theirs)).difference !== null;
    });
    const ofChanged = callingCodes.filter((callingCode) =>
      libraryPlans(callingCode).some((plan) => changed.includes(idOf(plan))),
    );
    console.log(`Calling codes with numbers that differ: ${differing.map((code) => `+${code}`).join(" ")}`);
    expect(ofChanged).toEqual(expect.arrayContaining(differing));
    // Nothing to find if the releases are the same.
    expect(differing.length > 0).toBe(committed.release !== googleRelease.release);
  });
});

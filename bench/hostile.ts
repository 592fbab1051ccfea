import { plans, verify } from "../test/engine.ts";
import { MAX_NUMBER_LENGTH } from "../contract/limits.ts";
import { readText } from "../worker/phone/reader/read-text.ts";
import { resultOf } from "./engine/libphonenumber-js.ts";
import type { Row } from "./row.ts";

const RUNS = 15;
/** A program that runs at the same time may slow one input down in all runs of a pass. */
const PASSES = 2;

/** What makes hostile input of 250 characters: each alone and after another, from the start and after a number. */
const PARTS =
  "1|0171/|1234567;|12/13/|+|(|x|XX|*|#|,|;|/|\n| |-|.|…|p1|r 1 |a1|०/|u. 1|or 1|::1|٣|é|ext 1|tel:|&|& ".split("|");

function hostileInputs(): string[] {
  return PARTS.flatMap((one) => PARTS.map((other) => (one + other).repeat(MAX_NUMBER_LENGTH))).flatMap((text) =>
    ["", "+4930901820"].map((start) => (start + text).slice(0, MAX_NUMBER_LENGTH)),
  );
}

/** The least of several runs of one input, in microseconds: it takes too little time for CPU time to show. */
function timeOne(run: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const started = performance.now();
    run();
    return (performance.now() - started) * 1000;
  });
  return Math.min(...times);
}

function resultOrNull(text: string): object | null {
  try {
    return resultOf(text, "DE");
  } catch {
    return null;
  }
}

/** Our time and theirs for the hostile input with the highest ratio. */
function compareWorst(): [ours: number, theirs: number] {
  const inputs = hostileInputs();
  const compareOne = (input: string) =>
    [timeOne(() => verify(input, "DE")), timeOne(() => resultOrNull(input))] as const;
  // Untimed: compiles the code.
  for (const input of inputs) compareOne(input);
  const passes = Array.from({ length: PASSES }, () => inputs.map(compareOne));
  const times = inputs.map((_, at): [number, number] => [
    Math.min(...passes.map((pass) => pass[at]![0])),
    Math.min(...passes.map((pass) => pass[at]![1])),
  ]);
  return times.toSorted(([a, b], [c, d]) => c / d - a / b)[0]!;
}

/** A rule in quadratic time would take a hundred times as long for ten times the text. */
const MOST_GROWTH = 15;

/** Input that is made to take long, beside libphonenumber-js; and the rules on a text far over the limit. */
export async function benchHostile(): Promise<Row[]> {
  const [ours, theirs] = compareWorst();
  const [long = 0, short = 0] = [10_000, 1_000].map((times) =>
    timeOne(() => readText(`+4930901820${"  ".repeat(times)}x`, "DE", plans)),
  );
  return [
    {
      measured: "result of the worst hostile input",
      unit: "µs",
      ours: [ours],
      comparedWith: "libphonenumber-js (max)",
      theirs: [theirs],
      ceiling: { of: "ratio", most: 10 },
    },
    {
      measured: "reading 20,000 hostile characters",
      unit: "µs",
      ours: [long],
      comparedWith: "a tenth of them",
      theirs: [short],
      ceiling: { of: "ratio", most: MOST_GROWTH },
    },
  ];
}
